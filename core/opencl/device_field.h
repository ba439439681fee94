/* SPDX-License-Identifier: BSD-3-Clause */
/* The fields of struct clopt_device_info, as a table. */
#pragma once

#include <CL/cl.h>
#include <stddef.h>

struct clopt_device_field {
    const char *name;
    enum {
        CLOPT_DEVICE_TEXT,
        CLOPT_DEVICE_TRUTH,
        CLOPT_DEVICE_NUMBER, /* of 4 or 8 bytes */
        CLOPT_DEVICE_SIZES,
    } kind;
    cl_device_info query; /* that gives it as it is; 0: none */
    size_t at, bytes;
};

/* The last has no name. */
extern const struct clopt_device_field clopt_device_fields[];
