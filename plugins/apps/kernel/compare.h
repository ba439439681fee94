/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares results with what they must be. */
#ifndef KERNEL_COMPARE_H
#define KERNEL_COMPARE_H

#include "argument.h"

/* The elements of a buffer in host memory. */
struct kernel_values {
    const void *data;
    size_t count;
};

/* Refuses values among which some are NaN: no result can be compared with them. */
enum clopt_status kernel_compare_refuse_nan(const struct kernel_argument *argument,
                                            struct kernel_values values, struct clopt_error *error);

/* Compares a result as its tolerance says, other than by a program, and fills the verdict.
 * `approximate`: see kernel_tolerance_of(). */
enum clopt_status kernel_compare(const struct kernel_argument *argument, bool approximate,
                                 struct kernel_values actual, struct kernel_values expected,
                                 struct clopt_verdict *verdict, struct clopt_error *error);

#endif
