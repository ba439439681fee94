# SPDX-License-Identifier: BSD-3-Clause
# Analyses that add to a document, from a store alone, and the parts that they share.
libcloptcore_la_SOURCES += \
	core/report/access.c \
	core/report/analysis.h \
	core/report/best.c \
	core/report/charts.c \
	core/report/comparison.c \
	core/report/comparison.h \
	core/report/comparison_print.c \
	core/report/counters.c \
	core/report/effect.c \
	core/report/effect.h \
	core/report/effect_show.c \
	core/report/fields.c \
	core/report/findings.c \
	core/report/heat.c \
	core/report/leaders.c \
	core/report/limits.c \
	core/report/marks.c \
	core/report/members.c \
	core/report/overview.c \
	core/report/portability.c \
	core/report/productivity.c \
	core/report/report.h \
	core/report/search.c \
	core/report/setting.c \
	core/report/simulation.c \
	core/report/summary.c \
	core/report/tables.c \
	core/report/timeline.c \
	core/report/tree.c \
	core/report/view.c \
	core/report/view.h
