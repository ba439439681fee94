# SPDX-License-Identifier: BSD-3-Clause
# Measures what a device can do at most.
libcloptcore_la_SOURCES += \
	core/peak/access.c \
	core/peak/peak.c \
	core/peak/peak.h \
	core/peak/peak_arithmetic.c \
	core/peak/peak_memory.c \
	core/peak/peak_parts.h \
	core/peak/peak_source.c
