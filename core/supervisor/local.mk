# SPDX-License-Identifier: BSD-3-Clause
# What keeps a study going: what is built and measured next, by which worker, and progress.
libcloptcore_la_SOURCES += \
	core/supervisor/devices.c \
	core/supervisor/governor.c \
	core/supervisor/governor.h \
	core/supervisor/job.c \
	core/supervisor/job.h \
	core/supervisor/progress.c \
	core/supervisor/progress.h \
	core/supervisor/reproduce.c \
	core/supervisor/reproduce.h \
	core/supervisor/schedule.c \
	core/supervisor/schedule.h \
	core/supervisor/schedule_jobs.c \
	core/supervisor/schedule_jobs.h \
	core/supervisor/schedule_show.c \
	core/supervisor/supervisor.c \
	core/supervisor/supervisor.h \
	core/supervisor/sweep.c \
	core/supervisor/sweep.h \
	core/supervisor/timeline.c \
	core/supervisor/timeline.h \
	core/supervisor/track.c \
	core/supervisor/track.h
