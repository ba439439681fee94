# SPDX-License-Identifier: BSD-3-Clause
# Plugins: finding, checking and loading them.
libcloptcore_la_SOURCES += \
	core/plugin/cached.c \
	core/plugin/definition.c \
	core/plugin/definition.h \
	core/plugin/descriptor.c \
	core/plugin/descriptor.h \
	core/plugin/loader.c \
	core/plugin/loader.h \
	core/plugin/object.c \
	core/plugin/options.c \
	core/plugin/options.h \
	core/plugin/registry.c \
	core/plugin/registry.h \
	core/plugin/tables.c
