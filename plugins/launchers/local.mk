# SPDX-License-Identifier: BSD-3-Clause
# Launchers: what starts workers on other hosts.
plugin_LTLIBRARIES += plugins/launchers.la
plugins_launchers_la_CPPFLAGS = $(inner_cppflags)
plugins_launchers_la_LDFLAGS = $(plugin_ldflags)
plugins_launchers_la_LIBADD = libclopt.la
plugins_launchers_la_SOURCES = \
	plugins/launchers/launchers.c
