# SPDX-License-Identifier: BSD-3-Clause
# What is to be tried: studies, their spaces, trials, and the variants that they stand for.
libcloptcore_la_SOURCES += \
	core/study/transform.c \
	core/study/transform.h
