# SPDX-License-Identifier: BSD-3-Clause
# Tests of formats.
test_scripts += \
	tests/formats/exchange \
	tests/formats/figures \
	tests/formats/kernel_tuner \
	tests/formats/page
