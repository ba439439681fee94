/* SPDX-License-Identifier: BSD-3-Clause */
/* What [results] says: how a result is compared with what it must be. */
#pragma once

#include "type.h"

enum kernel_comparison {
    KERNEL_EACH,       /* element by element */
    KERNEL_SUM,        /* the sums over all elements */
    KERNEL_SORTED,     /* element by element, after both have been sorted */
    KERNEL_BY_PROGRAM, /* by a program of the user's */
    KERNEL_IGNORED,
};

struct kernel_tolerance {
    enum kernel_comparison how;
    bool usual; /* the study does not say how far off numbers may be: see kernel_tolerance_of() */
    bool exact;
    bool is_ulp;
    bool bounded; /* absolute or relative */
    bool nan;     /* is right where it is expected */
    double absolute;
    double relative;
    double ulp;
    char *file;    /* the expected values, as the study writes it; NULL: the reference */
    char *program; /* a command; NULL: none */
    struct kernel_position position; /* of the line; without a key where the study has none */
};

/* Resolves what the study leaves open, for numbers of a kind. `approximate` says that some program
 * computes with functions whose accuracy is low: native_sin, half_exp. */
struct kernel_tolerance kernel_tolerance_of(const struct kernel_tolerance *tolerance,
                                            const struct kernel_component *component,
                                            bool approximate);

/* Reads a line of [results]. */
void kernel_tolerance_read(const struct kernel_position *position, const struct kernel_type *type,
                           struct kernel_tolerance *tolerance, struct clopt_error *error);
void kernel_tolerance_fini(struct kernel_tolerance *tolerance);
