/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes pseudo-random inputs that are the same on every machine. */
#pragma once

#include <stdint.h>

#include <clopt/error.h>

/* SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014). */
struct clopt_random {
    uint64_t state;
};

/* Starts stream number `stream` of `seed`: streams are independent of each other. */
CLOPT_API struct clopt_random clopt_random_seed(uint64_t seed, uint64_t stream);

CLOPT_API uint64_t clopt_random_next(struct clopt_random *random);

/* Returns a sequence as it is after `count` numbers. */
static inline struct clopt_random clopt_random_skip(struct clopt_random random, uint64_t count)
{
    return (struct clopt_random){random.state + count * UINT64_C(0x9E3779B97F4A7C15)};
}

/* Returns what the generator makes of its state. */
static inline uint64_t clopt_random_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* Returns an integer below `bound` (> 0), without bias. */
CLOPT_API uint64_t clopt_random_below(struct clopt_random *random, uint64_t bound);

/* Returns a double in [0, 1). */
static inline double clopt_random_real(struct clopt_random *random)
{
    *random = clopt_random_skip(*random, 1);
    return (double)(clopt_random_mix(random->state) >> 11) * 0x1p-53;
}
