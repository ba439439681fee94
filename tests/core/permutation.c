/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that the shuffled order of trials has each exactly once, is the seed's own, and mixes. */
#include "space/permutation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* Whether the order has every number below `count` once, at the place where it is found. */
static bool is_complete(uint64_t count, uint64_t seed)
{
    struct clopt_permutation order = clopt_permutation_make(count, seed);
    unsigned char *seen = calloc(count ? count : 1, 1);
    uint64_t different = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t number = clopt_permutation_at(&order, i);
        if (number < count && clopt_permutation_find(&order, number) == i)
            different += !seen[number]++;
    }
    free(seen);
    return different == count;
}

static void small_orders_are_permutations(void **state)
{
    (void)state;
    for (uint64_t count = 0; count <= 300; count++)
        for (uint64_t seed = 0; seed < 4; seed++)
            if (!is_complete(count, seed))
                fail_msg("%u numbers, seed %u", (unsigned)count, (unsigned)seed);
}

static void large_orders_are_permutations(void **state)
{
    (void)state;
    static const uint64_t counts[] = {1023, 1024, 1025, 65535, 65536, 65537, 100003, 1000000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (!is_complete(counts[i], 7))
            fail_msg("%u numbers", (unsigned)counts[i]);
}

static void huge_orders_stay_in_range(void **state)
{
    (void)state;
    static const uint64_t counts[] = {(uint64_t)1 << 62, ((uint64_t)1 << 62) + 1, (uint64_t)1 << 63,
                                      UINT64_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct clopt_permutation order = clopt_permutation_make(counts[i], 1);
        for (uint64_t k = 0; k < 1000; k++)
            assert_true(clopt_permutation_at(&order, counts[i] - 1 - k) < counts[i]);
    }
}

static void order_is_the_seeds(void **state)
{
    (void)state;
    struct clopt_permutation one = clopt_permutation_make(1000, 1);
    struct clopt_permutation same = clopt_permutation_make(1000, 1);
    struct clopt_permutation other = clopt_permutation_make(1000, 2);
    unsigned equal = 0;
    for (uint64_t i = 0; i < 1000; i++) {
        assert_int_equal(clopt_permutation_at(&one, i), clopt_permutation_at(&same, i));
        equal += clopt_permutation_at(&one, i) == clopt_permutation_at(&other, i);
    }
    assert_true(equal < 20); /* one is to be expected */
}

/* Neighbours in the space must not stay neighbours in time, or drift would favour one of them. */
static void neighbours_are_parted(void **state)
{
    (void)state;
    struct clopt_permutation order = clopt_permutation_make(1000, 1);
    unsigned close = 0;
    for (uint64_t i = 1; i < 1000; i++) {
        uint64_t before = clopt_permutation_at(&order, i - 1);
        uint64_t here = clopt_permutation_at(&order, i);
        close += (here > before ? here - before : before - here) <= 10;
    }
    assert_true(close < 60); /* twenty are to be expected */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_orders_are_permutations),
        cmocka_unit_test(large_orders_are_permutations),
        cmocka_unit_test(huge_orders_stay_in_range),
        cmocka_unit_test(order_is_the_seeds),
        cmocka_unit_test(neighbours_are_parted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
