# SPDX-License-Identifier: BSD-3-Clause
# Tests of launchers.
unit_tests += tests/launchers/stream_parts
tests_launchers_stream_parts_SOURCES = tests/launchers/stream_parts.c plugins/launchers/stream.c plugins/launchers/stream.h
unit_tests += tests/launchers/host_parts
tests_launchers_host_parts_SOURCES = tests/launchers/host_parts.c plugins/launchers/host.c plugins/launchers/host.h \
	plugins/launchers/handshake.c plugins/launchers/handshake.h plugins/launchers/stream.c plugins/launchers/stream.h
