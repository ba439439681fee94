# SPDX-License-Identifier: BSD-3-Clause
# What runs variants: sessions, the engine above them, and the process that serves a supervisor.
libcloptcore_la_SOURCES += \
	core/worker/buffers.c \
	core/worker/buffers.h \
	core/worker/counting.c \
	core/worker/counting.h \
	core/worker/digest.c \
	core/worker/images.c \
	core/worker/intact.c \
	core/worker/launch.c \
	core/worker/layout.c \
	core/worker/observer.c \
	core/worker/pages.c \
	core/worker/pages.h \
	core/worker/sampling.c \
	core/worker/sampling.h \
	core/worker/session.c \
	core/worker/session.h \
	core/worker/session_buffers.c \
	core/worker/verification.c \
	core/worker/worker.c \
	core/worker/worker.h \
	core/worker/workspace.c \
	core/worker/workspace.h
