# SPDX-License-Identifier: BSD-3-Clause
# Tests of analyses.
test_scripts += \
	tests/analyses/all \
	tests/analyses/sentences \
	tests/analyses/unmeasured
