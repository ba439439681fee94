# SPDX-License-Identifier: BSD-3-Clause
plugin_LTLIBRARIES += plugins/branches.la
branches_sources = \
	plugins/optimizations/branches/border_clamps.c \
	plugins/optimizations/branches/border_forms.c \
	plugins/optimizations/branches/borders.c \
	plugins/optimizations/branches/borders.h \
	plugins/optimizations/branches/branches.h \
	plugins/optimizations/branches/ends.c \
	plugins/optimizations/branches/expression.c \
	plugins/optimizations/branches/flatten.c \
	plugins/optimizations/branches/flatten.h \
	plugins/optimizations/branches/guards.c \
	plugins/optimizations/branches/hoist.c \
	plugins/optimizations/branches/masks.c \
	plugins/optimizations/branches/needs.c \
	plugins/optimizations/branches/network.c \
	plugins/optimizations/branches/reads.c \
	plugins/optimizations/branches/selects.c \
	plugins/optimizations/branches/settle.c \
	plugins/optimizations/branches/stores.c
plugins_branches_la_SOURCES = plugins/optimizations/branches/branches.c $(branches_sources)
plugins_branches_la_LDFLAGS = $(plugin_ldflags)
plugins_branches_la_LIBADD = libclopt-rewrite.la libclopt.la
