# SPDX-License-Identifier: BSD-3-Clause
# Counters: what devices do, take and can do at most.
plugin_LTLIBRARIES += plugins/counters.la
plugins_counters_la_CPPFLAGS = $(inner_cppflags)
plugins_counters_la_LDFLAGS = $(plugin_ldflags)
plugins_counters_la_LIBADD = libclopt.la $(JANSSON_LIBS) $(OPENCL_LIBS) -lm
plugins_counters_la_SOURCES = \
	plugins/shared/access_rates.c \
	plugins/shared/access_rates.h \
	plugins/counters/access.c \
	plugins/counters/clock.c \
	plugins/counters/counters.c \
	plugins/counters/counters.h \
	plugins/counters/nvml.c \
	plugins/counters/peak.c \
	plugins/counters/peak_arithmetic.c \
	plugins/counters/peak_memory.c \
	plugins/counters/peak_parts.h \
	plugins/counters/perf.c \
	plugins/counters/powercap.c \
	plugins/counters/waits.c \
	plugins/counters/waits.h

# The kernels that measure devices, as strings.
EXTRA_DIST += plugins/counters/access.cl plugins/counters/peak.cl
$(plugins_counters_la_OBJECTS): | plugins/counters/access_text.h plugins/counters/peak_text.h
CLEANFILES += plugins/counters/access_text.h plugins/counters/peak_text.h
plugins/counters/access_text.h: plugins/counters/access.cl
	$(AM_V_GEN)$(MKDIR_P) plugins/counters && sed $(as_string) $< >$@.part && mv $@.part $@
plugins/counters/peak_text.h: plugins/counters/peak.cl
	$(AM_V_GEN)$(MKDIR_P) plugins/counters && sed $(as_string) $< >$@.part && mv $@.part $@
