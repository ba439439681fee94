# SPDX-License-Identifier: BSD-3-Clause
# Rivals: what others have written for the same problems.
plugin_LTLIBRARIES += plugins/rivals.la
plugins_rivals_la_CPPFLAGS = $(inner_cppflags)
plugins_rivals_la_LDFLAGS = $(plugin_ldflags)
plugins_rivals_la_LIBADD = libclopt.la $(JANSSON_LIBS) -lm
plugins_rivals_la_SOURCES = \
	plugins/rivals/native.c \
	plugins/rivals/native.h \
	plugins/rivals/native_build.c \
	plugins/rivals/native_files.c \
	plugins/rivals/native_section.c \
	plugins/rivals/native_sources.c \
	plugins/rivals/rival_section.c
