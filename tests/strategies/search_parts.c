/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that every strategy asks for feasible points only, each once, finds the optimum of spaces
 * where it is known, is the seed's own, and goes on where trials fail or are told late. */
#include "strategies/strategies.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "search/space.h"

#define WIDTH 4

/* Work-group sizes, a tile, and a layout: products above 512 are infeasible. */
static const struct clopt_number powers[] = {{.real = 1},  {.real = 2},  {.real = 4},
                                             {.real = 8},  {.real = 16}, {.real = 32},
                                             {.real = 64}, {.real = 128}};
static const struct clopt_domain domains[WIDTH] = {
    {"x", 8, powers}, {"y", 8, powers}, {"tile", 5, powers}, {"layout", 4, NULL}};

static bool fits(const void *user, const size_t *point)
{
    (void)user;
    return powers[point[0]].real * powers[point[1]].real <= 512;
}

/* Feasible points by number: counts through all. */
static void get(const void *user, uint64_t number, size_t *point)
{
    for (uint64_t all = 0;; all++) {
        uint64_t rest = all;
        for (size_t i = WIDTH; i-- > 0; rest /= domains[i].count)
            point[i] = rest % domains[i].count;
        if (fits(user, point) && number-- == 0)
            return;
    }
}

#define SIZE 980 /* 49 of the 64 work-group sizes */

static const struct clopt_search_space numbered = {domains, WIDTH, SIZE, get,
                                                   fits,    NULL,  NULL, NULL};
static const struct clopt_search_space drawn = {domains, WIDTH, UINT64_MAX, NULL,
                                                fits,    NULL,  NULL,       NULL};

/* The fastest is x = 32, y = 8, tile = 4 and layout 2; some fail. */
static double time_of(const size_t *point)
{
    static const double layouts[] = {1.5, 1.2, 1, 2};
    double x = (double)point[0] - 5, y = (double)point[1] - 3, tile = (double)point[2] - 2;
    if (point[0] == 7 && point[2] == 4)
        return NAN;
    return exp(0.2 * x * x + 0.3 * y * y + 0.1 * x * y + 0.25 * tile * tile) * layouts[point[3]];
}

/* ---- what all strategies have to do ---- */

/* Runs a search, until the optimum is found where `ends` says so; returns after how many trials
 * that was, or `budget`. */
static size_t run(const struct clopt_strategy *strategy, const struct clopt_search_space *space,
                  uint64_t seed, size_t budget, bool ends, struct clopt_keys *points)
{
    struct clopt_search *search = clopt_search_create(strategy, space, seed);
    size_t trial, needed = budget;
    for (size_t i = 0; i < budget && !(ends && needed < budget); i++) {
        if (!clopt_search_ask(search, &trial))
            break;
        const size_t *point = clopt_search_point(search, trial);
        assert_int_equal(trial, i);
        assert_true(fits(NULL, point));
        assert_int_equal(clopt_keys_find(points, point), CLOPT_NO_KEY);
        clopt_keys_add(points, point);
        double time = time_of(point);
        needed = time == 1 && needed == budget ? i : needed;
        clopt_search_tell(search, trial, time, i % 2 ? 1 : NAN);
    }
    clopt_search_destroy(search);
    return needed;
}

/* The strategies that ship. */
static const struct named {
    const char *name;
    const struct clopt_strategy *strategy;
} strategies[] = {{"model", &clopt_strategy_model},           {"genetic", &clopt_strategy_genetic},
                  {"local", &clopt_strategy_local},           {"random", &clopt_strategy_random},
                  {"exhaustive", &clopt_strategy_exhaustive}, {NULL, NULL}};

static const struct clopt_strategy *find(const char *name)
{
    const struct named *strategy = strategies;
    while (strcmp(strategy->name, name) != 0)
        strategy++;
    return strategy->strategy;
}

static void every_point_is_asked_for_once(void **state)
{
    (void)state;
    for (const struct named *strategy = strategies; strategy->name; strategy++) {
        /* A forest for each trial takes its time; the first hundred proves the same. */
        size_t budget = strategy == strategies ? 100 : SIZE + 100;
        struct clopt_keys points = {.bytes = WIDTH * sizeof(size_t)};
        run(strategy->strategy, &numbered, 1, budget, false, &points);
        assert_int_equal(points.count, budget < SIZE ? budget : SIZE);
        clopt_keys_fini(&points);
    }
}

static void same_seed_same_points(void **state)
{
    (void)state;
    for (const struct named *strategy = strategies; strategy->name; strategy++) {
        struct clopt_keys points[3] = {{.bytes = WIDTH * sizeof(size_t)},
                                       {.bytes = WIDTH * sizeof(size_t)},
                                       {.bytes = WIDTH * sizeof(size_t)}};
        for (uint64_t i = 0; i < 3; i++)
            run(strategy->strategy, &drawn, i / 2, 40, false, &points[i]);
        size_t bytes = points[0].count * WIDTH * sizeof(size_t);
        assert_int_equal(points[0].count, 40);
        assert_memory_equal(points[0].data, points[1].data, bytes);
        if (strcmp(strategy->name, "exhaustive") != 0)
            assert_memory_not_equal(points[0].data, points[2].data, bytes);
        for (uint64_t i = 0; i < 3; i++)
            clopt_keys_fini(&points[i]);
    }
}

/* Sanitizers watch one run, which says little of chance. */
static bool is_one_run_enough(void)
{
    return getenv("CLOPT_SANITIZERS") != NULL;
}

/* Returns the sum of trials to the optimum over some runs. */
static size_t sum_trials(const char *name, const struct clopt_search_space *space)
{
    size_t sum = 0;
    uint64_t seeds = is_one_run_enough() ? 1 : 8;
    for (uint64_t seed = 0; seed < seeds; seed++) {
        struct clopt_keys points = {.bytes = WIDTH * sizeof(size_t)};
        sum += run(find(name), space, seed, 500, true, &points);
        clopt_keys_fini(&points);
    }
    return sum;
}

/* Which are better than chance, and by how much at least. */
static void optimum_is_found_sooner(void **state)
{
    (void)state;
    const struct clopt_search_space *const spaces[] = {&numbered, &drawn};
    for (size_t i = 0; i < 2; i++) {
        size_t random = sum_trials("random", spaces[i]);
        size_t model = sum_trials("model", spaces[i]);
        size_t local = sum_trials("local", spaces[i]);
        size_t genetic = sum_trials("genetic", spaces[i]);
        assert_true(is_one_run_enough() || 6 * model < random);
        assert_true(is_one_run_enough() || 4 * local < random);
        assert_true(is_one_run_enough() || 2 * genetic < random);
    }
}

/* ---- odd ways to be told ---- */

static void trials_are_told_late(void **state)
{
    (void)state;
    for (const struct named *strategy = strategies; strategy->name; strategy++) {
        struct clopt_search *search = clopt_search_create(strategy->strategy, &drawn, 1);
        struct clopt_keys points = {.bytes = WIDTH * sizeof(size_t)};
        for (size_t batch = 0; batch < 5; batch++) {
            size_t trials[8];
            for (size_t i = 0; i < 8; i++) {
                assert_true(clopt_search_ask(search, &trials[i]));
                const size_t *point = clopt_search_point(search, trials[i]);
                assert_int_equal(clopt_keys_find(&points, point), CLOPT_NO_KEY);
                clopt_keys_add(&points, point);
            }
            for (size_t i = 8; i-- > 0;)
                clopt_search_tell(search, trials[i], time_of(clopt_search_point(search, trials[i])),
                                  1);
        }
        clopt_search_destroy(search);
        clopt_keys_fini(&points);
    }
}

static void all_trials_may_fail(void **state)
{
    (void)state;
    for (const struct named *strategy = strategies; strategy->name; strategy++) {
        struct clopt_search *search = clopt_search_create(strategy->strategy, &drawn, 1);
        for (size_t i = 0; i < 100; i++) {
            size_t trial;
            assert_true(clopt_search_ask(search, &trial));
            clopt_search_tell(search, trial, NAN, 0);
        }
        clopt_search_destroy(search);
    }
}

/* ---- spaces ---- */

static bool nothing_fits(const void *user, const size_t *point)
{
    (void)user;
    (void)point;
    return false;
}

static void empty_spaces_end(void **state)
{
    const struct clopt_search_space empty[] = {
        {domains, WIDTH, 0, get, nothing_fits, NULL, NULL, NULL},
        {domains, WIDTH, UINT64_MAX, NULL, nothing_fits, NULL, NULL, NULL}};
    (void)state;
    for (const struct named *strategy = strategies; strategy->name; strategy++)
        for (size_t i = 0; i < 2; i++) {
            struct clopt_search *search = clopt_search_create(strategy->strategy, &empty[i], 1);
            size_t trial;
            assert_false(clopt_search_ask(search, &trial));
            clopt_search_destroy(search);
        }
}

static void neighbours_differ_in_one_parameter(void **state)
{
    const size_t point[WIDTH] = {5, 4, 0, 1};
    size_t found[32 * WIDTH];
    (void)state;
    assert_int_equal(clopt_neighbour_limit(&drawn), 7 + 7 + 4 + 3);
    /* x = 32 and y = 16 may not grow: their product is the limit. */
    size_t count = clopt_neighbours_find(&drawn, point, found);
    assert_int_equal(count, 5 + 4 + 4 + 3);
    for (size_t i = 0; i < count; i++) {
        size_t differences = 0;
        for (size_t p = 0; p < WIDTH; p++)
            differences += found[i * WIDTH + p] != point[p];
        assert_int_equal(differences, 1);
        assert_true(fits(NULL, found + i * WIDTH));
    }
}

/* A stranger's: chooses what is there, what is known, what does not fit and what no parameter has.
 */
static bool choose_wrongly(struct clopt_search *search, size_t *point)
{
    static const size_t points[][WIDTH] = {
        {5, 3, 2, 2}, {5, 3, 2, 2}, {7, 7, 2, 2}, {8, 3, 2, 2}, {5, 3, 2, SIZE_MAX}};
    memcpy(point, points[search->points.count % 5], sizeof points[0]);
    return true;
}

static void wrong_choices_are_none(void **state)
{
    static const struct clopt_strategy stranger = {.choose = choose_wrongly};
    (void)state;
    struct clopt_keys points = {.bytes = WIDTH * sizeof(size_t)};
    run(&stranger, &numbered, 1, 100, false, &points);
    assert_int_equal(points.count, 100);
    clopt_keys_fini(&points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_point_is_asked_for_once),
        cmocka_unit_test(same_seed_same_points),
        cmocka_unit_test(optimum_is_found_sooner),
        cmocka_unit_test(trials_are_told_late),
        cmocka_unit_test(all_trials_may_fail),
        cmocka_unit_test(empty_spaces_end),
        cmocka_unit_test(wrong_choices_are_none),
        cmocka_unit_test(neighbours_differ_in_one_parameter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
