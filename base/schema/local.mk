# SPDX-License-Identifier: BSD-3-Clause
# What people type: commands and their options, read and printed from one table each.
libcloptbase_la_SOURCES += \
	base/schema/command.h \
	base/schema/help.c \
	base/schema/key.c \
	base/schema/key.h \
	base/schema/options.c
