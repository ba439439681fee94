# SPDX-License-Identifier: BSD-3-Clause
# From the text that a user wrote to one that libclang parses: tokens, macros, inclusion, options.
libcloptengine_la_SOURCES += \
	engine/frontend/clang.c \
	engine/frontend/clang.h \
	engine/frontend/inclusion.c \
	engine/frontend/inclusion.h \
	engine/frontend/lines.c \
	engine/frontend/lines.h \
	engine/frontend/macro.c \
	engine/frontend/macro.h \
	engine/frontend/names.c \
	engine/frontend/names.h \
	engine/frontend/normalise.c \
	engine/frontend/normalise.h \
	engine/frontend/options.c \
	engine/frontend/options.h \
	engine/frontend/parse.c \
	engine/frontend/parse.h \
	engine/frontend/token.c \
	engine/frontend/token.h
