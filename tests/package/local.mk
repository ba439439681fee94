# SPDX-License-Identifier: BSD-3-Clause
# Tests of what is built, shipped, installed, and how it is written.
test_scripts += \
	tests/package/additions \
	tests/package/configure \
	tests/package/debian \
	tests/package/files \
	tests/package/libclang \
	tests/package/man \
	tests/package/rooms \
	tests/package/scripts \
	tests/package/symbols \
	tests/package/unbuilt \
	tests/package/works

dist_noinst_SCRIPTS += tests/package/bare-debian tests/package/install tests/package/installcheck
