# SPDX-License-Identifier: BSD-3-Clause
# Launchers: what starts workers on other hosts.
plugin_LTLIBRARIES += plugins/launchers.la
plugins_launchers_la_CPPFLAGS = $(inner_cppflags)
plugins_launchers_la_LDFLAGS = $(plugin_ldflags)
plugins_launchers_la_LIBADD = libclopt.la $(JANSSON_LIBS) -lm
plugins_launchers_la_SOURCES = \
	plugins/launchers/devices.c \
	plugins/launchers/handshake.c \
	plugins/launchers/handshake.h \
	plugins/launchers/host.c \
	plugins/launchers/host.h \
	plugins/launchers/host_list.c \
	plugins/launchers/host_section.c \
	plugins/launchers/hosts.c \
	plugins/launchers/launchers.c \
	plugins/launchers/relay.c \
	plugins/launchers/stream.c \
	plugins/launchers/stream.h
