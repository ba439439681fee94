# SPDX-License-Identifier: BSD-3-Clause
# Models grown from observations: regression trees.
libcloptreport_la_SOURCES += \
	report/model/regression.c \
	report/model/regression.h
