# SPDX-License-Identifier: BSD-3-Clause
# Tests of results and documents.
unit_tests += \
	tests/report/change \
	tests/report/portability \
	tests/report/regression \
	tests/report/results \
	tests/report/tunables \
	tests/report/verdict
tests_report_regression_SOURCES = tests/report/regression.c plugins/analyses/regression_print.c
