/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes an OpenCL device, as far as apps and optimizations decide by it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The fields are named after the OpenCL queries that fill them; texts are cut to their size. */
struct clopt_device_info {
    char platform[128];
    char name[128];
    char vendor[128];
    char type[16];            /* cpu, gpu, accelerator or custom */
    char opencl_version[64];  /* CL_DEVICE_VERSION, without "OpenCL " */
    char driver_version[128]; /* CL_DRIVER_VERSION */
    char platform_version[128];
    char extensions[4096];
    bool available;
    bool compiler_available;
    uint32_t compute_units;
    uint32_t clock_mhz;
    size_t max_work_group_size;
    size_t max_work_item_sizes[3];
    uint64_t local_memory_bytes;
    uint64_t global_memory_bytes;
    uint64_t max_allocation_bytes;
    uint64_t max_constant_bytes;
    uint32_t preferred_vector_width_float; /* and so on: in elements */
    uint32_t preferred_vector_width_double;
    uint32_t preferred_vector_width_int;
    uint32_t native_vector_width_float;
    uint32_t native_vector_width_double;
    uint32_t native_vector_width_int;
    uint32_t base_address_alignment_bits;
    uint64_t timer_resolution_ns;
    char opencl_c_features[2048]; /* names with blanks between them; "": before OpenCL 3.0 */
};
