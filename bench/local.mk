# SPDX-License-Identifier: BSD-3-Clause
# What shows speed, as ratios from one run, and that these are honest; never part of the tests, and
# never installed.
dist_noinst_SCRIPTS += bench/apps bench/cache bench/check bench/corpus bench/faults bench/gate bench/gpus bench/honest bench/launch bench/rewriting bench/scale bench/scaling bench/seeds bench/throughput
EXTRA_DIST += bench/himeno_devices.c bench/kernels bench/launching.c bench/lib.sh

# Built on demand, by `make bench/by_hand.la`; -rpath makes it a module.
EXTRA_LTLIBRARIES = bench/by_hand.la
bench_by_hand_la_SOURCES = bench/by_hand.c
bench_by_hand_la_CPPFLAGS = $(AM_CPPFLAGS) -DBY_HAND_FOLDER='"$(abs_top_srcdir)/bench/kernels"'
bench_by_hand_la_LDFLAGS = $(plugin_ldflags) -rpath /nowhere
bench_by_hand_la_LIBADD = libclopt-rewrite.la libclopt.la

# What best and rewriting share.
dist_noinst_SCRIPTS += bench/best bench/judged bench/layouts bench/loop bench/page bench/peers bench/polybench bench/record bench/rivals bench/search bench/sizes
dist_noinst_DATA = bench/layouts.py bench/loop.py bench/peers.py bench/ratio.py bench/search.py bench/throughput.py
