# SPDX-License-Identifier: BSD-3-Clause
# What of results is shown, and in which words, tables and charts.
libcloptcore_la_SOURCES += \
	core/view/access.c \
	core/view/access.h \
	core/view/charts.c \
	core/view/fields.c \
	core/view/fields.h \
	core/view/marks.c \
	core/view/marks.h \
	core/view/members.c \
	core/view/members.h \
	core/view/portability.c \
	core/view/portability.h \
	core/view/portability_grid.c \
	core/view/portability_json.c \
	core/view/productivity.c \
	core/view/productivity.h \
	core/view/summary.c \
	core/view/summary.h \
	core/view/tables.c \
	core/view/tables.h \
	core/view/timeline.c \
	core/view/view.c \
	core/view/view.h
