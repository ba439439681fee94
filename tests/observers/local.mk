# SPDX-License-Identifier: BSD-3-Clause
# Tests of plugins/observers.
unit_tests += tests/observers/counts_parts
tests_observers_counts_parts_SOURCES = tests/observers/counts_parts.c plugins/observers/build_log.c plugins/observers/build_log.h \
	plugins/observers/counts.c plugins/observers/counts.h
