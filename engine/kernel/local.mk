# SPDX-License-Identifier: BSD-3-Clause
# A tree of OpenCL C: built from what libclang says, edited, and printed.
libcloptengine_la_SOURCES += \
	engine/kernel/build.c \
	engine/kernel/build_expression.c \
	engine/kernel/build_parts.h \
	engine/kernel/declare.c \
	engine/kernel/edit.c \
	engine/kernel/effect.c \
	engine/kernel/effect.h \
	engine/kernel/fold.c \
	engine/kernel/generic.c \
	engine/kernel/generic_edit.c \
	engine/kernel/generic_parts.h \
	engine/kernel/head.c \
	engine/kernel/level.c \
	engine/kernel/node.c \
	engine/kernel/missing.c \
	engine/kernel/outline.c \
	engine/kernel/outline.h \
	engine/kernel/outline_parts.h \
	engine/kernel/output.c \
	engine/kernel/output.h \
	engine/kernel/program.c \
	engine/kernel/scope.c \
	engine/kernel/simplify.c \
	engine/kernel/source.c \
	engine/kernel/tree.c \
	engine/kernel/tree.h \
	engine/kernel/tree_builder.h \
	engine/kernel/tree_call.c \
	engine/kernel/tree_expression.c \
	engine/kernel/tree_node.c \
	engine/kernel/tree_type.c \
	engine/kernel/tree_variable.c \
	engine/kernel/variable_use.c \
	engine/kernel/write.c
