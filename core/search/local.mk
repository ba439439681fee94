# SPDX-License-Identifier: BSD-3-Clause
# Searching a space for the fastest variant.
libcloptcore_la_SOURCES += \
	core/search/genetic.c \
	core/search/local.c \
	core/search/model.c \
	core/search/order.c \
	core/search/search.c \
	core/search/search.h \
	core/search/space.c \
	core/search/space.h \
	core/search/strategy.h
