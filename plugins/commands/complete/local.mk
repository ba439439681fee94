# SPDX-License-Identifier: BSD-3-Clause
# What a shell is offered for the last word of a command line.
plugins_commands_la_SOURCES += \
	plugins/commands/complete/command_complete.c \
	plugins/commands/complete/completion.h \
	plugins/commands/complete/plugins.c \
	plugins/commands/complete/values.c
