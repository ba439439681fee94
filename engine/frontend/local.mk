# SPDX-License-Identifier: BSD-3-Clause
# From the text that a user wrote to one that libclang parses: tokens, macros.
libcloptengine_la_SOURCES += \
	engine/frontend/reference.c \
	engine/frontend/reference.h \
	engine/frontend/clang.c \
	engine/frontend/clang.h \
	engine/frontend/diagnosis.c \
	engine/frontend/diagnosis.h \
	engine/frontend/dialect.c \
	engine/frontend/dialect.h \
	engine/frontend/lines.c \
	engine/frontend/lines.h \
	engine/frontend/macro.c \
	engine/frontend/macro.h \
	engine/frontend/names.c \
	engine/frontend/names.h \
	engine/frontend/normalise.c \
	engine/frontend/normalise.h \
	engine/frontend/parse.c \
	engine/frontend/parse.h \
	engine/frontend/unit.c \
	engine/frontend/unit.h

# Functions that clang does not declare, as a string.
EXTRA_DIST += engine/frontend/functions.cl
$(libcloptengine_la_OBJECTS): | engine/frontend/functions_text.h
CLEANFILES += engine/frontend/functions_text.h
engine/frontend/functions_text.h: engine/frontend/functions.cl
	$(AM_V_GEN)$(MKDIR_P) engine/frontend && sed $(as_string) $< >$@.part && mv $@.part $@
