# SPDX-License-Identifier: BSD-3-Clause
# What `clopt tune` does beside a study: searches at several sizes.
plugins_commands_la_SOURCES += \
	plugins/commands/tune/rounds.c \
	plugins/commands/tune/rounds.h \
	plugins/commands/tune/sizes.c \
	plugins/commands/tune/sizes.h \
	plugins/commands/tune/winners.c
