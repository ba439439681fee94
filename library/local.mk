# SPDX-License-Identifier: BSD-3-Clause
# What programs that link libclopt call: they run studies, and launch winners.
libcloptcore_la_SOURCES += \
	library/family.c \
	library/family.h \
	library/kept.c \
	library/kept.h \
	library/launch.c \
	library/parse.c \
	library/winner.h \
	library/wisdom.c
