# SPDX-License-Identifier: BSD-3-Clause
# The trials of a study that compete with each other: what is known of each, and what it needs next.
libcloptcore_la_SOURCES += \
	core/race/candidate.c \
	core/race/candidate.h \
	core/race/check_plan.c \
	core/race/noise.c \
	core/race/prefixes.c \
	core/race/prefixes.h \
	core/race/race.c \
	core/race/race.h \
	core/race/finals.c \
	core/race/finals.h \
	core/race/combined.c \
	core/race/combined.h \
	core/race/member.c \
	core/race/run.h \
	core/race/ranking.c \
	core/race/ranking.h \
	core/race/samples.c \
	core/race/samples.h \
	core/race/tuning.c \
	core/race/tuning.h
