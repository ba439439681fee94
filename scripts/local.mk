# SPDX-License-Identifier: BSD-3-Clause
# What a newcomer and continuous integration start; shipped, not installed.
dist_noinst_SCRIPTS += \
	.ci/run \
	scripts/check \
	scripts/clopt \
	scripts/device-pack \
	scripts/device-run \
	scripts/inner-headers \
	scripts/intel-opencl \
	scripts/quickstart \
	scripts/wheel
EXTRA_DIST += scripts/lib.sh
dist_bashcompletion_DATA += scripts/completion/clopt.bash
dist_zshcompletion_DATA += scripts/completion/_clopt
dist_fishcompletion_DATA += scripts/completion/clopt.fish
