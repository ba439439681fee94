# SPDX-License-Identifier: BSD-3-Clause
# Text and what everything else is built on; knows nothing of OpenCL.
libcloptcore_la_SOURCES += \
	core/text/arena.c \
	core/text/arena.h \
	core/text/array.h \
	core/text/changed_lines.c \
	core/text/changed_lines.h \
	core/text/error.c \
	core/text/json.c \
	core/text/json.h \
	core/text/memory.c \
	core/text/suggest.c \
	core/text/suggest.h \
	core/text/table.c \
	core/text/table.h \
	core/text/text.c \
	core/text/text.h \
	core/text/variant_name.c \
	core/text/variant_name.h
