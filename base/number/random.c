/* SPDX-License-Identifier: BSD-3-Clause */
/* SplitMix64 pseudo-random numbers. */
#include <clopt/random.h>

struct clopt_random clopt_random_seed(uint64_t seed, uint64_t stream)
{
    struct clopt_random random = {stream};
    random.state = seed ^ clopt_random_next(&random);
    return random;
}

uint64_t clopt_random_next(struct clopt_random *random)
{
    *random = clopt_random_skip(*random, 1);
    return clopt_random_mix(random->state);
}

uint64_t clopt_random_below(struct clopt_random *random, uint64_t bound)
{
    /* Refuses the top of the range that would make small values likelier. */
    uint64_t limit = UINT64_MAX - UINT64_MAX % bound;
    uint64_t value;
    do
        value = clopt_random_next(random);
    while (value >= limit);
    return value % bound;
}
