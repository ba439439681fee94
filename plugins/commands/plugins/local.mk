# SPDX-License-Identifier: BSD-3-Clause
# `clopt plugins`.
plugins_commands_la_SOURCES += \
	plugins/commands/plugins/command_plugins.c \
	plugins/commands/plugins/plugins.h \
	plugins/commands/plugins/plugins_json.c
