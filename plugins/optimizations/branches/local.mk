# SPDX-License-Identifier: BSD-3-Clause
plugin_LTLIBRARIES += plugins/branches.la
plugins_branches_la_SOURCES = plugins/optimizations/branches/branches.c
plugins_branches_la_LDFLAGS = $(plugin_ldflags)
plugins_branches_la_LIBADD = libclopt.la
