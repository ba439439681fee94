# SPDX-License-Identifier: BSD-3-Clause
# The trials of a study that compete with each other: what is known of each, and what it needs next.
libcloptcore_la_SOURCES += \
	core/contest/contender.c \
	core/contest/contender.h \
	core/contest/contest.c \
	core/contest/contest.h \
	core/contest/finals.c \
	core/contest/finals.h \
	core/contest/joint.c \
	core/contest/joint.h \
	core/contest/member.c \
	core/contest/oclgrind_plan.c \
	core/contest/run.h \
	core/contest/standing.c \
	core/contest/standing.h \
	core/contest/tuning.c \
	core/contest/tuning.h
