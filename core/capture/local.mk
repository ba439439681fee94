# SPDX-License-Identifier: BSD-3-Clause
# Applications with the layer: started, and what it has recorded.
libcloptcore_la_SOURCES += \
	core/capture/application.c \
	core/capture/application.h \
	core/capture/argument.c \
	core/capture/argument.h \
	core/capture/launch.c \
	core/capture/launch.h \
	core/capture/profile.c \
	core/capture/profile.h \
	core/capture/record.h \
	core/capture/study.c \
	core/capture/study.h
