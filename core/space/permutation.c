/* SPDX-License-Identifier: BSD-3-Clause */
/* A shuffled order without memory. */
#include "space/permutation.h"

#include <clopt/random.h>

#define ROUNDS 4

struct clopt_permutation clopt_permutation_make(uint64_t count, uint64_t seed)
{
    struct clopt_permutation permutation = {.count = count, .seed = seed, .half_bits = 1};
    while (permutation.half_bits < 32 && (uint64_t)1 << (2 * permutation.half_bits) < count)
        permutation.half_bits++;
    return permutation;
}

/* What a round adds to one half, as the other half says. */
static uint64_t mix(const struct clopt_permutation *permutation, unsigned round, uint64_t half)
{
    struct clopt_random random = clopt_random_seed(permutation->seed, (uint64_t)round << 32 | half);
    return clopt_random_next(&random) & (((uint64_t)1 << permutation->half_bits) - 1);
}

static uint64_t encrypt(const struct clopt_permutation *permutation, uint64_t value)
{
    uint64_t mask = ((uint64_t)1 << permutation->half_bits) - 1;
    uint64_t left = value >> permutation->half_bits, right = value & mask;
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint64_t next = left ^ mix(permutation, round, right);
        left = right;
        right = next;
    }
    return left << permutation->half_bits | right;
}

static uint64_t decrypt(const struct clopt_permutation *permutation, uint64_t value)
{
    uint64_t mask = ((uint64_t)1 << permutation->half_bits) - 1;
    uint64_t left = value >> permutation->half_bits, right = value & mask;
    for (unsigned round = ROUNDS; round-- > 0;) {
        uint64_t before = right ^ mix(permutation, round, left);
        right = left;
        left = before;
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

uint64_t clopt_permutation_find(const struct clopt_permutation *permutation, uint64_t number)
{
    do
        number = decrypt(permutation, number);
    while (number >= permutation->count);
    return number;
}
