# SPDX-License-Identifier: BSD-3-Clause
# Tests of apps, without a device.
unit_tests += \
	tests/apps/bfs_parts \
	tests/apps/crc_parts \
	tests/apps/fasta_parts \
	tests/apps/lud_parts \
	tests/apps/matrix_market_parts \
	tests/apps/needle_parts \
	tests/apps/npy_parts \
	tests/apps/pgm_parts \
	tests/apps/srad_parts
test_scripts += \
	tests/apps/bfs \
	tests/apps/crc \
	tests/apps/kernel \
	tests/apps/lud \
	tests/apps/needle \
	tests/apps/srad

# Tests of a plugin's inner parts are built with its sources; flags of their own keep their objects
# apart from the plugin's.
tests_apps_bfs_parts_SOURCES = tests/apps/bfs_parts.c $(plugins_bfs_la_SOURCES)
tests_apps_bfs_parts_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins/apps/bfs
tests_apps_bfs_parts_CFLAGS = $(parallel_cflags)
tests_apps_crc_parts_SOURCES = tests/apps/crc_parts.c $(plugins_crc_la_SOURCES)
tests_apps_crc_parts_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins/apps/crc
tests_apps_crc_parts_CFLAGS = $(parallel_cflags)
tests_apps_crc_parts_LDADD = $(LDADD)
if HAVE_ZLIB
tests_apps_crc_parts_CPPFLAGS += -DHAVE_ZLIB $(ZLIB_CFLAGS)
tests_apps_crc_parts_LDADD += $(ZLIB_LIBS)
endif
tests_apps_lud_parts_SOURCES = tests/apps/lud_parts.c $(plugins_lud_la_SOURCES)
tests_apps_lud_parts_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins/apps/lud
tests_apps_lud_parts_CFLAGS = $(parallel_cflags)
tests_apps_fasta_parts_SOURCES = tests/apps/fasta_parts.c \
	plugins/apps/needle/fasta.c plugins/apps/needle/fasta.h
tests_apps_fasta_parts_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins/apps/needle
tests_apps_matrix_market_parts_SOURCES = tests/apps/matrix_market_parts.c \
	plugins/shared/matrix_market.c plugins/shared/matrix_market.h
tests_apps_npy_parts_SOURCES = tests/apps/npy_parts.c plugins/apps/kernel/npy.c plugins/apps/kernel/npy.h
tests_apps_npy_parts_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins/apps/kernel
tests_apps_needle_parts_SOURCES = tests/apps/needle_parts.c $(plugins_needle_la_SOURCES)
tests_apps_needle_parts_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins/apps/needle
tests_apps_needle_parts_CFLAGS = $(parallel_cflags)
tests_apps_pgm_parts_SOURCES = tests/apps/pgm_parts.c plugins/apps/srad/pgm.c
tests_apps_pgm_parts_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins/apps/srad
tests_apps_srad_parts_SOURCES = tests/apps/srad_parts.c $(plugins_srad_la_SOURCES)
tests_apps_srad_parts_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins/apps/srad
tests_apps_srad_parts_CFLAGS = $(parallel_cflags)
