# SPDX-License-Identifier: BSD-3-Clause
# What several optimizations rewrite with.
libcloptcore_la_SOURCES += \
	core/rewrite/coarsen.c \
	core/rewrite/inline.c \
	core/rewrite/merge.c
