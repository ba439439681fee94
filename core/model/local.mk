# SPDX-License-Identifier: BSD-3-Clause
# Models grown from observations: regression trees.
libcloptcore_la_SOURCES += \
	core/model/regression.c \
	core/model/regression.h \
	core/model/regression_print.c
