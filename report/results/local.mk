# SPDX-License-Identifier: BSD-3-Clause
# What a run of a store says, for all reports.
libcloptreport_la_SOURCES += \
	report/results/change.c \
	report/results/change.h \
	report/results/counters.c \
	report/results/counters.h \
	report/results/gather.c \
	report/results/objective.c \
	report/results/objective.h \
	report/results/patterns.c \
	report/results/peaks.c \
	report/results/peaks.h \
	report/results/published.c \
	report/results/rank.c \
	report/results/rates.c \
	report/results/rates.h \
	report/results/results.c \
	report/results/results.h \
	report/results/tunables.c \
	report/results/tunables.h \
	report/results/verdict.c \
	report/results/verdict.h \
	report/results/waited.c
