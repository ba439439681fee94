# SPDX-License-Identifier: BSD-3-Clause
# What commands share: formats of output, the device that is asked for.
plugins_commands_la_SOURCES += \
	plugins/commands/shared/asked_device.c \
	plugins/commands/shared/asked_device.h \
	plugins/commands/shared/change.c \
	plugins/commands/shared/change.h \
	plugins/commands/shared/commands.h \
	plugins/commands/shared/compiler_options.c \
	plugins/commands/shared/compiler_options.h \
	plugins/commands/shared/output.c \
	plugins/commands/shared/output.h \
	plugins/commands/shared/usage.c \
	plugins/commands/shared/usage.h
