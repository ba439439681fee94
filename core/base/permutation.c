/* SPDX-License-Identifier: BSD-3-Clause */
/* A shuffled order without memory. */
#include "base/permutation.h"

#include <clopt/random.h>

#define ROUNDS 4

struct clopt_permutation clopt_permutation_make(uint64_t count, uint64_t seed)
{
    struct clopt_permutation permutation = {.count = count, .seed = seed, .half_bits = 1};
    while (permutation.half_bits < 32 && (uint64_t)1 << (2 * permutation.half_bits) < count)
        permutation.half_bits++;
    return permutation;
}

static uint64_t encrypt(const struct clopt_permutation *permutation, uint64_t value)
{
    uint64_t mask = ((uint64_t)1 << permutation->half_bits) - 1;
    uint64_t left = value >> permutation->half_bits, right = value & mask;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct clopt_random random =
            clopt_random_seed(permutation->seed, (uint64_t)round << 32 | right);
        uint64_t next = left ^ (clopt_random_next(&random) & mask);
        left = right;
        right = next;
    }
    return left << permutation->half_bits | right;
}

uint64_t clopt_permutation_at(const struct clopt_permutation *permutation, uint64_t index)
{
    do
        index = encrypt(permutation, index);
    while (index >= permutation->count);
    return index;
}
