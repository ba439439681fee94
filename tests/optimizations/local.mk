# SPDX-License-Identifier: BSD-3-Clause
# Tests of optimizations: what becomes of a kernel, to the letter, and what is refused.
unit_tests += \
	tests/optimizations/geometry_parts \
	tests/optimizations/vector_parts
test_scripts += \
	tests/optimizations/branches \
	tests/optimizations/compositions \
	tests/optimizations/cplusplus \
	tests/optimizations/divide \
	tests/optimizations/exchanges \
	tests/optimizations/generic \
	tests/optimizations/geometry \
	tests/optimizations/golden \
	tests/optimizations/loops \
	tests/optimizations/masks \
	tests/optimizations/memory \
	tests/optimizations/names \
	tests/optimizations/precision \
	tests/optimizations/privatise \
	tests/optimizations/records \
	tests/optimizations/rows \
	tests/optimizations/sub_groups \
	tests/optimizations/types \
	tests/optimizations/unrolling \
	tests/optimizations/vector

# Tests of a plugin's inner parts are built with its sources; flags of their own keep their objects
# apart from the plugin's.
tests_optimizations_geometry_parts_SOURCES = tests/optimizations/geometry_parts.c $(geometry_sources)
tests_optimizations_geometry_parts_CPPFLAGS = $(AM_CPPFLAGS)
tests_optimizations_vector_parts_SOURCES = tests/optimizations/vector_parts.c $(vector_sources)
tests_optimizations_vector_parts_CPPFLAGS = $(AM_CPPFLAGS)
