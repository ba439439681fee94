# SPDX-License-Identifier: BSD-3-Clause
# Reads studies: INI files; prints the effective configuration.
libcloptcore_la_SOURCES += \
	core/study/apps.c \
	core/study/description.c \
	core/study/devices.c \
	core/study/ini.c \
	core/study/ini.h \
	core/study/ini_read.c \
	core/study/launcher.c \
	core/study/launcher.h \
	core/study/optimizations.c \
	core/study/products.c \
	core/study/reader.c \
	core/study/reader.h \
	core/study/schema.c \
	core/study/schema.h \
	core/study/sections.c
