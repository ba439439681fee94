# SPDX-License-Identifier: BSD-3-Clause
plugin_LTLIBRARIES += plugins/kernel.la
plugins_kernel_la_SOURCES = \
	plugins/apps/kernel/argument.c \
	plugins/apps/kernel/argument.h \
	plugins/apps/kernel/array.c \
	plugins/apps/kernel/change.c \
	plugins/apps/kernel/change.h \
	plugins/apps/kernel/compare.c \
	plugins/apps/kernel/compare.h \
	plugins/apps/kernel/content.c \
	plugins/apps/kernel/content_fill.c \
	plugins/apps/kernel/content.h \
	plugins/apps/kernel/data.c \
	plugins/apps/kernel/data.h \
	plugins/apps/kernel/definition.c \
	plugins/apps/kernel/definition.h \
	plugins/apps/kernel/expressions.c \
	plugins/apps/kernel/expressions.h \
	plugins/apps/kernel/findings.c \
	plugins/apps/kernel/findings.h \
	plugins/apps/kernel/init/arguments.c \
	plugins/apps/kernel/init/bound.c \
	plugins/apps/kernel/init/bound.h \
	plugins/apps/kernel/init/buffers.c \
	plugins/apps/kernel/init/draft.c \
	plugins/apps/kernel/init/draft.h \
	plugins/apps/kernel/init/guess.c \
	plugins/apps/kernel/init/guess.h \
	plugins/apps/kernel/init/index.c \
	plugins/apps/kernel/init/local.c \
	plugins/apps/kernel/init/ndrange.c \
	plugins/apps/kernel/init/precision.c \
	plugins/apps/kernel/init/sizes.c \
	plugins/apps/kernel/kernel.c \
	plugins/apps/kernel/npy.c \
	plugins/apps/kernel/npy.h \
	plugins/apps/kernel/plan.c \
	plugins/apps/kernel/plan.h \
	plugins/apps/kernel/program.c \
	plugins/apps/kernel/reader.c \
	plugins/apps/kernel/reading.c \
	plugins/apps/kernel/reading.h \
	plugins/apps/kernel/signature.c \
	plugins/apps/kernel/signature.h \
	plugins/apps/kernel/step.c \
	plugins/apps/kernel/step.h \
	plugins/apps/kernel/tolerance.c \
	plugins/apps/kernel/tolerance.h \
	plugins/apps/kernel/type.c \
	plugins/apps/kernel/type.h \
	plugins/apps/kernel/variant.c
plugins_kernel_la_CFLAGS = $(parallel_cflags)
plugins_kernel_la_LDFLAGS = $(parallel_ldflags)
plugins_kernel_la_LIBADD = libclopt-rewrite.la libclopt.la -lm
