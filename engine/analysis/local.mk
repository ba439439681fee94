# SPDX-License-Identifier: BSD-3-Clause
# What a kernel does: memory accesses, affine forms, dependences, divergence, counted loops.
libcloptengine_la_SOURCES += \
	engine/analysis/affine.c \
	engine/analysis/affine.h \
	engine/analysis/affine_expression.c \
	engine/analysis/alias.c \
	engine/analysis/alias.h \
	engine/analysis/divergence.c \
	engine/analysis/footprint.c \
	engine/analysis/footprint_access.c \
	engine/analysis/footprint_parts.h \
	engine/analysis/footprint_rows.c \
	engine/analysis/loop_dependence.c \
	engine/analysis/memory_access.c \
	engine/analysis/memory_dependence.c \
	engine/analysis/bounds.c \
	engine/analysis/bounds.h \
	engine/analysis/pattern.c \
	engine/analysis/pattern.h \
	engine/analysis/profile.c \
	engine/analysis/profile.h \
	engine/analysis/subscript.c \
	engine/analysis/subscript.h \
	engine/analysis/subscript_loop.c \
	engine/analysis/subscript_value.c \
	engine/analysis/trip.c \
	engine/analysis/trip.h \
	engine/analysis/walker.h
