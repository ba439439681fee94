# SPDX-License-Identifier: BSD-3-Clause
# Readers: what others have written down of tuning.
plugin_LTLIBRARIES += plugins/readers.la
plugins_readers_la_CPPFLAGS = $(inner_cppflags)
plugins_readers_la_LDFLAGS = $(plugin_ldflags)
plugins_readers_la_LIBADD = libclopt-report.la libclopt.la $(JANSSON_LIBS) -lm
plugins_readers_la_SOURCES = \
	plugins/readers/published.c \
	plugins/readers/readers.c \
	plugins/readers/readers.h \
	plugins/readers/space.c \
	plugins/readers/t1.c \
	plugins/readers/t1_kernel.c \
	plugins/readers/t1_parts.h \
	plugins/readers/t1_values.c \
	plugins/readers/tuners.c \
	plugins/shared/space_variant.c \
	plugins/shared/space_variant.h \
	plugins/shared/variant_parse.c \
	plugins/shared/variant_parse.h
