/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that sizes between measured ones get the variant whose work-groups fill rounds of compute
 * units best, where times follow rounds; that a variant is chosen by its times where they do not;
 * that less is lost so on devices of all kinds; and that nothing is computed where nothing is known
 * of launches. */
#include "commands/export/sizes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <clopt/ndrange.h>
#include <cmocka.h>

#define SIZES    6
#define VARIANTS 3
#define DEVICES  60

static const size_t tuned[SIZES] = {128, 256, 512, 1024, 2048, 4096};

/* A device with so many compute units, and variants with square tiles. */
struct device {
    size_t units, tiles[VARIANTS];
    double group_ns[VARIANTS]; /* for each row; the initial code first */
    double item_ns[VARIANTS];  /* not 0: times follow this alone, and no rounds */
};

/* One is slow; a product's tiles of 128 x 128 take less time for an element than those of 64 x 64,
 * if all units have some. */
static const struct device product = {132, {16, 64, 128}, {1, 1.3, 4}, {0}};

static size_t count_groups(const void *user, size_t variant, const size_t global[3])
{
    const struct device *device = user;
    size_t tile = device->tiles[variant];
    return clopt_divide_up(global[0], tile) * clopt_divide_up(global[1], tile);
}

static double find_time(const struct device *device, size_t variant, size_t n)
{
    const size_t global[] = {n, n, 1};
    size_t groups = count_groups(device, variant, global);
    double most = (double)clopt_divide_up(groups, device->units);
    double items = (double)n * (double)n;
    return 2000 + (device->item_ns[variant] > 0
                       ? device->item_ns[variant] * items + device->group_ns[variant]
                       : device->group_ns[variant] * most * (double)n);
}

/* What was measured of a device. */
struct measured {
    size_t global[SIZES][3];
    double losses[VARIANTS * SIZES], gains[VARIANTS * SIZES], best_ns[SIZES];
    struct clopt_size_table table;
};

static void measure(const struct device *device, struct measured *measured)
{
    for (size_t s = 0; s < SIZES; s++) {
        measured->global[s][0] = measured->global[s][1] = tuned[s];
        measured->global[s][2] = 1;
        measured->best_ns[s] = INFINITY;
        for (size_t v = 0; v < VARIANTS; v++)
            measured->best_ns[s] = fmin(measured->best_ns[s], find_time(device, v, tuned[s]));
        for (size_t v = 0; v < VARIANTS; v++) {
            double time = find_time(device, v, tuned[s]), initial = find_time(device, 0, tuned[s]);
            measured->losses[v * SIZES + s] = time / measured->best_ns[s] - 1;
            measured->gains[v * SIZES + s] = time < initial ? 1 : time > initial ? -1 : 0;
        }
    }
    measured->table = (struct clopt_size_table){
        .size_count = SIZES,
        .variant_count = VARIANTS,
        .dimensions = 2,
        .global = (const void *)measured->global,
        .losses = measured->losses,
        .gains = measured->gains,
        .precision = 0.02,
        .best_ns = measured->best_ns,
        .compute_units = device->units,
        .count_groups = count_groups,
        .user = device,
    };
}

static const struct clopt_size_range *find(const struct clopt_size_ranges *ranges, size_t n)
{
    const size_t global[] = {n, n, 1};
    const struct clopt_size_range *range = clopt_size_ranges_find(ranges, 2, global);
    assert_non_null(range);
    return range;
}

/* Returns what is lost on average at sizes between. */
static double find_loss(const struct device *device, const struct clopt_size_ranges *ranges)
{
    double sum = 0, count = 0;
    for (size_t n = tuned[0]; n <= tuned[SIZES - 1]; n += 16) {
        double least = INFINITY;
        for (size_t v = 0; v < VARIANTS; v++)
            least = fmin(least, find_time(device, v, n));
        sum += find_time(device, find(ranges, n)->variant, n) / least - 1;
        count++;
    }
    return sum / count;
}

static void rounds_choose(void **state)
{
    (void)state;
    struct measured measured;
    measure(&product, &measured);
    CLOPT_OWNED(clopt_size_ranges)
    near = clopt_size_ranges_grow(&measured.table, CLOPT_SIZES_NEAREST);
    CLOPT_OWNED(clopt_size_ranges)
    best = clopt_size_ranges_grow(&measured.table, CLOPT_SIZES_BEST);
    /* 144 work-groups of 128 x 128 take two rounds, and 576 of 64 x 64 five, which are shorter */
    assert_int_equal(find(&near, 1536)->variant, 2);
    assert_int_equal(find(&best, 1024)->variant, 1);
    assert_int_equal(find(&best, 1344)->variant, 2);
    assert_int_equal(find(&best, 1536)->variant, 1);
    assert_int_equal(find(&best, 1920)->variant, 2);
    assert_true(find_loss(&product, &near) > 0.02);
    assert_true(find_loss(&product, &best) < 0.005);
    /* no size was measured there: it is said, and the variant is that of a size where it was */
    const struct clopt_size_range *between = find(&best, 1536);
    assert_int_equal(between->sizes, 0);
    assert_int_equal(between->tested, 0);
    assert_true(tuned[between->largest] == 1024 || tuned[between->largest] == 2048);
}

/* Times are those of bytes, and change places at 580 rows. */
static void times_choose(void **state)
{
    (void)state;
    static const struct device bytes = {132, {16, 64, 128}, {9e5, 0, 33640}, {0.5, 0.4, 0.3}};
    struct measured measured;
    measure(&bytes, &measured);
    CLOPT_OWNED(clopt_size_ranges)
    near = clopt_size_ranges_grow(&measured.table, CLOPT_SIZES_NEAREST);
    CLOPT_OWNED(clopt_size_ranges)
    best = clopt_size_ranges_grow(&measured.table, CLOPT_SIZES_BEST);
    assert_int_equal(best.count, 2);
    assert_int_equal(find(&best, 540)->variant, 1);
    assert_int_equal(find(&best, 640)->variant, 2);
    assert_true(find_loss(&bytes, &best) <= find_loss(&bytes, &near));
}

/* Whose time is known at one size is for those that are nearest to it. */
static void one_size_is_one(void **state)
{
    (void)state;
    struct measured measured;
    measure(&product, &measured);
    for (size_t s = 0; s < SIZES; s++)
        if (tuned[s] != 2048)
            measured.losses[2 * SIZES + s] = NAN;
    CLOPT_OWNED(clopt_size_ranges)
    ranges = clopt_size_ranges_grow(&measured.table, CLOPT_SIZES_ROUNDS);
    assert_int_equal(find(&ranges, 2048)->variant, 2);
    assert_int_equal(find(&ranges, 1536)->variant, 2);
    assert_int_equal(find(&ranges, 1344)->variant, 1);
    assert_int_equal(find(&ranges, 2800)->variant, 2);
    assert_int_equal(find(&ranges, 3072)->variant, 1);
}

static uint32_t random_state = 1;

/* Returns a number from 0 to 1. */
static double draw(void)
{
    random_state = random_state * 1664525 + 1013904223;
    return (double)(random_state >> 8) / (1 << 24);
}

/* A device of 16 to 143 compute units, where larger tiles take less time for an element; noise of
 * 2% is in what is measured. */
static void draw_device(struct device *device)
{
    *device = (struct device){.units = 16 + (size_t)(128 * draw()), .tiles = {16, 32, 128}};
    device->tiles[1] = draw() < 0.5 ? 32 : 64;
    for (size_t v = 0; v < VARIANTS; v++) {
        double tile = (double)device->tiles[v];
        double each = (v ? 1 + (10 + 20 * draw()) / tile : 8) * (1 + 0.2 * draw());
        device->group_ns[v] = 0.0005 * tile * tile * each;
    }
}

static void add_noise(struct measured *measured)
{
    for (size_t s = 0; s < SIZES; s++) {
        double least = INFINITY;
        for (size_t v = 0; v < VARIANTS; v++) {
            double *loss = &measured->losses[v * SIZES + s];
            *loss = (1 + *loss) * (0.98 + 0.04 * draw());
            least = fmin(least, *loss);
        }
        for (size_t v = 0; v < VARIANTS; v++)
            measured->losses[v * SIZES + s] = measured->losses[v * SIZES + s] / least - 1;
        measured->best_ns[s] *= least;
    }
}

static void less_is_lost(void **state)
{
    (void)state;
    double sum_near = 0, sum_best = 0;
    for (size_t i = 0; i < DEVICES; i++) {
        struct device device;
        struct measured measured;
        draw_device(&device);
        measure(&device, &measured);
        add_noise(&measured);
        CLOPT_OWNED(clopt_size_ranges)
        near = clopt_size_ranges_grow(&measured.table, CLOPT_SIZES_NEAREST);
        CLOPT_OWNED(clopt_size_ranges)
        best = clopt_size_ranges_grow(&measured.table, CLOPT_SIZES_BEST);
        sum_near += find_loss(&device, &near);
        sum_best += find_loss(&device, &best);
    }
    print_message("lost on average: %.2f%%, by the nearest size %.2f%%\n", 100 * sum_best / DEVICES,
                  100 * sum_near / DEVICES);
    assert_true(sum_best < 0.6 * sum_near);
}

static void unknown_launches_choose_nothing(void **state)
{
    (void)state;
    struct measured measured;
    measure(&product, &measured);
    measured.table.compute_units = 0;
    CLOPT_OWNED(clopt_size_ranges)
    ranges = clopt_size_ranges_grow(&measured.table, CLOPT_SIZES_ROUNDS);
    assert_int_equal(find(&ranges, 1536)->variant, 2);
    assert_int_equal(find(&ranges, 1536)->sizes, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_choose),
        cmocka_unit_test(times_choose),
        cmocka_unit_test(one_size_is_one),
        cmocka_unit_test(less_is_lost),
        cmocka_unit_test(unknown_launches_choose_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
