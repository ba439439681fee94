# SPDX-License-Identifier: BSD-3-Clause
plugin_LTLIBRARIES += plugins/vector.la
vector_sources = \
	plugins/optimizations/shared/counted.c \
	plugins/optimizations/shared/counted.h \
	plugins/optimizations/shared/counted_head.c \
	plugins/optimizations/shared/counted_head.h \
	plugins/optimizations/vector/across.c \
	plugins/optimizations/vector/alignment.c \
	plugins/optimizations/vector/branch.c \
	plugins/optimizations/vector/chain.c \
	plugins/optimizations/vector/code.h \
	plugins/optimizations/vector/expression.c \
	plugins/optimizations/vector/lane.c \
	plugins/optimizations/vector/mask.c \
	plugins/optimizations/vector/plan.c \
	plugins/optimizations/vector/plan.h \
	plugins/optimizations/vector/prepare.c \
	plugins/optimizations/vector/share.c \
	plugins/optimizations/vector/statement.c \
	plugins/optimizations/vector/straighten.c \
	plugins/optimizations/vector/vector.c \
	plugins/optimizations/vector/vector.h \
	plugins/optimizations/vector/within.c
plugins_vector_la_SOURCES = $(vector_sources)
plugins_vector_la_LDFLAGS = $(plugin_ldflags)
plugins_vector_la_LIBADD = libclopt-rewrite.la libclopt.la
