# SPDX-License-Identifier: BSD-3-Clause
# Strategies of search: which variant is tried next.
libcloptprogram_la_SOURCES += \
	plugins/strategies/genetic.c \
	plugins/strategies/local.c \
	plugins/strategies/model.c \
	plugins/strategies/order.c
