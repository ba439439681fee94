# SPDX-License-Identifier: BSD-3-Clause
plugin_LTLIBRARIES += plugins/memory.la
plugins_memory_la_SOURCES = \
	plugins/optimizations/memory/clamp.c \
	plugins/optimizations/memory/constant.c \
	plugins/optimizations/memory/layout.c \
	plugins/optimizations/memory/memory.c \
	plugins/optimizations/memory/memory.h \
	plugins/optimizations/memory/names.c \
	plugins/optimizations/memory/narrow.c \
	plugins/optimizations/memory/pad.c \
	plugins/optimizations/memory/privatise.c \
	plugins/optimizations/shared/range.c \
	plugins/optimizations/shared/range.h \
	plugins/optimizations/memory/records.c \
	plugins/optimizations/memory/returns.c \
	plugins/optimizations/memory/stage.c \
	plugins/optimizations/memory/swap.c \
	plugins/optimizations/memory/test.c \
	plugins/optimizations/memory/ticket.c \
	plugins/optimizations/memory/ticket.h \
	plugins/optimizations/memory/tile.c \
	plugins/optimizations/memory/tile.h \
	plugins/optimizations/memory/update.c \
	plugins/optimizations/memory/update.h
plugins_memory_la_LDFLAGS = $(plugin_ldflags)
plugins_memory_la_LIBADD = libclopt-rewrite.la libclopt.la
