# SPDX-License-Identifier: BSD-3-Clause
# `clopt gate`.
plugins_commands_la_SOURCES += \
	plugins/commands/gate/command_gate.c \
	plugins/commands/gate/fastest.c \
	plugins/commands/gate/fastest.h
