/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares results with what they must be. */
#pragma once

#include "argument.h"

/* The elements of a buffer in host memory. */
struct kernel_values {
    const void *data;
    size_t count;
};

/* A result, and what it must be. */
struct kernel_pair {
    const struct kernel_argument *argument;
    struct kernel_values actual;
    struct kernel_values expected;
    bool approximate; /* see kernel_tolerance_of() */
};

/* Refuses values among which some are NaN: no result can be compared with them. */
void kernel_compare_refuse_nan(const struct kernel_argument *argument, struct kernel_values values,
                               struct clopt_error *error);

/* Compares a result as its tolerance says, other than by a program, and fills the verdict. */
void kernel_compare(const struct kernel_pair *pair, struct clopt_verdict *verdict,
                    struct clopt_error *error);

/* The same, element by element, of a result that is read in rows of one element, as many as are
 * expected; ends the rows. */
enum clopt_status kernel_compare_rows(const struct kernel_pair *pair, struct clopt_rows *rows,
                                      struct clopt_verdict *verdict);
