# SPDX-License-Identifier: BSD-3-Clause
# Tables of results, whatever they are written as.
libcloptcore_la_SOURCES += \
	core/view/access.c \
	core/view/access.h \
	core/view/fields.c \
	core/view/fields.h \
	core/view/footnotes.c \
	core/view/footnotes.h \
	core/view/grid.c \
	core/view/grid.h \
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
	core/view/view.c \
	core/view/view.h \
	core/view/view_grid.c
