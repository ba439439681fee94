# SPDX-License-Identifier: BSD-3-Clause
# Tests of commands, without a device.
test_scripts += \
	tests/commands/compare \
	tests/commands/completion \
	tests/commands/devices \
	tests/commands/guesses \
	tests/commands/hostile \
	tests/commands/init \
	tests/commands/new \
	tests/commands/preview \
	tests/commands/report \
	tests/commands/serve \
	tests/commands/simulate \
	tests/commands/stores \
	tests/commands/transform

unit_tests += tests/commands/dry_run
tests_commands_dry_run_SOURCES = tests/commands/dry_run.c plugins/commands/study/dry_run.c $(folder_fixture) $(fake_plugins)
tests_commands_dry_run_LDADD = tests/libcloptparts.la $(CMOCKA_LIBS)

unit_tests += tests/commands/retry
tests_commands_retry_SOURCES = tests/commands/retry.c plugins/commands/study/retry.c

unit_tests += tests/commands/profile_parts
tests_commands_profile_parts_SOURCES = tests/commands/profile_parts.c plugins/commands/capture/activities.c \
	plugins/commands/capture/profile.c plugins/commands/capture/record.c plugins/commands/capture/timeline.c

unit_tests += tests/commands/sizes
tests_commands_sizes_SOURCES = tests/commands/sizes.c plugins/commands/export/between.c plugins/commands/export/sizes.c
