# SPDX-License-Identifier: BSD-3-Clause
# Rewriting: the front end, the tree of a kernel, analyses, and what several optimizations rewrite with.
noinst_LTLIBRARIES += libcloptengine.la
libcloptengine_la_CPPFLAGS = $(inner_cppflags)
libcloptengine_la_CFLAGS = $(inner_cflags)
libcloptengine_la_LDFLAGS = $(inner_ldflags)
libcloptengine_la_SOURCES =

include engine/frontend/local.mk
include engine/kernel/local.mk
include engine/analysis/local.mk
include engine/rewrite/local.mk

# Objects know of the flags in core/local.mk.
$(libcloptengine_la_OBJECTS): core/local.mk
