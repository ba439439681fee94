# SPDX-License-Identifier: BSD-3-Clause
# Checks what kernels do with memory while they run, by rewriting them.
plugins_observers_la_SOURCES += \
	plugins/observers/check/access.c \
	plugins/observers/check/bases.c \
	plugins/observers/check/bases.h \
	plugins/observers/check/check.h \
	plugins/observers/check/checking.c \
	plugins/observers/check/checking.h \
	plugins/observers/check/control.c \
	plugins/observers/check/findings.c \
	plugins/observers/check/findings.h \
	plugins/observers/check/idle.c \
	plugins/observers/check/idle.h \
	plugins/observers/check/instrument.c \
	plugins/observers/check/instrument.h

# What a checked kernel calls, as a string.
EXTRA_DIST += plugins/observers/check/check.cl
$(plugins_observers_la_OBJECTS): | plugins/observers/check/check_text.h
CLEANFILES += plugins/observers/check/check_text.h
plugins/observers/check/check_text.h: plugins/observers/check/check.cl
	$(AM_V_GEN)$(MKDIR_P) plugins/observers/check && sed $(as_string) $< >$@.part && mv $@.part $@
