# SPDX-License-Identifier: BSD-3-Clause
# Tests of launchers.
unit_tests += tests/launchers/stream_parts
tests_launchers_stream_parts_SOURCES = tests/launchers/stream_parts.c plugins/launchers/stream.c plugins/launchers/stream.h
