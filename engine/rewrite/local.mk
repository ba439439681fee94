# SPDX-License-Identifier: BSD-3-Clause
# What several optimizations rewrite with.
libcloptengine_la_SOURCES += \
	engine/rewrite/coarsen.c \
	engine/rewrite/dealing.c \
	engine/rewrite/early_return.c \
	engine/rewrite/exchange.c \
	engine/rewrite/guard.c \
	engine/rewrite/inline.c \
	engine/rewrite/inline.h \
	engine/rewrite/jump.c \
	engine/rewrite/layout.c \
	engine/rewrite/loop_rewriting.c \
	engine/rewrite/merge.c \
	engine/rewrite/merging.h \
	engine/rewrite/ndrange.c \
	engine/rewrite/pointer.c \
	engine/rewrite/records.c \
	engine/rewrite/records.h \
	engine/rewrite/scalar_replacement.c \
	engine/rewrite/tiling.c \
	engine/rewrite/transform.c \
	engine/rewrite/transform.h
