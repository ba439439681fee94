# SPDX-License-Identifier: BSD-3-Clause
plugin_LTLIBRARIES += plugins/precision.la
plugins_precision_la_SOURCES = plugins/optimizations/precision/precision.c
plugins_precision_la_LDFLAGS = $(plugin_ldflags)
plugins_precision_la_LIBADD = libclopt-rewrite.la libclopt.la
