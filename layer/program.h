/* SPDX-License-Identifier: BSD-3-Clause */
/* What becomes a program: sources, binaries, and what was compiled and linked. */
#pragma once

#include "layer/layer.h"

/* Makes what is known of a program; NULL where memory runs out. */
struct clopt_program *clopt_program_create(enum clopt_program_kind kind);

/* Adds content, or options, to the name of a program: by a checksum of them, since it is asked of
 * every program of an application, and a name is no proof. */
void clopt_program_add(char name[65], const void *content, size_t bytes);

/* Names a program by its content and its options. */
void clopt_program_name(struct clopt_program *program);

/* Takes in a program that the driver has made, and returns it; `program` may be NULL. */
cl_program clopt_program_take(cl_program made, struct clopt_program *program);

/* Returns what is remembered of a binary: a program of the source from which it was built under the
 * layer, to be built by the same options (built_by); NULL: nothing (binary.c). */
struct clopt_program *clopt_binary_find(const void *binary, size_t bytes);

/* A build of a program by clBuildProgram(), as the application asks for it, without a callback. */
struct clopt_source_build {
    cl_program handle;
    cl_uint count;
    const cl_device_id *devices;
    const char *options;
    const char *source_hash; /* of the source and what it includes; "": not known */
};

/* Builds a program; where binaries are to be kept, and it was built before, loads its proxy
 * (proxy.c). Neither has it one nor are there kernels of it. */
cl_int clopt_proxy_build(const struct clopt_source_build *asked);

/* Begin another build of a program, and end it: a proxy goes, unless kernels of it let no build
 * succeed. The first one returns what the second one takes; NULL: no kernels hinder. */
cl_kernel clopt_proxy_begin(cl_program handle);
void clopt_proxy_end(cl_program handle, cl_kernel attached, cl_int result);

/* Has the driver build a program itself, too, that has a proxy. */
void clopt_proxy_settle(cl_program handle);

/* Asks of a program what clGetProgramInfo() does. */
cl_int clopt_proxy_info(cl_program handle, cl_program_info name, size_t size, void *value,
                        size_t *needed);

/* Gives up the proxy of a program, with the lock held. */
void clopt_proxy_drop(struct clopt_program *program);

/* Replaces the calls that ask for what a build has left. */
void clopt_proxies_install(cl_icd_dispatch *dispatch);

/* Replaces the call that hands out binaries. */
void clopt_binaries_install(cl_icd_dispatch *dispatch);

/* Replaces the calls that build, compile and link. */
void clopt_builds_install(cl_icd_dispatch *dispatch);
