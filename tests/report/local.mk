# SPDX-License-Identifier: BSD-3-Clause
# Tests of results and documents.
unit_tests += \
	tests/report/portability \
	tests/report/regression \
	tests/report/results \
	tests/report/tunables \
	tests/report/verdict
