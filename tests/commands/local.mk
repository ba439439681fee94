# SPDX-License-Identifier: BSD-3-Clause
# Tests of commands, without a device.
test_scripts += \
	tests/commands/compare \
	tests/commands/completion \
	tests/commands/devices \
	tests/commands/guesses \
	tests/commands/init \
	tests/commands/new \
	tests/commands/report \
	tests/commands/simulate \
	tests/commands/stores \
	tests/commands/transform
