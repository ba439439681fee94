# SPDX-License-Identifier: BSD-3-Clause
# Analyses that add to a document, from a store alone, and the parts that they share.
libcloptprogram_la_SOURCES += \
	plugins/analyses/access.c \
	plugins/analyses/analysis.h \
	plugins/analyses/best.c \
	plugins/analyses/charts.c \
	plugins/analyses/comparison.c \
	plugins/analyses/comparison.h \
	plugins/analyses/comparison_print.c \
	plugins/analyses/counters.c \
	plugins/analyses/effect.c \
	plugins/analyses/effect.h \
	plugins/analyses/effect_show.c \
	plugins/analyses/fields.c \
	plugins/analyses/findings.c \
	plugins/analyses/heat.c \
	plugins/analyses/leaders.c \
	plugins/analyses/limits.c \
	plugins/analyses/marks.c \
	plugins/analyses/members.c \
	plugins/analyses/overview.c \
	plugins/analyses/portability.c \
	plugins/analyses/productivity.c \
	plugins/analyses/report.h \
	plugins/analyses/search.c \
	plugins/analyses/setting.c \
	plugins/analyses/simulation.c \
	plugins/analyses/summary.c \
	plugins/analyses/tables.c \
	plugins/analyses/timeline.c \
	plugins/analyses/tree.c \
	plugins/analyses/view.c \
	plugins/analyses/view.h
