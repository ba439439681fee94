/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes random kernels to try rewriting on. */
#pragma once

#include <stdint.h>

/* Returns kernel number `number`, for the caller to free: free of data races and of undefined
 * behaviour, 64 work-items in groups of 16, with loops, branches, private arrays, vectors, barriers
 * in uniform flow and functions, and results of every work-item in memory. */
char *random_kernel(uint64_t number);

/* Who returns from a random kernel, and when. */
enum random_returns {
    RANDOM_RETURNS_LATE,      /* after the last barrier */
    RANDOM_RETURNS_OF_GROUPS, /* whole groups before barriers, too */
    RANDOM_RETURNS_OF_ITEMS   /* work-items before barriers that others of their groups come to */
};

/* The same with other returns. What work-items do that leave others alone at a barrier OpenCL does
 * not define: Oclgrind goes on without them, and says so; so do GPUs. */
char *random_returning_kernel(uint64_t number, enum random_returns returns);
