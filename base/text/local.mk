# SPDX-License-Identifier: BSD-3-Clause
# Text and what everything else is built on; knows nothing of OpenCL.
libcloptbase_la_SOURCES += \
	base/text/arena.c \
	base/text/arena.h \
	base/text/build_options.c \
	base/text/build_options.h \
	base/text/changed_lines.c \
	base/text/changed_lines.h \
	base/text/error.c \
	base/text/json.c \
	base/text/json.h \
	base/text/macro_default.c \
	base/text/macro_default.h \
	base/text/memory.c \
	base/text/suggest.c \
	base/text/suggest.h \
	base/text/table.c \
	base/text/table.h \
	base/text/text.c \
	base/text/text.h \
	base/text/token.c \
	base/text/token.h \
	base/text/variant_name.c \
	base/text/variant_name.h
