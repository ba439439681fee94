/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares arrays element by element, on the host or on the device that made them. */
#ifndef CLOPT_WORKER_COMPARE_H
#define CLOPT_WORKER_COMPARE_H

#include <clopt/app.h>

#include "opencl/context.h"

struct clopt_comparison {
    uint64_t mismatches;
    uint64_t first;  /* index of the first mismatch */
    double absolute; /* largest |actual - expected|; infinite where one is NaN */
    double relative; /* largest |actual - expected| / |expected| */
    double ulp;      /* largest distance in units in the last place; floats only */
    double worst;    /* largest error, divided by what is allowed */
};

size_t clopt_element_bytes(enum clopt_element element);

/* Compares on the host. */
void clopt_compare_host(enum clopt_element element, const void *actual, const void *expected,
                        size_t count, double absolute, double relative,
                        struct clopt_comparison *comparison);

/* Compares on the device (not for CLOPT_FLOAT64). */
enum clopt_status clopt_compare_device(struct clopt_context *context, enum clopt_element element,
                                       cl_mem actual, const void *expected, size_t count,
                                       double absolute, double relative,
                                       struct clopt_comparison *comparison,
                                       struct clopt_error *error);

#endif
