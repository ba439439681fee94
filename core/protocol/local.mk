# SPDX-License-Identifier: BSD-3-Clause
# What supervisor and workers say to each other.
libcloptcore_la_SOURCES += \
	core/protocol/message.c \
	core/protocol/message.h \
	core/protocol/stage.c \
	core/protocol/stage.h
