# SPDX-License-Identifier: BSD-3-Clause
# What keeps a study going: what comes next, for which worker, and what becomes of it.
libcloptcore_la_SOURCES += \
	core/supervisor/check_plan.c \
	core/supervisor/contender.c \
	core/supervisor/contender.h \
	core/supervisor/contest.c \
	core/supervisor/contest.h \
	core/supervisor/count_plan.c \
	core/supervisor/devices.c \
	core/supervisor/enter.c \
	core/supervisor/finalists.c \
	core/supervisor/finalists.h \
	core/supervisor/governor.c \
	core/supervisor/governor.h \
	core/supervisor/job.c \
	core/supervisor/job.h \
	core/supervisor/member.c \
	core/supervisor/noise.c \
	core/supervisor/progress.c \
	core/supervisor/progress.h \
	core/supervisor/reproduce.c \
	core/supervisor/reproduce.h \
	core/supervisor/run.h \
	core/supervisor/schedule.c \
	core/supervisor/schedule.h \
	core/supervisor/schedule_jobs.c \
	core/supervisor/schedule_jobs.h \
	core/supervisor/schedule_show.c \
	core/supervisor/standing.c \
	core/supervisor/standing.h \
	core/supervisor/supervisor.c \
	core/supervisor/supervisor.h \
	core/supervisor/sweep.c \
	core/supervisor/sweep.h \
	core/supervisor/timeline.c \
	core/supervisor/timeline.h \
	core/supervisor/track.c \
	core/supervisor/track.h \
	core/supervisor/tuning.c \
	core/supervisor/tuning.h
