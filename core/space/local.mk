# SPDX-License-Identifier: BSD-3-Clause
# What a study consists of, and the trials that it asks for, by number.
libcloptcore_la_SOURCES += \
	core/space/component.c \
	core/space/component.h \
	core/space/composition.c \
	core/space/composition.h \
	core/space/composition_name.c \
	core/space/configurations.c \
	core/space/configurations.h \
	core/space/keys.c \
	core/space/keys.h \
	core/space/parameters.c \
	core/space/parameters.h \
	core/space/permutation.c \
	core/space/permutation.h \
	core/space/sample.c \
	core/space/settings.c \
	core/space/settings.h \
	core/space/space.c \
	core/space/space.h \
	core/space/study.c \
	core/space/study.h
