# SPDX-License-Identifier: BSD-3-Clause
# `clopt judge`.
plugins_commands_la_SOURCES += \
	plugins/commands/judge/answer.c \
	plugins/commands/judge/candidate.c \
	plugins/commands/judge/judge.h \
	plugins/commands/judge/rounds.c
