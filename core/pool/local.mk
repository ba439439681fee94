# SPDX-License-Identifier: BSD-3-Clause
# Worker processes, their tasks and limits, and what they are asked one at a time.
libcloptcore_la_SOURCES += \
	core/pool/accounting.c \
	core/pool/handshake.c \
	core/pool/handshake.h \
	core/pool/host.c \
	core/pool/host.h \
	core/pool/query.c \
	core/pool/query.h \
	core/pool/limits.c \
	core/pool/pool.c \
	core/pool/pool.h \
	core/pool/process.c \
	core/pool/process.h \
	core/pool/relay.c \
	core/pool/relay.h
