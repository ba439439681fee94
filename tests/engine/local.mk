# SPDX-License-Identifier: BSD-3-Clause
# Tests of the engine that rewrites.
unit_tests += \
	tests/engine/clang \
	tests/engine/clone \
	tests/engine/loop \
	tests/engine/pattern \
	tests/engine/profile \
	tests/engine/rewrite \
	tests/engine/source \
	tests/engine/transform

tests_engine_profile_SOURCES = tests/engine/profile.c plugins/commands/advise/cost.c
tests_engine_profile_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
tests_engine_rewrite_SOURCES = tests/engine/rewrite.c
tests_engine_rewrite_CPPFLAGS = $(AM_CPPFLAGS) $(LIBCLANG_CFLAGS)
tests_engine_clone_SOURCES = tests/engine/clone.c
tests_engine_clone_CPPFLAGS = $(AM_CPPFLAGS) $(LIBCLANG_CFLAGS)
tests_engine_clang_SOURCES = tests/engine/clang.c
tests_engine_clang_CPPFLAGS = $(AM_CPPFLAGS) $(LIBCLANG_CFLAGS)
