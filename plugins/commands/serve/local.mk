# SPDX-License-Identifier: BSD-3-Clause
# `clopt serve`.
plugins_commands_la_SOURCES += \
	plugins/commands/serve/call.c \
	plugins/commands/serve/command_serve.c \
	plugins/commands/serve/confine.c \
	plugins/commands/serve/confine.h \
	plugins/commands/serve/protocol.c \
	plugins/commands/serve/serve.h \
	plugins/commands/serve/tools.c
