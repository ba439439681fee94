# SPDX-License-Identifier: BSD-3-Clause
# From the text that a user wrote to one that libclang parses: tokens, macros, inclusion, options.
libcloptcore_la_SOURCES += \
	core/frontend/clang.c \
	core/frontend/clang.h \
	core/frontend/inclusion.c \
	core/frontend/inclusion.h \
	core/frontend/lines.c \
	core/frontend/lines.h \
	core/frontend/macro.c \
	core/frontend/macro.h \
	core/frontend/names.c \
	core/frontend/names.h \
	core/frontend/normalise.c \
	core/frontend/normalise.h \
	core/frontend/options.c \
	core/frontend/options.h \
	core/frontend/parse.c \
	core/frontend/parse.h \
	core/frontend/token.c \
	core/frontend/token.h
