# SPDX-License-Identifier: BSD-3-Clause
plugin_LTLIBRARIES += plugins/crc.la
plugins_crc_la_SOURCES = \
	plugins/apps/crc/crc.c \
	plugins/apps/crc/crc32.c \
	plugins/apps/crc/crc32.h \
	plugins/apps/crc/crc8.c \
	plugins/apps/crc/crc8.h \
	plugins/apps/crc/data.c \
	plugins/apps/crc/data.h
plugins_crc_la_CFLAGS = $(parallel_cflags)
plugins_crc_la_LDFLAGS = $(parallel_ldflags)
plugins_crc_la_LIBADD = libclopt.la
