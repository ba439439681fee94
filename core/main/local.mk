# SPDX-License-Identifier: BSD-3-Clause
# The command line: one file a command.
libcloptcore_la_SOURCES += \
	core/main/clopt_main.c \
	core/main/command.h \
	core/main/command_worker.c
