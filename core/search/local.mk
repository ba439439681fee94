# SPDX-License-Identifier: BSD-3-Clause
# Searching a space for the fastest variant, and replaying searches in recordings.
libcloptcore_la_SOURCES += \
	core/search/preview.c \
	core/search/recording.c \
	core/search/recording.h \
	core/search/recording_read.c \
	core/search/recording_space.c \
	core/search/search.c \
	core/search/search.h \
	core/search/space.c \
	core/search/space.h \
	core/search/strategy.h \
	core/search/tuner.c \
	core/search/tuner.h
