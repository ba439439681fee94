# SPDX-License-Identifier: BSD-3-Clause
# Tests are laid as the tree is. A test's folder is
#     device/                     where it needs an OpenCL device (exit code 77 where there is none),
#     layer/                      where it is about the OpenCL layer, which needs one as well,
#     package/                    where it looks at what is built, shipped, installed, or at how it is written,
#     base/ core/ engine/ report/ where it calls functions of that library: a program NAME.c,
#     a kind of plugin: apps/ optimizations/ strategies/ analyses/ formats/ commands/ counters/ launchers/ readers/ observers/
#                                 where it is about one of that kind: a script NAME, or a program NAME_parts.c that is
#                                 linked with the plugin's sources,
#     cli/                        where it is about the program as a whole: plugins, help, studies.
# A new test is a file there and a line in the local.mk beside it. A script sources tests/lib.sh. A program is linked with
# all libraries (one shared library, which is never installed) and cmocka, and needs no other line. What tests share is in
# helpers/, kernels/, idioms/, golden/ and the like; long/ has what `make check` does not run; fuzz/ has the fuzzers.
# `make check TESTS=tests/FOLDER/NAME` runs one.

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
	LSAN_OPTIONS='suppressions=$(abs_top_srcdir)/tests/helpers/leaks.supp:print_suppressions=0'; \
	export LSAN_OPTIONS; CLOPT_SANITIZERS=yes; export CLOPT_SANITIZERS;
endif

# Each folder adds to them.
test_scripts =
unit_tests =
include tests/device/local.mk
include tests/layer/local.mk
include tests/optimizations/local.mk
include tests/cli/local.mk
include tests/commands/local.mk
include tests/apps/local.mk
include tests/strategies/local.mk
include tests/analyses/local.mk
include tests/counters/local.mk
include tests/observers/local.mk
include tests/launchers/local.mk
include tests/readers/local.mk
include tests/formats/local.mk
include tests/package/local.mk
include tests/base/local.mk
include tests/core/local.mk
include tests/engine/local.mk
include tests/report/local.mk

dist_check_SCRIPTS += $(test_scripts)
TESTS += $(test_scripts)
if HAVE_CMOCKA
check_PROGRAMS += $(unit_tests)
TESTS += $(unit_tests)
endif

EXTRA_DIST += tests/lib.sh tests/check tests/kernels tests/idioms tests/golden tests/export tests/oclgrind tests/t1
EXTRA_DIST += tests/helpers/slurm.sh tests/helpers/composition.sh tests/helpers/transform.sh tests/helpers/leaks.supp tests/helpers/plugin_bad.c tests/helpers/small_pocl.py \
	tests/helpers/winners.py tests/helpers/browse.py tests/helpers/notebook.py \
	tests/helpers/sentences.py tests/helpers/random_idioms.txt
dist_noinst_SCRIPTS += tests/helpers/hostile_pool.py \
	tests/helpers/mcp.py \
	tests/long/compositions \
	tests/long/host-faults \
	tests/long/hostile-kernels \
	tests/long/hostile-pools \
	tests/long/kills \
	tests/long/layouts \
	tests/long/mutants \
	tests/long/random-kernels \
	tests/long/right-kernels \
	tests/long/staging \
	tests/long/wheel

# An app that is never installed: -rpath makes it a module all the same.
check_LTLIBRARIES += tests/hostile/hostile.la
tests_hostile_hostile_la_SOURCES = tests/hostile/hostile.c
tests_hostile_hostile_la_LDFLAGS = $(plugin_ldflags) -rpath /nowhere
tests_hostile_hostile_la_LIBADD = libclopt.la
EXTRA_DIST += tests/hostile/hostile.cl

# Stands for a library of NVIDIA's.
check_LTLIBRARIES += tests/helpers/fake_nvml.la
tests_helpers_fake_nvml_la_SOURCES = tests/helpers/fake_nvml.c
tests_helpers_fake_nvml_la_LDFLAGS = -module -avoid-version -rpath /nowhere

# Stands for the processor's counters.
check_LTLIBRARIES += tests/helpers/fake_perf.la
tests_helpers_fake_perf_la_SOURCES = tests/helpers/fake_perf.c
tests_helpers_fake_perf_la_LDFLAGS = -module -avoid-version -rpath /nowhere

# Loaded before the OpenCL loader.
check_LTLIBRARIES += tests/helpers/odd_loader.la
tests_helpers_odd_loader_la_SOURCES = tests/helpers/odd_loader.c
tests_helpers_odd_loader_la_CFLAGS = $(AM_CFLAGS) $(OPENCL_CFLAGS)
tests_helpers_odd_loader_la_LDFLAGS = -module -avoid-version -rpath /nowhere

# A layer below clopt's.
check_LTLIBRARIES += tests/helpers/deaf_layer.la
tests_helpers_deaf_layer_la_SOURCES = tests/helpers/deaf_layer.c tests/helpers/layer_frame.h
tests_helpers_deaf_layer_la_CPPFLAGS = $(AM_CPPFLAGS) -UCL_TARGET_OPENCL_VERSION -DCL_TARGET_OPENCL_VERSION=300 $(OPENCL_CFLAGS)
tests_helpers_deaf_layer_la_LDFLAGS = -module -avoid-version -rpath /nowhere
check_LTLIBRARIES += tests/helpers/noting_layer.la
tests_helpers_noting_layer_la_SOURCES = tests/helpers/noting_layer.c tests/helpers/layer_frame.h
tests_helpers_noting_layer_la_CPPFLAGS = $(AM_CPPFLAGS) -UCL_TARGET_OPENCL_VERSION -DCL_TARGET_OPENCL_VERSION=300 $(OPENCL_CFLAGS)
tests_helpers_noting_layer_la_LDFLAGS = -module -avoid-version -rpath /nowhere
check_LTLIBRARIES += tests/helpers/poor_layer.la
tests_helpers_poor_layer_la_SOURCES = tests/helpers/poor_layer.c tests/helpers/layer_frame.h
tests_helpers_poor_layer_la_CPPFLAGS = $(AM_CPPFLAGS) -UCL_TARGET_OPENCL_VERSION -DCL_TARGET_OPENCL_VERSION=300 $(OPENCL_CFLAGS)
tests_helpers_poor_layer_la_LDFLAGS = -module -avoid-version -rpath /nowhere

noinst_PROGRAMS += tests/clopt
tests_clopt_SOURCES = core/main/main.c
tests_clopt_LDADD = $(clopt_LDADD)
tests_clopt_LDFLAGS = $(AM_LDFLAGS) $(clopt_LDFLAGS)

# All libraries, with their inner functions visible: to be linked, and once for all test programs.
check_LTLIBRARIES += tests/libcloptparts.la
tests_libcloptparts_la_SOURCES =
tests_libcloptparts_la_LIBADD = $(inner_parts) $(inner_libs)
check_LTLIBRARIES += tests/libclopttests.la
tests_libclopttests_la_SOURCES =
tests_libclopttests_la_LIBADD = tests/libcloptparts.la
tests_libclopttests_la_LDFLAGS = -avoid-version -rpath /nowhere $(Z_DEFS)

# Writes stores for the tests that read them.
check_PROGRAMS += tests/helpers/fill_store
tests_helpers_fill_store_SOURCES = plugins/shared/access_rates.c tests/helpers/fill_store.c tests/helpers/fill_put.c tests/helpers/fill_put.h tests/helpers/fill_rows.h

# A pool of workers that has no device.
check_PROGRAMS += tests/helpers/stub_pool
tests_helpers_stub_pool_LDADD = $(JANSSON_LIBS)

# What `make distcheck` runs for scripts/check: those that look at the tree, and programs that are made in each of the ways there
# are: of core alone, of a plugin's sources, and with functions of their own in the place of core's.
release_programs = tests/helpers/fill_store # for package/additions
if HAVE_CMOCKA
release_programs += tests/base/file tests/apps/crc_parts tests/core/study
endif
release_tests = $(filter tests/package/%,$(test_scripts)) $(filter-out tests/helpers/%,$(release_programs))

# What `scripts/check --quick` runs, and what it runs with sanitizers: clopt is the same on all devices, and shells,
# compilers and browsers do not become better tested by them. The longest come first.
fast_tests = $(unit_tests) $(filter-out tests/device/% tests/layer/% tests/package/%,$(test_scripts))
quick_tests = tests/device/builds \
	tests/device/composition \
	tests/device/crc \
	tests/device/files \
	tests/device/list \
	tests/device/lud \
	tests/device/quiet \
	tests/device/references \
	tests/device/results \
	tests/device/study \
	tests/device/vector \
	$(fast_tests)

# What computes for long: other tests have sanitizers watch the same functions.
numeric_tests = \
	tests/analyses/guidelines \
	tests/base/ratio \
	tests/core/finals \
	tests/core/sample \
	tests/report/change
sanitized_tests = tests/device/composition \
	tests/device/hostile \
	tests/layer/programs \
	tests/device/builds \
	tests/device/captured \
	$(filter-out $(numeric_tests) tests/commands/completion tests/commands/new tests/formats/page tests/optimizations/types,$(fast_tests))

# What says the same with sanitizers and without, and takes long: scripts/check runs it with them alone, where it has both.
once_tests = \
	tests/analyses/all \
	tests/analyses/added \
	tests/analyses/guideline_rules \
	tests/analyses/unmeasured \
	tests/cli/dialect \
	tests/cli/help \
	tests/cli/hostile_pools \
	tests/cli/loader \
	tests/cli/pools \
	tests/cli/schema \
	tests/cli/study \
	tests/commands/compare \
	tests/commands/devices \
	tests/commands/guesses \
	tests/commands/hostile \
	tests/commands/init \
	tests/commands/preview \
	tests/commands/report \
	tests/commands/serve \
	tests/commands/simulate \
	tests/commands/stores \
	tests/commands/transform \
	tests/device/builds \
	tests/device/captured \
	tests/layer/programs \
	tests/formats/exchange \
	tests/optimizations/branches \
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
	tests/optimizations/rows \
	tests/optimizations/sub_groups \
	tests/optimizations/unrolling \
	tests/optimizations/vector \
	tests/apps/kernel \
	tests/apps/bfs \
	tests/apps/crc \
	tests/apps/needle \
	tests/apps/srad \
	tests/apps/lud_parts \
	tests/analyses/sentences \
	tests/formats/figures \
	tests/strategies/search_parts
plain_tests = $(filter-out $(once_tests),$(TESTS))

# What compares lud with LAPACK, where that is.
if HAVE_LAPACK
check_PROGRAMS += tests/helpers/lud_lapack
tests_helpers_lud_lapack_SOURCES = tests/helpers/lud_lapack.c plugins/shared/matrix_market.c plugins/shared/matrix_market.h
tests_helpers_lud_lapack_LDADD = $(core_libs) $(LAPACK_LIBS) -lm
endif

# Fuzzers are built by tests/fuzz/run, not by make check.
dist_noinst_SCRIPTS += tests/fuzz/run
EXTRA_DIST += tests/fuzz

# Runs kernels before and after rewriting.
check_PROGRAMS += tests/helpers/differential
running_sources = tests/helpers/kernel_run.c tests/helpers/kernel_run.h \
	tests/helpers/random_kernel.c tests/helpers/random_kernel.h tests/helpers/random_statement.c tests/helpers/random_statement.h
tests_helpers_differential_SOURCES = tests/helpers/differential.c $(running_sources) \
	$(coarsening_sources) $(loop_sources)
tests_helpers_differential_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)

# The same for variants by their names, and for random ones, with the plugins as they are loaded.
check_PROGRAMS += tests/helpers/composition
tests_helpers_composition_SOURCES = tests/helpers/composition.c $(running_sources) \
	plugins/commands/transform/steps.c \
	plugins/shared/variant_parse.c \
	tests/helpers/random_chains.c tests/helpers/random_chains.h \
	tests/helpers/random_loops.c tests/helpers/random_loops.h \
	tests/helpers/random_reads.c tests/helpers/random_reads.h \
	tests/helpers/random_text.c tests/helpers/random_text.h

# Hold for every program that says nothing else, and these are the tests alone.
AM_DEFAULT_SOURCE_EXT = .c
AM_CPPFLAGS += -I$(top_srcdir)/tests/helpers $(OPENCL_CFLAGS) $(JANSSON_CFLAGS) $(SQLITE_CFLAGS) $(CMOCKA_CFLAGS)
core_libs = tests/libclopttests.la $(OPENCL_LIBS) $(JANSSON_LIBS) $(SQLITE_LIBS)
LDADD = $(core_libs) $(CMOCKA_LIBS) -lm
AM_LDFLAGS = -no-install

check-install: all tests/helpers/fill_store$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/package/install

.PHONY: check-install

clean-local:
	rm -rf tests/cache
