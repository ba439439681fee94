/* SPDX-License-Identifier: BSD-3-Clause */
/* How a result is compared with what it must be. */
#ifndef KERNEL_TOLERANCE_H
#define KERNEL_TOLERANCE_H

#include "type.h"

struct kernel_tolerance {
    bool ignore;
    bool exact;
    bool is_ulp;
    double absolute;
    double relative;
    double ulp;
    char *file; /* with what it is compared, as the study writes it; NULL: the reference */
};

/* The tolerance of a result of which the study says nothing. */
struct kernel_tolerance kernel_tolerance_usual(const struct kernel_type *type);

/* Reads a line of [results]. */
enum clopt_status kernel_tolerance_read(const struct kernel_place *place,
                                        const struct kernel_type *type,
                                        struct kernel_tolerance *tolerance,
                                        struct clopt_error *error);
void kernel_tolerance_fini(struct kernel_tolerance *tolerance);

/* Compares `count` elements and fills the verdict; the error is a multiple of what is allowed. */
void kernel_compare(const char *name, const struct kernel_type *type,
                    const struct kernel_tolerance *tolerance, const void *actual,
                    const void *expected, size_t count, struct clopt_verdict *verdict);

#endif
