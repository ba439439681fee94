# SPDX-License-Identifier: BSD-3-Clause
# `clopt simulate`.
plugins_commands_la_SOURCES += \
	plugins/commands/simulate/command_simulate.c \
	plugins/commands/simulate/simulation.c \
	plugins/commands/simulate/simulation.h
