# SPDX-License-Identifier: BSD-3-Clause
# What keeps a study going: worker processes, their tasks and limits, batches, progress.
libcloptcore_la_SOURCES += \
	core/supervisor/check.c \
	core/supervisor/check_plan.c \
	core/supervisor/contender.c \
	core/supervisor/contender.h \
	core/supervisor/devices.c \
	core/supervisor/group.c \
	core/supervisor/group.h \
	core/supervisor/loop.c \
	core/supervisor/loop.h \
	core/supervisor/noise.c \
	core/supervisor/peaks.c \
	core/supervisor/peaks.h \
	core/supervisor/prepare.c \
	core/supervisor/process.c \
	core/supervisor/process.h \
	core/supervisor/progress.c \
	core/supervisor/progress.h \
	core/supervisor/recheck.c \
	core/supervisor/reproduce.c \
	core/supervisor/reproduce.h \
	core/supervisor/requests.c \
	core/supervisor/schedule.c \
	core/supervisor/schedule.h \
	core/supervisor/supervisor.c \
	core/supervisor/supervisor.h \
	core/supervisor/sweep.c \
	core/supervisor/sweeps.c \
	core/supervisor/sweeps.h \
	core/supervisor/tasks.h
