# SPDX-License-Identifier: BSD-3-Clause
# What `clopt report` computes from a store.
plugin_LTLIBRARIES += plugins/analyses.la
plugins_analyses_la_CPPFLAGS = $(inner_cppflags)
plugins_analyses_la_CFLAGS = $(parallel_cflags)
plugins_analyses_la_LDFLAGS = $(plugin_ldflags)
plugins_analyses_la_LIBADD = libclopt-report.la libclopt.la $(JANSSON_LIBS) -lm
plugins_analyses_la_SOURCES = \
	plugins/shared/access_rates.c \
	plugins/shared/access_rates.h \
	plugins/shared/device_class.c \
	plugins/shared/device_class.h \
	plugins/analyses/access.c \
	plugins/analyses/access.h \
	plugins/analyses/access_layouts.c \
	plugins/analyses/analyses.c \
	plugins/analyses/analyses.h \
	plugins/analyses/best.c \
	plugins/analyses/charts.c \
	plugins/analyses/colors.c \
	plugins/analyses/counters.c \
	plugins/analyses/counters_by.c \
	plugins/analyses/devices.c \
	plugins/analyses/effect.c \
	plugins/analyses/effect_added.c \
	plugins/analyses/effect.h \
	plugins/analyses/effect_show.c \
	plugins/analyses/guidelines/devices.c \
	plugins/analyses/guidelines/find.c \
	plugins/analyses/guidelines/gain.c \
	plugins/analyses/guidelines/rule.c \
	plugins/analyses/guidelines/show.c \
	plugins/analyses/guidelines/guidelines.c \
	plugins/analyses/guidelines/guidelines.h \
	plugins/analyses/heat.c \
	plugins/analyses/leaders.c \
	plugins/analyses/limits.c \
	plugins/analyses/overview.c \
	plugins/analyses/productivity.c \
	plugins/analyses/refused.c \
	plugins/analyses/regression_print.c \
	plugins/analyses/search.c \
	plugins/analyses/stages.c \
	plugins/analyses/tables.c \
	plugins/analyses/timeline.c \
	plugins/analyses/tree.c \
	plugins/analyses/trees.c
