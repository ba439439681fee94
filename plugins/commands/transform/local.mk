# SPDX-License-Identifier: BSD-3-Clause
# `clopt transform`.
plugins_commands_la_SOURCES += \
	plugins/commands/transform/analyze.c \
	plugins/commands/transform/analyze.h \
	plugins/commands/transform/command_transform.c \
	plugins/commands/transform/steps.c \
	plugins/commands/transform/steps.h
