# SPDX-License-Identifier: BSD-3-Clause
plugin_LTLIBRARIES += plugins/loops.la
unrolling_sources = \
	plugins/optimizations/loops/copies.c \
	plugins/optimizations/loops/copies.h \
	plugins/optimizations/loops/trip.c \
	plugins/optimizations/loops/trip.h \
	plugins/optimizations/loops/unroll.c \
	plugins/optimizations/loops/unroll.h
plugins_loops_la_SOURCES = plugins/optimizations/loops/loops.c $(unrolling_sources)
plugins_loops_la_LDFLAGS = $(plugin_ldflags)
plugins_loops_la_LIBADD = libclopt.la
