# SPDX-License-Identifier: BSD-3-Clause
# Tests of strategies of search.
unit_tests += \
	tests/strategies/search_parts

tests_strategies_search_parts_SOURCES = tests/strategies/search_parts.c \
	plugins/strategies/genetic.c plugins/strategies/local.c plugins/strategies/model.c plugins/strategies/neighbours.c plugins/strategies/order.c
tests_strategies_search_parts_CPPFLAGS = $(AM_CPPFLAGS)
