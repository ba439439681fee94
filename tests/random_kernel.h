/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes random kernels to try rewriting on. */
#ifndef RANDOM_KERNEL_H
#define RANDOM_KERNEL_H

#include <stdint.h>

/* Returns kernel number `number`, for the caller to free: free of data races and of undefined
 * behaviour, 64 work-items in groups of 16, with loops, branches, private arrays, vectors, barriers
 * in uniform flow and functions, and results of every work-item in memory. */
char *random_kernel(uint64_t number);

#endif
