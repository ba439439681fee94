# SPDX-License-Identifier: BSD-3-Clause
# What looks at variants before and after their launches.
plugin_LTLIBRARIES += plugins/observers.la
plugins_observers_la_CPPFLAGS = $(inner_cppflags)
plugins_observers_la_CFLAGS = $(parallel_cflags)
plugins_observers_la_LDFLAGS = $(plugin_ldflags)
plugins_observers_la_LIBADD = libclopt-rewrite.la libclopt.la $(OPENCL_LIBS) $(JANSSON_LIBS) -lm
plugins_observers_la_SOURCES = \
	plugins/observers/build_log.c \
	plugins/observers/build_log.h \
	plugins/observers/counters.c \
	plugins/observers/counts.c \
	plugins/observers/counts.h \
	plugins/observers/lines.c \
	plugins/observers/observers.c \
	plugins/observers/observers.h \
	plugins/observers/oclgrind.c \
	plugins/observers/patterns.c \
	plugins/observers/trace.c
include plugins/observers/check/local.mk
