# SPDX-License-Identifier: BSD-3-Clause
# The first study of a file of kernels: written, checked at small sizes, given sizes.
libcloptcore_la_SOURCES += \
	core/draft/check.c \
	core/draft/draft.c \
	core/draft/draft.h \
	core/draft/search.c \
	core/draft/sizes.c
