# SPDX-License-Identifier: BSD-3-Clause
# Tests of readers.
unit_tests += \
	tests/readers/t1_parts

tests_readers_t1_parts_SOURCES = tests/readers/t1_parts.c \
	plugins/readers/t1.c plugins/readers/t1_kernel.c plugins/readers/t1_values.c
tests_readers_t1_parts_CPPFLAGS = $(AM_CPPFLAGS)
