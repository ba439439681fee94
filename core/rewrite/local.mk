# SPDX-License-Identifier: BSD-3-Clause
# What several optimizations rewrite with.
libcloptcore_la_SOURCES += \
	core/rewrite/change.c \
	core/rewrite/coarsen.c \
	core/rewrite/dealing.c \
	core/rewrite/early_return.c \
	core/rewrite/guard.c \
	core/rewrite/inline.c \
	core/rewrite/inline.h \
	core/rewrite/layout.c \
	core/rewrite/loop_rewriting.c \
	core/rewrite/merge.c \
	core/rewrite/merging.h \
	core/rewrite/pointer.c \
	core/rewrite/records.c \
	core/rewrite/records.h \
	core/rewrite/scalar_replacement.c \
	core/rewrite/tiling.c \
	core/rewrite/transform.c \
	core/rewrite/transform.h
