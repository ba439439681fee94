# SPDX-License-Identifier: BSD-3-Clause
# What a shell is offered for the last word of a command line.
libcloptcore_la_SOURCES += \
	core/completion/completion.h \
	core/completion/plugins.c \
	core/completion/values.c
