# SPDX-License-Identifier: BSD-3-Clause
# Tests of counters.
unit_tests += \
	tests/counters/peak_meter_parts \
	tests/counters/waits

tests_counters_waits_SOURCES = tests/counters/waits.c plugins/counters/waits.c plugins/counters/waits.h
tests_counters_peak_meter_parts_SOURCES = tests/counters/peak_meter_parts.c \
	plugins/counters/peak.c plugins/counters/peak_arithmetic.c plugins/counters/peak_memory.c
tests_counters_peak_meter_parts_CPPFLAGS = $(AM_CPPFLAGS)
# It replaces functions of OpenCL, which a shared library need not allow.
tests_counters_peak_meter_parts_LDADD = tests/libcloptparts.la $(CMOCKA_LIBS)
