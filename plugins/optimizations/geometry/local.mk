# SPDX-License-Identifier: BSD-3-Clause
plugin_LTLIBRARIES += plugins/geometry.la
plugins_geometry_la_SOURCES = plugins/optimizations/geometry/geometry.c
plugins_geometry_la_LDFLAGS = $(plugin_ldflags)
plugins_geometry_la_LIBADD = libclopt.la
