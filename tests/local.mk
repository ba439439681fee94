# SPDX-License-Identifier: BSD-3-Clause
# Tests: unit_* (no OpenCL), plugin_* (the loader), cli_* (exact text and exit code), device_* (on
# OpenCL devices; exit code 77 where there is none), package_* (what is built, shipped, installed).
# A script goes to `test_scripts` below and sources tests/lib.sh. A program NAME.c goes to
# `unit_tests` and needs no other line: it is tests/NAME.c linked with all of core (one shared library,
# which is never installed) and cmocka.

# What every test finds in its environment: plugins and kernels are those of the build tree. Its clopt finds
# the library by itself: what libtool makes of a program that is to be installed is a script, and takes ten times
# as long to start. Threads that wait for others leave the processors to the other tests.
AM_TESTS_ENVIRONMENT = \
	CLOPT='$(abs_top_builddir)/tests/clopt$(EXEEXT)'; export CLOPT; \
	CLOPT_SOURCE_DIR='$(abs_top_srcdir)'; export CLOPT_SOURCE_DIR; \
	CLOPT_BUILD_DIR='$(abs_top_builddir)'; export CLOPT_BUILD_DIR; \
	CLOPT_PLUGIN_PATH='$(abs_top_builddir)/plugins'; export CLOPT_PLUGIN_PATH; \
	CLOPT_KERNEL_PATH='$(abs_top_srcdir)/kernels'; export CLOPT_KERNEL_PATH; \
	CLOPT_SPACE_PATH='$(abs_top_srcdir)/data/spaces'; export CLOPT_SPACE_PATH; \
	CC='$(CC)'; export CC; NM='$(NM)'; export NM; \
	OMP_WAIT_POLICY=passive; export OMP_WAIT_POLICY; \
	NO_COLOR=1; export NO_COLOR; LC_ALL=C.UTF-8; export LC_ALL; \
	POCL_CACHE_DIR='$(abs_top_builddir)/tests/cache'; export POCL_CACHE_DIR; \
	mkdir -p "$$POCL_CACHE_DIR"; \
	CLOPT_CACHE_DIR='$(abs_top_builddir)/tests/cache/clopt'; export CLOPT_CACHE_DIR;

# The drivers keep what they once allocated; ours is checked by name in what is left. Where LeakSanitizer
# guesses where the thread-local storage of loaded libraries begins, it dies of a block that lies 16 bytes
# after the begin of a page (libclang's does by chance).
if SANITIZERS
AM_TESTS_ENVIRONMENT += \
	ASAN_OPTIONS='intercept_tls_get_addr=0'; export ASAN_OPTIONS; \
	LSAN_OPTIONS='suppressions=$(abs_top_srcdir)/tests/leaks.supp:print_suppressions=0'; \
	export LSAN_OPTIONS; CLOPT_SANITIZERS=yes; export CLOPT_SANITIZERS;
endif

# The longest come first, so that no core waits for one of them at the end.
test_scripts = \
	tests/device_check \
	tests/device_tune \
	tests/device_members \
	tests/device_export \
	tests/device_coarsening \
	tests/device_loops \
	tests/device_kernel \
	tests/device_hostile \
	tests/device_resume \
	tests/device_apply \
	tests/device_memory \
	tests/device_srad \
	tests/device_init \
	tests/device_captured \
	tests/device_layer \
	tests/device_layer_programs \
	tests/device_results \
	tests/device_vector \
	tests/device_races \
	tests/device_layouts \
	tests/device_hostile_gpu \
	tests/device_crc \
	tests/device_hosts \
	tests/device_programs \
	tests/device_half \
	tests/device_sub_groups \
	tests/device_hardware \
	tests/device_worker_kill \
	tests/device_wrong_cache \
	tests/device_needle \
	tests/device_combined \
	tests/device_rivals \
	tests/device_patterns \
	tests/device_study \
	tests/device_kernel_files \
	tests/device_branches \
	tests/device_lud \
	tests/device_kernels \
	tests/device_rival \
	tests/device_srad_oclgrind \
	tests/device_energy \
	tests/device_meg \
	tests/device_references \
	tests/device_bfs \
	tests/cli_transform \
	tests/cli_types \
	tests/cli_sub_groups \
	tests/device_counters \
	tests/device_threads \
	tests/device_timers \
	tests/device_findings \
	tests/device_certainty \
	tests/device_serial \
	tests/device_shards \
	tests/device_peaks \
	tests/device_lud_oclgrind \
	tests/device_needle_oclgrind \
	tests/device_batch \
	tests/device_studies \
	tests/cli_new \
	tests/cli_study \
	tests/device_verify \
	tests/device_composition \
	tests/device_contents \
	tests/cli_page \
	tests/device_advise \
	tests/cli_bfs \
	tests/cli_branches \
	tests/cli_compare \
	tests/cli_completion \
	tests/cli_crc \
	tests/cli_devices \
	tests/cli_dialect \
	tests/cli_divide \
	tests/cli_exchange \
	tests/cli_figures \
	tests/cli_analyses \
	tests/cli_golden \
	tests/cli_help \
	tests/cli_guesses \
	tests/cli_init \
	tests/cli_kernel \
	tests/cli_kernel_tuner \
	tests/cli_lud \
	tests/cli_memory \
	tests/cli_names \
	tests/cli_needle \
	tests/cli_srad \
	tests/cli_plugins \
	tests/cli_report \
	tests/cli_schema \
	tests/cli_sentences \
	tests/cli_pools \
	tests/cli_hostile_pools \
	tests/cli_simulate \
	tests/device_builds \
	tests/device_cache \
	tests/device_ladder \
	tests/device_files \
	tests/device_outputs \
	tests/device_list \
	tests/device_live \
	tests/device_listing \
	tests/device_quiet \
	tests/device_reproduce \
	tests/device_t1 \
	tests/device_division \
	tests/package_additions \
	tests/package_configure \
	tests/package_debian \
	tests/package_files \
	tests/package_libclang \
	tests/package_man \
	tests/package_rooms \
	tests/package_scripts \
	tests/package_symbols \
	tests/package_unbuilt \
	tests/plugin_loader

dist_check_SCRIPTS += $(test_scripts)
TESTS += $(test_scripts)
dist_noinst_SCRIPTS += tests/bare-debian tests/installcheck tests/package_install tests/compositions tests/layouts tests/staging tests/host-faults tests/hostile-kernels tests/hostile-pools tests/hostile_pool.py tests/kills tests/mutants tests/random-kernels tests/right-kernels
EXTRA_DIST += tests/fuzz/fuzz_source.c tests/fuzz/fuzz_tree.c tests/check tests/kernels tests/idioms tests/golden
EXTRA_DIST += tests/export tests/lib.sh tests/slurm.sh tests/leaks.supp tests/plugin_bad.c tests/small_pocl.py tests/winners.py tests/browse.py tests/sentences.py
EXTRA_DIST += tests/report/brief.txt tests/report/compare.md tests/report/compare.txt tests/report/counters.txt tests/report/full.csv tests/report/full.html tests/report/full.json tests/report/full.md \
	tests/report/full.tex tests/report/full.txt \
	tests/report/kernel-tuner.json tests/report/productivity.txt tests/report/status.json tests/report/status.txt tests/report/t4.json

# An app that is never installed: -rpath makes it a module all the same.
check_LTLIBRARIES += tests/hostile/hostile.la
tests_hostile_hostile_la_SOURCES = tests/hostile/hostile.c
tests_hostile_hostile_la_LDFLAGS = $(plugin_ldflags) -rpath /nowhere
tests_hostile_hostile_la_LIBADD = libclopt.la
EXTRA_DIST += tests/hostile/hostile.cl tests/oclgrind/counts.txt

# Stands for a library of NVIDIA's.
check_LTLIBRARIES += tests/fake_nvml.la
tests_fake_nvml_la_SOURCES = tests/fake_nvml.c
tests_fake_nvml_la_LDFLAGS = -module -avoid-version -rpath /nowhere

# Stands for the processor's counters.
check_LTLIBRARIES += tests/fake_perf.la
tests_fake_perf_la_SOURCES = tests/fake_perf.c
tests_fake_perf_la_LDFLAGS = -module -avoid-version -rpath /nowhere

# Loaded before the OpenCL loader.
check_LTLIBRARIES += tests/odd_loader.la
tests_odd_loader_la_SOURCES = tests/odd_loader.c
tests_odd_loader_la_CFLAGS = $(AM_CFLAGS) $(OPENCL_CFLAGS)
tests_odd_loader_la_LDFLAGS = -module -avoid-version -rpath /nowhere

noinst_PROGRAMS += tests/clopt
tests_clopt_SOURCES = core/main/main.c
tests_clopt_LDADD = libclopt.la

# All libraries, with their inner functions visible: to be linked, and once for all test programs.
check_LTLIBRARIES += tests/libcloptparts.la
tests_libcloptparts_la_SOURCES =
tests_libcloptparts_la_LIBADD = $(inner_parts) $(inner_libs)
check_LTLIBRARIES += tests/libclopttests.la
tests_libclopttests_la_SOURCES =
tests_libclopttests_la_LIBADD = tests/libcloptparts.la
tests_libclopttests_la_LDFLAGS = -avoid-version -rpath /nowhere $(Z_DEFS)

# Writes stores for the tests that read them.
check_PROGRAMS += tests/fill_store
tests_fill_store_SOURCES = tests/fill_store.c tests/fill_put.c tests/fill_put.h tests/fill_rows.h

# A pool of workers that has no device.
check_PROGRAMS += tests/stub_pool
tests_stub_pool_LDADD = $(JANSSON_LIBS)

unit_tests = \
	tests/unit_bfs \
	tests/unit_cache \
	tests/unit_change \
	tests/unit_clang \
	tests/unit_child \
	tests/unit_clone \
	tests/unit_configurations \
	tests/unit_candidate \
	tests/unit_counts \
	tests/unit_crc \
	tests/unit_descriptor \
	tests/unit_device \
	tests/unit_dry_run \
	tests/unit_expression \
	tests/unit_fasta \
	tests/unit_file \
	tests/unit_finals \
	tests/unit_geometry \
	tests/unit_governor \
	tests/unit_cache_files \
	tests/unit_loop \
	tests/unit_lud \
	tests/unit_matrix_market \
	tests/unit_message \
	tests/unit_npy \
	tests/unit_number \
	tests/unit_outcome \
	tests/unit_permutation \
	tests/unit_needle \
	tests/unit_peak_meter \
	tests/unit_pgm \
	tests/unit_portability \
	tests/unit_progress \
	tests/unit_srad \
	tests/unit_rate \
	tests/unit_ratio \
	tests/unit_registry \
	tests/unit_regression \
	tests/unit_search \
	tests/unit_rewrite \
	tests/unit_sample \
	tests/unit_sha256 \
	tests/unit_pattern \
	tests/unit_profile \
	tests/unit_source \
	tests/unit_space \
	tests/unit_ranking \
	tests/unit_statistics \
	tests/unit_results \
	tests/unit_store \
	tests/unit_stream \
	tests/unit_store_file \
	tests/unit_study \
	tests/unit_study_refused \
	tests/unit_t1 \
	tests/unit_table \
	tests/unit_text \
	tests/unit_task \
	tests/unit_tunables \
	tests/unit_values \
	tests/unit_transform \
	tests/unit_variant \
	tests/unit_vector \
	tests/unit_verdict \
	tests/unit_waits \
	tests/unit_wrap

if HAVE_CMOCKA
check_PROGRAMS += $(unit_tests)
TESTS += $(unit_tests)
endif

# What `make distcheck` runs for scripts/check: those that look at the tree, and programs that are made in each of the ways there
# are: of core alone, of a plugin's sources, and with functions of their own in the place of core's.
release_programs = tests/fill_store # for package_additions
if HAVE_CMOCKA
release_programs += tests/unit_file tests/unit_crc tests/unit_study
endif
release_tests = $(filter tests/package_%,$(test_scripts)) $(filter tests/unit_%,$(release_programs))

# What `scripts/check --quick` runs, and what it runs with sanitizers: clopt is the same on all devices, and shells,
# compilers and browsers do not become better tested by them.
fast_tests = $(unit_tests) $(filter tests/cli_% tests/plugin_%,$(test_scripts))
quick_tests = $(fast_tests) \
	tests/device_builds \
	tests/device_composition \
	tests/device_crc \
	tests/device_files \
	tests/device_list \
	tests/device_lud \
	tests/device_quiet \
	tests/device_references \
	tests/device_results \
	tests/device_study \
	tests/device_vector
sanitized_tests = $(filter-out tests/cli_completion tests/cli_new tests/cli_page,$(fast_tests)) \
	tests/device_branches \
	tests/device_builds \
	tests/device_captured \
	tests/device_layer \
	tests/device_layer_programs \
	tests/device_coarsening \
	tests/device_composition \
	tests/device_export \
	tests/device_hostile \
	tests/device_kernel \
	tests/device_loops \
	tests/device_memory \
	tests/device_resume \
	tests/device_worker_kill

# Tests of a plugin's inner parts are built with its sources; flags of their own keep their objects
# apart from the plugin's.
tests_unit_bfs_SOURCES = tests/unit_bfs.c $(plugins_bfs_la_SOURCES)
tests_unit_bfs_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins/apps/bfs
tests_unit_bfs_CFLAGS = $(parallel_cflags)
tests_unit_crc_SOURCES = tests/unit_crc.c $(plugins_crc_la_SOURCES)
tests_unit_crc_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins/apps/crc
tests_unit_crc_CFLAGS = $(parallel_cflags)
tests_unit_crc_LDADD = $(LDADD)
if HAVE_ZLIB
tests_unit_crc_CPPFLAGS += -DHAVE_ZLIB $(ZLIB_CFLAGS)
tests_unit_crc_LDADD += $(ZLIB_LIBS)
endif
tests_unit_search_SOURCES = tests/unit_search.c \
	plugins/strategies/genetic.c plugins/strategies/local.c plugins/strategies/model.c plugins/strategies/order.c
tests_unit_search_CPPFLAGS = $(AM_CPPFLAGS)
tests_unit_profile_SOURCES = tests/unit_profile.c plugins/commands/advice/cost.c
tests_unit_profile_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_unit_rewrite_SOURCES = tests/unit_rewrite.c
tests_unit_rewrite_CPPFLAGS = $(AM_CPPFLAGS) $(LIBCLANG_CFLAGS)
tests_unit_clone_SOURCES = tests/unit_clone.c
tests_unit_clone_CPPFLAGS = $(AM_CPPFLAGS) $(LIBCLANG_CFLAGS)
tests_unit_clang_SOURCES = tests/unit_clang.c
tests_unit_clang_CPPFLAGS = $(AM_CPPFLAGS) $(LIBCLANG_CFLAGS)
tests_unit_geometry_SOURCES = tests/unit_geometry.c $(geometry_sources)
tests_unit_geometry_CPPFLAGS = $(AM_CPPFLAGS)
tests_unit_vector_SOURCES = tests/unit_vector.c $(vector_sources)
tests_unit_vector_CPPFLAGS = $(AM_CPPFLAGS)
tests_unit_lud_SOURCES = tests/unit_lud.c $(plugins_lud_la_SOURCES)
tests_unit_lud_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins/apps/lud
tests_unit_lud_CFLAGS = $(parallel_cflags)
tests_unit_fasta_SOURCES = tests/unit_fasta.c \
	plugins/apps/needle/fasta.c plugins/apps/needle/fasta.h
tests_unit_fasta_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins/apps/needle
tests_unit_matrix_market_SOURCES = tests/unit_matrix_market.c \
	plugins/shared/matrix_market.c plugins/shared/matrix_market.h
tests_unit_npy_SOURCES = tests/unit_npy.c plugins/apps/kernel/npy.c plugins/apps/kernel/npy.h
tests_unit_npy_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins/apps/kernel
tests_unit_needle_SOURCES = tests/unit_needle.c $(plugins_needle_la_SOURCES)
tests_unit_needle_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins/apps/needle
tests_unit_needle_CFLAGS = $(parallel_cflags)
tests_unit_pgm_SOURCES = tests/unit_pgm.c plugins/apps/srad/pgm.c
tests_unit_pgm_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins/apps/srad
tests_unit_srad_SOURCES = tests/unit_srad.c $(plugins_srad_la_SOURCES)
tests_unit_srad_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/plugins/apps/srad
tests_unit_srad_CFLAGS = $(parallel_cflags)

check_PROGRAMS += tests/layer_host
tests_layer_host_SOURCES = tests/layer_host.c tests/layer_host.h tests/layer_hostile.c tests/layer_programs.c
tests_layer_host_CFLAGS = $(AM_CFLAGS) $(OPENCL_CFLAGS)
tests_layer_host_LDADD = $(OPENCL_LIBS) -lpthread
check_PROGRAMS += tests/device_digest
TESTS += tests/device_digest
tests_device_digest_CFLAGS = $(AM_CFLAGS) $(OPENCL_CFLAGS)
tests_device_digest_LDADD = $(core_libs)

# What compares lud with LAPACK, where that is.
if HAVE_LAPACK
check_PROGRAMS += tests/lud_lapack
tests_lud_lapack_SOURCES = tests/lud_lapack.c plugins/shared/matrix_market.c plugins/shared/matrix_market.h
tests_lud_lapack_LDADD = $(core_libs) $(LAPACK_LIBS) -lm
endif

# Fuzzers are built by tests/fuzz/run, not by make check.
dist_noinst_SCRIPTS += tests/fuzz/run
EXTRA_DIST += tests/fuzz/fuzz_study.c tests/fuzz/study.dict \
	tests/fuzz/study/all.ini tests/fuzz/study/overrides tests/fuzz/study/settings
EXTRA_DIST += tests/fuzz/tree/groups tests/fuzz/tree/plain
EXTRA_DIST += tests/fuzz/fuzz_message.c tests/fuzz/message/samples \
	tests/fuzz/message/stage_and_error
EXTRA_DIST += tests/fuzz/fuzz_wisdom.c tests/fuzz/wisdom/two
EXTRA_DIST += tests/fuzz/fuzz_stream.c tests/fuzz/stream/frames tests/fuzz/stream/large
EXTRA_DIST += tests/fuzz/fuzz_expression.c tests/fuzz/expression.dict \
	tests/fuzz/expression/choice \
	tests/fuzz/expression/condition \
	tests/fuzz/expression/reals \
	tests/fuzz/expression/size
EXTRA_DIST += tests/fuzz/fuzz_kernel.c \
	tests/fuzz/kernel/lud \
	tests/fuzz/kernel/saxpy
EXTRA_DIST += tests/fuzz/fuzz_npy.c \
	tests/fuzz/npy/bytes.npy \
	tests/fuzz/npy/matrix.npy \
	tests/fuzz/npy/version3.npy
EXTRA_DIST += tests/fuzz/fuzz_t1.c tests/fuzz/t1.dict \
	tests/t1/mm.cl \
	tests/t1/multiply.json \
	tests/t1/saxpy.cl \
	tests/t1/saxpy.json
EXTRA_DIST += tests/fuzz/fuzz_fasta.c \
	tests/fuzz/fasta/dna.fasta \
	tests/fuzz/fasta/protein.fasta \
	tests/fuzz/fasta/two.fasta
EXTRA_DIST += tests/fuzz/fuzz_pgm.c \
	tests/fuzz/pgm/binary.pgm \
	tests/fuzz/pgm/text.pgm \
	tests/fuzz/pgm/wide.pgm
EXTRA_DIST += tests/fuzz/fuzz_graph.c \
	tests/fuzz/graph/rodinia.txt \
	tests/fuzz/graph/snap.txt \
	tests/fuzz/graph/symmetric.mtx \
	tests/fuzz/fuzz_matrix_market.c \
	tests/fuzz/matrix_market/coordinate.mtx \
	tests/fuzz/matrix_market/pattern.mtx \
	tests/fuzz/matrix_market/skew.mtx \
	tests/fuzz/matrix_market/symmetric.mtx

# Tests of stores share one.
store_fixture = tests/store_fixture.c tests/store_fixture.h
tests_unit_store_SOURCES = tests/unit_store.c $(store_fixture)
tests_unit_store_file_SOURCES = tests/unit_store_file.c $(store_fixture)

# Tests of studies have plugins of their own.
fake_plugins = tests/fake_plugins.c tests/fake_plugins.h
folder_fixture = tests/folder_fixture.c tests/folder_fixture.h
tests_unit_file_SOURCES = tests/unit_file.c $(folder_fixture)
study_fixture = tests/study_fixture.c tests/study_fixture.h $(folder_fixture) $(fake_plugins)
tests_unit_sample_SOURCES = tests/unit_sample.c $(study_fixture)
tests_unit_space_SOURCES = tests/unit_space.c $(study_fixture)
tests_unit_study_SOURCES = tests/unit_study.c $(study_fixture)
tests_unit_study_refused_SOURCES = tests/unit_study_refused.c $(study_fixture)
tests_unit_dry_run_SOURCES = tests/unit_dry_run.c $(folder_fixture) $(fake_plugins)
tests_unit_variant_SOURCES = tests/unit_variant.c $(folder_fixture) $(fake_plugins)
# A function of theirs replaces one of core or of OpenCL, which a shared library need not allow.
tests_unit_peak_meter_LDADD = tests/libcloptparts.la $(CMOCKA_LIBS)
tests_unit_sample_LDADD = tests/libcloptparts.la $(CMOCKA_LIBS)
tests_unit_space_LDADD = tests/libcloptparts.la $(CMOCKA_LIBS)
tests_unit_study_LDADD = tests/libcloptparts.la $(CMOCKA_LIBS)
tests_unit_study_refused_LDADD = tests/libcloptparts.la $(CMOCKA_LIBS)
tests_unit_dry_run_LDADD = tests/libcloptparts.la $(CMOCKA_LIBS)
tests_unit_variant_LDADD = tests/libcloptparts.la $(CMOCKA_LIBS)

# Runs kernels before and after rewriting.
check_PROGRAMS += tests/differential
running_sources = tests/kernel_run.c tests/kernel_run.h \
	tests/random_kernel.c tests/random_kernel.h tests/random_statement.c tests/random_statement.h
tests_differential_SOURCES = tests/differential.c $(running_sources) \
	$(coarsening_sources) $(loop_sources)
tests_differential_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)

# The same for variants by their names, and for random ones, with the plugins as they are loaded.
check_PROGRAMS += tests/composition
tests_composition_SOURCES = tests/composition.c $(running_sources) \
	tests/random_chains.c tests/random_chains.h \
	tests/random_loops.c tests/random_loops.h \
	tests/random_reads.c tests/random_reads.h

# Hold for every program that says nothing else, and these are the tests alone.
AM_DEFAULT_SOURCE_EXT = .c
AM_CPPFLAGS += $(OPENCL_CFLAGS) $(JANSSON_CFLAGS) $(SQLITE_CFLAGS) $(CMOCKA_CFLAGS)
core_libs = tests/libclopttests.la $(OPENCL_LIBS) $(JANSSON_LIBS) $(SQLITE_LIBS)
LDADD = $(core_libs) $(CMOCKA_LIBS) -lm
AM_LDFLAGS = -no-install

check-install: all
	@$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/package_install

.PHONY: check-install

clean-local:
	rm -rf tests/cache
