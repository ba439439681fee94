# SPDX-License-Identifier: BSD-3-Clause
plugin_LTLIBRARIES += plugins/srad.la
plugins_srad_la_SOURCES = \
	plugins/apps/srad/image.c \
	plugins/apps/srad/image.h \
	plugins/apps/srad/pgm.c \
	plugins/apps/srad/reference.c \
	plugins/apps/srad/reference.h \
	plugins/apps/srad/srad.c
plugins_srad_la_CFLAGS = $(parallel_cflags)
plugins_srad_la_LDFLAGS = $(parallel_ldflags)
plugins_srad_la_LIBADD = libclopt.la -lm
