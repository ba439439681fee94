# SPDX-License-Identifier: BSD-3-Clause
# What keeps a study going: what is built and measured next, by which worker.
libcloptcore_la_SOURCES += \
	core/supervisor/device_queue.c \
	core/supervisor/devices.c \
	core/supervisor/job.c \
	core/supervisor/job.h \
	core/supervisor/measurement.c \
	core/supervisor/planning.c \
	core/supervisor/planning.h \
	core/supervisor/rules.c \
	core/supervisor/rules.h \
	core/supervisor/schedule.c \
	core/supervisor/schedule.h \
	core/supervisor/supervisor.c \
	core/supervisor/supervisor.h \
	core/supervisor/watcher.h
