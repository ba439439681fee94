# SPDX-License-Identifier: BSD-3-Clause
# Tunable parameters: macros of the programs, which a study gives values.
plugin_LTLIBRARIES += plugins/parameters.la
plugins_parameters_la_CPPFLAGS = $(inner_cppflags)
plugins_parameters_la_LDFLAGS = $(plugin_ldflags)
plugins_parameters_la_LIBADD = libclopt.la $(JANSSON_LIBS)
plugins_parameters_la_SOURCES = \
	plugins/parameters/parameters.c \
	plugins/parameters/sections.c \
	plugins/parameters/sections.h
