# SPDX-License-Identifier: BSD-3-Clause
# What a run of a store says, for all reports.
libcloptcore_la_SOURCES += \
	core/results/counters.c \
	core/results/counters.h \
	core/results/gather.c \
	core/results/patterns.c \
	core/results/published.c \
	core/results/rank.c \
	core/results/results.c \
	core/results/results.h \
	core/results/tunables.c \
	core/results/tunables.h \
	core/results/verdict.c \
	core/results/verdict.h
