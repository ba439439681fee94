# SPDX-License-Identifier: BSD-3-Clause
# Tests of libclopt-base.
unit_tests += \
	tests/base/cache \
	tests/base/cache_files \
	tests/base/child \
	tests/base/expression \
	tests/base/file \
	tests/base/inclusion \
	tests/base/number \
	tests/base/ratio \
	tests/base/sha256 \
	tests/base/statistics \
	tests/base/table \
	tests/base/temporary \
	tests/base/text \
	tests/base/values \
	tests/base/wrap

tests_base_file_SOURCES = tests/base/file.c $(folder_fixture)
tests_base_inclusion_SOURCES = tests/base/inclusion.c $(folder_fixture)
