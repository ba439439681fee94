# SPDX-License-Identifier: BSD-3-Clause
# `clopt reproduce`.
plugins_commands_la_SOURCES += \
	plugins/commands/reproduce/command_reproduce.c \
	plugins/commands/reproduce/reproduce.c \
	plugins/commands/reproduce/reproduce.h \
	plugins/commands/reproduce/reproduction.c \
	plugins/commands/reproduce/reproduction.h
