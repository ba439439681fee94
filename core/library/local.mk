# SPDX-License-Identifier: BSD-3-Clause
# What programs that link libclopt call: they run studies, and launch winners.
libcloptcore_la_SOURCES += \
	core/library/kept.c \
	core/library/kept.h \
	core/library/launch.c \
	core/library/winner.h \
	core/library/wisdom.c
