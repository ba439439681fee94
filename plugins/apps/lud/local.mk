# SPDX-License-Identifier: BSD-3-Clause
plugin_LTLIBRARIES += plugins/lud.la
plugins_lud_la_SOURCES = \
	plugins/apps/lud/check.c \
	plugins/apps/lud/check.h \
	plugins/apps/lud/lud.c \
	plugins/apps/lud/matrix.c \
	plugins/apps/lud/matrix.h \
	plugins/shared/matrix_market.c \
	plugins/shared/matrix_market.h
plugins_lud_la_CFLAGS = $(parallel_cflags)
plugins_lud_la_LDFLAGS = $(parallel_ldflags)
plugins_lud_la_LIBADD = libclopt.la -lm
