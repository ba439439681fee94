# SPDX-License-Identifier: BSD-3-Clause
# What a kernel does: memory accesses, affine forms, dependences, divergence, counted loops.
libcloptcore_la_SOURCES += \
	core/analysis/affine.h \
	core/analysis/affine_expression.c \
	core/analysis/alias.c \
	core/analysis/alias.h \
	core/analysis/divergence.c \
	core/analysis/footprint.c \
	core/analysis/footprint_access.c \
	core/analysis/footprint_parts.h \
	core/analysis/loop_dependence.c \
	core/analysis/memory_access.c \
	core/analysis/bounds.c \
	core/analysis/bounds.h \
	core/analysis/pattern.c \
	core/analysis/pattern.h \
	core/analysis/profile.c \
	core/analysis/profile.h \
	core/analysis/subscript.c \
	core/analysis/subscript.h \
	core/analysis/subscript_loop.c \
	core/analysis/subscript_value.c \
	core/analysis/trip.c \
	core/analysis/trip.h \
	core/analysis/walker.h
