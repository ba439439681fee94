# SPDX-License-Identifier: BSD-3-Clause
# Results as other programs read them, and as a tree that is grown of the same: a device, problem and kernel each.
libcloptcore_la_SOURCES += \
	core/exchange/entry.c \
	core/exchange/exchange.c \
	core/exchange/exchange.h \
	core/exchange/kernel_tuner.c \
	core/exchange/space.c \
	core/exchange/t4.c \
	core/exchange/tree.c
