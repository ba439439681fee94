# SPDX-License-Identifier: BSD-3-Clause
# Strategies of search: which variant is tried next.
plugin_LTLIBRARIES += plugins/strategies.la
plugins_strategies_la_CPPFLAGS = $(inner_cppflags)
plugins_strategies_la_CFLAGS = $(parallel_cflags)
plugins_strategies_la_LDFLAGS = $(plugin_ldflags)
plugins_strategies_la_LIBADD = libclopt-report.la libclopt.la $(JANSSON_LIBS) -lm
plugins_strategies_la_SOURCES = \
	plugins/strategies/genetic.c \
	plugins/strategies/local.c \
	plugins/strategies/model.c \
	plugins/strategies/neighbours.c \
	plugins/strategies/order.c \
	plugins/strategies/search_section.c \
	plugins/strategies/strategies.c \
	plugins/strategies/strategies.h
