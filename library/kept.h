/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs of winners, which are built once for each device and driver: what was built is kept in
 * clopt's cache, and loaded by later processes. */
#pragma once

#include <CL/cl.h>

#include "library/winner.h"

/* The calls of OpenCL that it takes: the loader's, or below a layer the driver's. */
struct clopt_program_calls {
    cl_program(CL_API_CALL *create_with_source)(cl_context, cl_uint, const char **, const size_t *,
                                                cl_int *);
    cl_program(CL_API_CALL *create_with_binary)(cl_context, cl_uint, const cl_device_id *,
                                                const size_t *, const unsigned char **, cl_int *,
                                                cl_int *);
    cl_int(CL_API_CALL *build)(cl_program, cl_uint, const cl_device_id *, const char *,
                               void(CL_CALLBACK *)(cl_program, void *), void *);
    cl_int(CL_API_CALL *get_info)(cl_program, cl_program_info, size_t, void *, size_t *);
    cl_int(CL_API_CALL *get_device_info)(cl_device_id, cl_device_info, size_t, void *, size_t *);
    cl_int(CL_API_CALL *get_platform_info)(cl_platform_id, cl_platform_info, size_t, void *,
                                           size_t *);
    cl_int(CL_API_CALL *release)(cl_program);
};

/* At most, of all winners, and of all other programs. */
#define CLOPT_KEPT_BYTES ((uint64_t)256 << 20)

/* What decides what is built, besides device, driver and environment. */
struct clopt_kept_source {
    const char *what; /* is kept of it, and its version */
    const char *code; /* or a hash of it */
    const char *options;
};
void clopt_kept_key(const struct clopt_program_calls *calls, cl_device_id device,
                    const struct clopt_kept_source *source, char key[CLOPT_HASH_SIZE]);

/* Makes a program of a binary for the caller to release; NULL: the driver refuses it. */
cl_program clopt_kept_load(const struct clopt_program_calls *calls, cl_context context,
                           cl_device_id device, const char *options, const void *binary,
                           size_t bytes);

/* Returns the binary of a program for one of its devices, for the caller to free; NULL: there is
 * none, or it is too large. */
void *clopt_kept_binary(const struct clopt_program_calls *calls, cl_program program,
                        cl_device_id device, size_t *bytes);

/* Loads the program of a winner where it is kept, for this device and driver and by these build
 * options, or builds it from its source and keeps it: NULL and *code of clCreateProgramWithSource()
 * where there is none. A program whose build fails, with *code, is returned for its log. The caller
 * releases it. */
cl_program clopt_kept_program(const struct clopt_program_calls *calls, cl_context context,
                              cl_device_id device, const struct clopt_winner *winner, bool *loaded,
                              cl_int *code);

/* Return, and keep for later processes, how many times as fast as its kernel a winner of a sibling
 * is on this device; 0: nobody has tried. */
double clopt_kept_gain(const struct clopt_program_calls *calls, cl_device_id device,
                       const struct clopt_winner *winner);
void clopt_kept_put_gain(const struct clopt_program_calls *calls, cl_device_id device,
                         const struct clopt_winner *winner, double gain);

/* Names the family of a device, by these calls. */
void clopt_kept_family(const struct clopt_program_calls *calls, cl_device_id device,
                       char family[CLOPT_FAMILY_SIZE]);
