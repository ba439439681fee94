/* SPDX-License-Identifier: BSD-3-Clause */
/* A shuffled order of the numbers 0 .. count-1 that needs no memory. */
#pragma once

#include <stdint.h>

/* A Feistel network over the next even power of two, walked along its cycles until the result is
 * in range (Black and Rogaway, Ciphers with arbitrary finite domains, CT-RSA 2002). */
struct clopt_permutation {
    uint64_t count;
    uint64_t seed;
    unsigned half_bits;
};

struct clopt_permutation clopt_permutation_make(uint64_t count, uint64_t seed);

/* Returns the number at position `index` (below count) of the order. */
uint64_t clopt_permutation_at(const struct clopt_permutation *permutation, uint64_t index);

/* Returns the place of a number (below count) in the order. */
uint64_t clopt_permutation_find(const struct clopt_permutation *permutation, uint64_t number);
