# SPDX-License-Identifier: BSD-3-Clause
# `clopt check`, and what runs an app once for it and `clopt run`.
plugins_commands_la_SOURCES += \
	plugins/commands/check/command_check.c \
	plugins/commands/check/drafted_check.h \
	plugins/commands/check/findings.c \
	plugins/commands/check/run_parts.h \
	plugins/commands/check/run_trial.c
