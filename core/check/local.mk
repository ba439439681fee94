# SPDX-License-Identifier: BSD-3-Clause
# Checks what kernels do with memory while they run, by rewriting them.
libcloptcore_la_SOURCES += \
	core/check/access.c \
	core/check/bases.c \
	core/check/bases.h \
	core/check/check.h \
	core/check/control.c \
	core/check/findings.c \
	core/check/findings.h \
	core/check/instrument.c \
	core/check/instrument.h

# What a checked kernel calls, as a string.
EXTRA_DIST += core/check/check.cl
$(libcloptcore_la_OBJECTS): | core/check/check_text.h
CLEANFILES += core/check/check_text.h
core/check/check_text.h: core/check/check.cl
	$(AM_V_GEN)$(MKDIR_P) core/check && sed $(as_string) $< >$@.part && mv $@.part $@
