# SPDX-License-Identifier: BSD-3-Clause
# Makes one store of several.
plugins_commands_la_SOURCES += \
	plugins/commands/merge/merge.c \
	plugins/commands/merge/merge.h \
	plugins/commands/merge/merge_sql.c \
	plugins/commands/merge/merge_sql.h
