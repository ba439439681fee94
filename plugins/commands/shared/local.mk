# SPDX-License-Identifier: BSD-3-Clause
# What commands share: formats of output, the device that is asked for.
plugins_commands_la_SOURCES += \
	plugins/commands/shared/asked_device.c \
	plugins/commands/shared/asked_device.h \
	plugins/commands/shared/commands.h \
	plugins/commands/shared/output.c \
	plugins/commands/shared/output.h
