# SPDX-License-Identifier: BSD-3-Clause
# Searching a space for the fastest variant, and what reads spaces of others.
libcloptcore_la_SOURCES += \
	core/search/reader.c \
	core/search/reader.h \
	core/search/search.c \
	core/search/search.h \
	core/search/space.c \
	core/search/space.h \
	core/search/strategy.h \
	core/search/tuner.c \
	core/search/tuner.h
