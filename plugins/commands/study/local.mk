# SPDX-License-Identifier: BSD-3-Clause
# Studies that run: `clopt -c STUDY.ini`, and `clopt tune`.
plugins_commands_la_SOURCES += \
	plugins/commands/study/command_study.c \
	plugins/commands/study/dry_run.c \
	plugins/commands/study/dry_run.h \
	plugins/commands/study/failures.c \
	plugins/commands/study/preview.c \
	plugins/commands/study/preview.h \
	plugins/commands/study/retry.c \
	plugins/commands/study/study_command.h
