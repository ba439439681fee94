# SPDX-License-Identifier: BSD-3-Clause
# Tests of the OpenCL layer, on devices, in a host program that does what applications do.
test_scripts += \
	tests/layer/applications \
	tests/layer/kept \
	tests/layer/layouts \
	tests/layer/programs

check_PROGRAMS += tests/layer/host
tests_layer_host_SOURCES = tests/layer/host.c tests/layer/host.h tests/layer/host_layouts.c tests/layer/hostile.c tests/layer/host_programs.c
tests_layer_host_CFLAGS = $(AM_CFLAGS) $(OPENCL_CFLAGS)
tests_layer_host_LDADD = $(OPENCL_LIBS) -lpthread
