# SPDX-License-Identifier: BSD-3-Clause
plugin_LTLIBRARIES += plugins/needle.la
plugins_needle_la_SOURCES = \
	plugins/apps/needle/alignment.c \
	plugins/apps/needle/alignment.h \
	plugins/apps/needle/fasta.c \
	plugins/apps/needle/fasta.h \
	plugins/apps/needle/needle.c \
	plugins/apps/needle/scores.c \
	plugins/apps/needle/scores.h \
	plugins/apps/needle/sequences.c \
	plugins/apps/needle/sequences.h
plugins_needle_la_CFLAGS = $(parallel_cflags)
plugins_needle_la_LDFLAGS = $(parallel_ldflags)
plugins_needle_la_LIBADD = libclopt.la
