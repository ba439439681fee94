# SPDX-License-Identifier: BSD-3-Clause
# What people type: commands and their options, read and printed from one table each.
libcloptcore_la_SOURCES += \
	core/schema/command.h \
	core/schema/compiler_options.c \
	core/schema/compiler_options.h \
	core/schema/help.c \
	core/schema/options.c
