# SPDX-License-Identifier: BSD-3-Clause
# The reference is parallel where the compiler knows OpenMP. Its threads live on in a library that
# would go with the plugin: nodelete keeps both until the process ends.
plugin_LTLIBRARIES += plugins/srad.la
plugins_srad_la_SOURCES = \
	plugins/apps/srad/image.c \
	plugins/apps/srad/image.h \
	plugins/apps/srad/pgm.c \
	plugins/apps/srad/pgm.h \
	plugins/apps/srad/reference.c \
	plugins/apps/srad/reference.h \
	plugins/apps/srad/srad.c
plugins_srad_la_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
plugins_srad_la_LDFLAGS = $(plugin_ldflags) -Wl,-z,nodelete
plugins_srad_la_LIBADD = libclopt.la -lm
