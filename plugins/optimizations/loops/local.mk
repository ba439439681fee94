# SPDX-License-Identifier: BSD-3-Clause
plugin_LTLIBRARIES += plugins/loops.la
loop_sources = \
	plugins/optimizations/loops/extremum.c \
	plugins/optimizations/loops/extremum.h \
	plugins/optimizations/shared/counted.c \
	plugins/optimizations/shared/counted.h \
	plugins/optimizations/shared/counted_head.c \
	plugins/optimizations/shared/counted_head.h \
	plugins/optimizations/shared/range.c \
	plugins/optimizations/shared/range.h \
	plugins/optimizations/loops/divide.c \
	plugins/optimizations/loops/divide.h \
	plugins/optimizations/loops/divide_check.c \
	plugins/optimizations/loops/divide_scan.c \
	plugins/optimizations/loops/fission.c \
	plugins/optimizations/loops/hints.c \
	plugins/optimizations/loops/interchange.c \
	plugins/optimizations/loops/loops.h \
	plugins/optimizations/loops/nest.c \
	plugins/optimizations/loops/registers.c \
	plugins/optimizations/loops/reuse.c \
	plugins/optimizations/loops/rows.c \
	plugins/optimizations/loops/scan.c \
	plugins/optimizations/loops/scan.h \
	plugins/optimizations/loops/share.c \
	plugins/optimizations/loops/specialise.c \
	plugins/optimizations/loops/tile.c \
	plugins/optimizations/loops/unroll.c
plugins_loops_la_SOURCES = plugins/optimizations/loops/loops.c $(loop_sources)
plugins_loops_la_LDFLAGS = $(plugin_ldflags)
plugins_loops_la_LIBADD = libclopt-rewrite.la libclopt.la
