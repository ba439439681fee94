# SPDX-License-Identifier: BSD-3-Clause
# A tree of OpenCL C: built from what libclang says, edited, and printed.
libcloptcore_la_SOURCES += \
	core/kernel/build.c \
	core/kernel/build_expression.c \
	core/kernel/build_parts.h \
	core/kernel/declare.c \
	core/kernel/edit.c \
	core/kernel/effect.c \
	core/kernel/effect.h \
	core/kernel/head.c \
	core/kernel/level.c \
	core/kernel/node.c \
	core/kernel/outline.c \
	core/kernel/outline.h \
	core/kernel/output.c \
	core/kernel/output.h \
	core/kernel/program.c \
	core/kernel/simplify.c \
	core/kernel/source.c \
	core/kernel/tree.c \
	core/kernel/tree.h \
	core/kernel/tree_builder.h \
	core/kernel/tree_expression.c \
	core/kernel/tree_node.c \
	core/kernel/tree_type.c \
	core/kernel/tree_variable.c \
	core/kernel/variable_use.c \
	core/kernel/write.c
