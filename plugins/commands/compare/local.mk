# SPDX-License-Identifier: BSD-3-Clause
# `clopt compare`.
plugins_commands_la_SOURCES += \
	plugins/commands/compare/command_compare.c \
	plugins/commands/compare/comparison.c \
	plugins/commands/compare/comparison.h \
	plugins/commands/compare/comparison_print.c
