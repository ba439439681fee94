/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what Oclgrind counts of the kernels that it runs (--inst-counts). */
#pragma once

#include <clopt/error.h>

#define CLOPT_COUNTED_NAME 128 /* of a kernel, at most */

/* What is counted. Accesses are by address space: loads, bytes loaded, stores and bytes stored. */
enum clopt_count {
    CLOPT_COUNT_INSTRUCTIONS, /* all; one of a vector is one */
    CLOPT_COUNT_FLOAT,        /* arithmetic of floating-point numbers; a fused one is two */
    CLOPT_COUNT_INTEGER,      /* arithmetic of integers, that of addresses included */
    CLOPT_COUNT_MATH,         /* calls of built-in functions that compute */
    CLOPT_COUNT_BRANCHES,
    CLOPT_COUNT_BARRIERS, /* one a work-item */
    CLOPT_COUNT_ATOMICS,
    CLOPT_COUNT_GLOBAL,
    CLOPT_COUNT_LOCAL = CLOPT_COUNT_GLOBAL + 4,
    CLOPT_COUNT_CONSTANT = CLOPT_COUNT_LOCAL + 4,
    CLOPT_COUNT_PRIVATE = CLOPT_COUNT_CONSTANT + 4,
    CLOPT_COUNTS = CLOPT_COUNT_PRIVATE + 4
};

/* What one kernel executed in all its launches. */
struct clopt_counts {
    char kernel[CLOPT_COUNTED_NAME];
    double values[CLOPT_COUNTS];
};

/* "global_loads", "global_load_bytes" and so on. */
const char *clopt_count_name(enum clopt_count count);

/* Reads what Oclgrind has printed, between whatever kernels print, for the caller to free in any
 * case; one item a kernel, in the order of their first launches. CLOPT_FAILED: it is cut off, or
 * something else. */
enum clopt_status clopt_counts_read(const char *text, struct clopt_counts **counts, size_t *count,
                                    struct clopt_error *error);
