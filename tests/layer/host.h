/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of an application that knows nothing of clopt share. */
#pragma once

#undef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#define ITEMS 4096

extern const char source[];
extern cl_device_id device;
extern cl_context context;
extern cl_command_queue queue;
extern cl_program program;
extern cl_mem data, more, sums;

/* Prints what a call has returned; the second one only what is no success, and ends. */
void show(const char *what, cl_int result);
void need(const char *what, cl_int result);

cl_kernel make(const char *name);
cl_kernel make_scale(cl_mem buffer, float factor);
void launch(cl_command_queue on, cl_kernel kernel, size_t local, cl_event *event);
void print_buffer(cl_mem buffer, size_t count);

/* What it does that is hostile (hostile.c). */
void ask_queues(void);
void fail_often(void);
void run_threads(void);
void run_children(char **argv);
void release_early(void);
void fork_among_threads(void);
void wait_for_host(void);
void share_buffer(void);

/* The ways from sources to kernels (host_programs.c). */
void build_and_wait(void);
void build_again(void);
void build_with_headers(void);
void build_with_macro(void);
void build_with_nul(void);
void compile_and_link(void);
void link_both(void);
void link_alike(void);
void load_binary(void);
void spin_twice(void);
void search_late(void);
void try_constants(void);
void use_second_loader(void);
void build_oddly(void);
void ask_program(void);

/* What another layout of a buffer pays for (host_layouts.c). */
void sum_unchanged(void);
void sum_nothing(void);
void sum_for_long(void);
void sum_changed(void);
void sum_mapped(void);
void sum_on_queues(void);
void sum_in_threads(void);
