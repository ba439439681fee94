/* SPDX-License-Identifier: BSD-3-Clause */
/* Random kernels that read neighbours, rows, columns and tables, for tests of what brings them into
 * other memory. */
#pragma once

#include <stdint.h>

/* Returns kernel number `number`, k(global const int *in, global int *out, int n) with defined
 * behaviour, 32 x 16 work-items in groups of 8 x 4; n must be 16384. What is read reaches the first
 * and the last element, some of it only where a condition lets it. For the caller to free. */
char *random_reads(uint64_t number);
