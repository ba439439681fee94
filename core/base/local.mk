# SPDX-License-Identifier: BSD-3-Clause
# What everything else stands on; knows nothing of OpenCL.
libcloptcore_la_SOURCES += \
	core/base/error.c \
	core/base/random.c \
	core/base/text.c \
	core/base/text.h
