# SPDX-License-Identifier: BSD-3-Clause
# Other processes, and clocks.
libcloptcore_la_SOURCES += \
	core/process/child.c \
	core/process/child.h \
	core/process/clock.c \
	core/process/clock.h \
	core/process/program.c \
	core/process/program.h
