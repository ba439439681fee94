# SPDX-License-Identifier: BSD-3-Clause
# Worker processes, their tasks and limits, and what they are asked one at a time.
libcloptcore_la_SOURCES += \
	core/pool/accounting.c \
	core/pool/query.c \
	core/pool/query.h \
	core/pool/limits.c \
	core/pool/pool.c \
	core/pool/pool.h \
	core/pool/process.c \
	core/pool/process.h \
	core/pool/transport.h
