# SPDX-License-Identifier: BSD-3-Clause
# Tests of the program as a whole, without a device.
test_scripts += \
	tests/cli/dialect \
	tests/cli/help \
	tests/cli/hostile_pools \
	tests/cli/loader \
	tests/cli/plugins \
	tests/cli/pools \
	tests/cli/python \
	tests/cli/schema \
	tests/cli/study
