# SPDX-License-Identifier: BSD-3-Clause
# Other processes, and clocks.
libcloptbase_la_SOURCES += \
	base/process/child.c \
	base/process/child.h \
	base/process/clock.c \
	base/process/clock.h \
	base/process/program.c \
	base/process/program.h
