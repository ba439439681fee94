# SPDX-License-Identifier: BSD-3-Clause
# Reading, understanding and printing OpenCL C: what optimizations rewrite with.
libcloptcore_la_SOURCES += \
	core/source/access.c \
	core/source/affine.c \
	core/source/affine.h \
	core/source/alias.c \
	core/source/alias.h \
	core/source/arena.c \
	core/source/arena.h \
	core/source/clang.c \
	core/source/clang.h \
	core/source/constant.c \
	core/source/constant.h \
	core/source/counter.c \
	core/source/counter.h \
	core/source/divergence.c \
	core/source/effect.c \
	core/source/effect.h \
	core/source/inline.c \
	core/source/macro.c \
	core/source/macro.h \
	core/source/merge.c \
	core/source/names.c \
	core/source/names.h \
	core/source/node.c \
	core/source/normalise.c \
	core/source/normalise.h \
	core/source/options.c \
	core/source/options.h \
	core/source/output.c \
	core/source/parse.c \
	core/source/parse.h \
	core/source/pattern.c \
	core/source/pattern.h \
	core/source/print.c \
	core/source/shape.c \
	core/source/shape.h \
	core/source/source.c \
	core/source/subscript.c \
	core/source/subscript.h \
	core/source/token.c \
	core/source/token.h \
	core/source/tree.c \
	core/source/tree.h
