# SPDX-License-Identifier: BSD-3-Clause
# What a shell is offered for the last word of a command line.
plugins_commands_la_SOURCES += \
	plugins/commands/completion/completion.h \
	plugins/commands/completion/plugins.c \
	plugins/commands/completion/values.c
