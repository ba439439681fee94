/* SPDX-License-Identifier: BSD-3-Clause */
/* Random kernels that consist of loops over arrays, for tests of what changes loops. */
#pragma once

#include <stdint.h>

/* Returns kernel number `number`, k(global const int *in, global int *out, int n) with defined
 * behaviour, 64 work-items in groups of 16; n must be 16384. For the caller to free. */
char *random_loops(uint64_t number);

/* The same with numbers of half precision in place of float. */
char *random_half_loops(uint64_t number);
