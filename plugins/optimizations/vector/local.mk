# SPDX-License-Identifier: BSD-3-Clause
plugin_LTLIBRARIES += plugins/vector.la
vector_sources = \
	plugins/optimizations/vector/hint.c \
	plugins/optimizations/vector/hint.h \
	plugins/optimizations/vector/vector.c
plugins_vector_la_SOURCES = $(vector_sources)
plugins_vector_la_LDFLAGS = $(plugin_ldflags)
plugins_vector_la_LIBADD = libclopt.la
