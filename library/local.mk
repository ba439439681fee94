# SPDX-License-Identifier: BSD-3-Clause
# What links libclopt calls, and core does not: programs, which launch winners, and apps, which compare
# results.
libcloptcore_la_SOURCES += \
	library/app/compare.c \
	library/app/rows.c \
	library/family.c \
	library/family.h \
	library/kept.c \
	library/kept.h \
	library/launch.c \
	library/parse.c \
	library/winner.h \
	library/wisdom.c
