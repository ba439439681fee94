# SPDX-License-Identifier: BSD-3-Clause
plugin_LTLIBRARIES += plugins/bfs.la
plugins_bfs_la_SOURCES = \
	plugins/apps/bfs/bfs.c \
	plugins/apps/bfs/graph.c \
	plugins/apps/bfs/graph.h \
	plugins/apps/bfs/graph_file.c \
	plugins/apps/bfs/levels.c \
	plugins/apps/bfs/levels.h \
	plugins/apps/bfs/random.c \
	plugins/shared/matrix_market.c \
	plugins/shared/matrix_market.h
plugins_bfs_la_CFLAGS = $(parallel_cflags)
plugins_bfs_la_LDFLAGS = $(parallel_ldflags)
plugins_bfs_la_LIBADD = libclopt.la
