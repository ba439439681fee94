# SPDX-License-Identifier: BSD-3-Clause
# Tests of libclopt.
unit_tests += \
	tests/core/believed \
	tests/core/candidate \
	tests/core/configurations \
	tests/core/descriptor \
	tests/core/device \
	tests/core/finals \
	tests/core/governor \
	tests/core/message \
	tests/core/outcome \
	tests/core/permutation \
	tests/core/planning \
	tests/core/progress \
	tests/core/ranking \
	tests/core/rate \
	tests/core/registry \
	tests/core/rules \
	tests/core/sample \
	tests/core/space \
	tests/core/store \
	tests/core/store_file \
	tests/core/store_older \
	tests/core/study \
	tests/core/study_refused \
	tests/core/task \
	tests/core/variant \
	tests/core/verified \
	tests/core/wisdom

# Tests of stores share one.
store_fixture = tests/helpers/store_fixture.c tests/helpers/store_fixture.h
tests_core_store_SOURCES = tests/core/store.c $(store_fixture)
tests_core_store_file_SOURCES = tests/core/store_file.c $(store_fixture)
tests_core_store_older_SOURCES = tests/core/store_older.c $(store_fixture)

# Tests of studies have plugins of their own.
fake_plugins = plugins/launchers/host_section.c plugins/parameters/parameters.c plugins/readers/published.c plugins/rivals/rival_section.c \
	plugins/shared/variant_parse.c plugins/strategies/search_section.c tests/helpers/fake_plugins.c tests/helpers/fake_plugins.h
folder_fixture = tests/helpers/folder_fixture.c tests/helpers/folder_fixture.h
study_fixture = tests/helpers/study_fixture.c tests/helpers/study_fixture.h $(folder_fixture) $(fake_plugins)
tests_core_sample_SOURCES = tests/core/sample.c $(study_fixture)
tests_core_space_SOURCES = tests/core/space.c $(study_fixture)
tests_core_study_SOURCES = tests/core/study.c $(study_fixture)
tests_core_study_refused_SOURCES = tests/core/study_refused.c $(study_fixture)
tests_core_variant_SOURCES = tests/core/variant.c $(folder_fixture) $(fake_plugins)
# A function of theirs replaces one of core or of OpenCL, which a shared library need not allow.
tests_core_sample_LDADD = tests/libcloptparts.la $(CMOCKA_LIBS)
tests_core_space_LDADD = tests/libcloptparts.la $(CMOCKA_LIBS)
tests_core_study_LDADD = tests/libcloptparts.la $(CMOCKA_LIBS)
tests_core_study_refused_LDADD = tests/libcloptparts.la $(CMOCKA_LIBS)
tests_core_variant_LDADD = tests/libcloptparts.la $(CMOCKA_LIBS)
