# SPDX-License-Identifier: BSD-3-Clause
plugin_LTLIBRARIES += plugins/geometry.la
coarsening_sources = \
	plugins/optimizations/geometry/coarsen.c \
	plugins/optimizations/geometry/coarsen.h \
	plugins/optimizations/geometry/doubling.c \
	plugins/optimizations/geometry/fuse.c \
	plugins/optimizations/geometry/group_loop.c \
	plugins/optimizations/geometry/guard.c \
	plugins/optimizations/geometry/guard.h \
	plugins/optimizations/geometry/pairs.c \
	plugins/optimizations/geometry/replicate.c \
	plugins/optimizations/geometry/replication.h \
	plugins/optimizations/geometry/serial.c \
	plugins/optimizations/geometry/serial.h \
	plugins/optimizations/geometry/serial_build.c
geometry_sources = plugins/optimizations/geometry/geometry.c $(coarsening_sources)
plugins_geometry_la_SOURCES = $(geometry_sources)
plugins_geometry_la_LDFLAGS = $(plugin_ldflags)
plugins_geometry_la_LIBADD = libclopt-rewrite.la libclopt.la
