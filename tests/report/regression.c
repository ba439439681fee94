/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that regression trees are those that are published, that categories are split as well as
 * can be, and that forests and cross-validation tell what is known from what is not. */
#include "analyses/analyses.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "text/text.h"

#define CARS 32

/* Miles per gallon, cylinders, displacement, horsepower and weight of 32 cars (Henderson and
 * Velleman, Building multiple regression models interactively, Biometrics 37, 1981, table 1). */
static const double cars[CARS][5] = {
    {21.0, 6, 160, 110, 2.620},   {21.0, 6, 160, 110, 2.875},   {22.8, 4, 108, 93, 2.320},
    {21.4, 6, 258, 110, 3.215},   {18.7, 8, 360, 175, 3.440},   {18.1, 6, 225, 105, 3.460},
    {14.3, 8, 360, 245, 3.570},   {24.4, 4, 146.7, 62, 3.190},  {22.8, 4, 140.8, 95, 3.150},
    {19.2, 6, 167.6, 123, 3.440}, {17.8, 6, 167.6, 123, 3.440}, {16.4, 8, 275.8, 180, 4.070},
    {17.3, 8, 275.8, 180, 3.730}, {15.2, 8, 275.8, 180, 3.780}, {10.4, 8, 472, 205, 5.250},
    {10.4, 8, 460, 215, 5.424},   {14.7, 8, 440, 230, 5.345},   {32.4, 4, 78.7, 66, 2.200},
    {30.4, 4, 75.7, 52, 1.615},   {33.9, 4, 71.1, 65, 1.835},   {21.5, 4, 120.1, 97, 2.465},
    {15.5, 8, 318, 150, 3.520},   {15.2, 8, 304, 150, 3.435},   {13.3, 8, 350, 245, 3.840},
    {19.2, 8, 400, 175, 3.845},   {27.3, 4, 79, 66, 1.935},     {26.0, 4, 120.3, 91, 2.140},
    {30.4, 4, 95.1, 113, 1.513},  {15.8, 8, 351, 264, 3.170},   {19.7, 6, 145, 175, 2.770},
    {15.0, 8, 301, 335, 3.570},   {21.4, 4, 121, 109, 2.780},
};

static const struct clopt_feature car_features[] = {
    {.name = "cylinders"}, {.name = "displacement"}, {.name = "horsepower"}, {.name = "weight"}};

struct car_data {
    double values[CARS][4];
    double targets[CARS];
    struct clopt_observations observations;
};

static void load_cars(struct car_data *data)
{
    for (size_t i = 0; i < CARS; i++) {
        data->targets[i] = cars[i][0];
        for (size_t f = 0; f < 4; f++)
            data->values[i][f] = cars[i][f + 1];
    }
    data->observations =
        (struct clopt_observations){car_features, 4, &data->values[0][0], data->targets, CARS};
}

static void expect_node(const struct clopt_regression_node *node, size_t count, double mean,
                        double squares)
{
    assert_int_equal(node->count, count);
    assert_true(fabs(node->mean - mean) < 1e-5);
    assert_true(fabs(node->squares - squares) < 1e-4);
}

/* The tree that the package rpart of R prints for these cars, with its defaults: nodes of 20 and
 * more are split, leaves have 7 or more, a split explains a hundredth of the whole. */
static void published_tree(void **state)
{
    const struct clopt_regression_rules rules = {
        .least_leaf = 7, .least_split = 20, .least_gain = 0.01};
    struct car_data data;
    (void)state;
    load_cars(&data);
    struct clopt_regression tree = clopt_regression_grow(&data.observations, &rules);
    assert_int_equal(tree.count, 5);
    const struct clopt_regression_node *root = tree.nodes;
    expect_node(root, 32, 20.09062, 1126.04719);
    assert_int_equal(root->feature, 0);
    assert_true(root->threshold == 5);
    expect_node(&tree.nodes[root->left], 11, 26.66364, 203.38545);
    const struct clopt_regression_node *many = &tree.nodes[root->right];
    expect_node(many, 21, 16.64762, 198.47238);
    assert_int_equal(many->feature, 2);
    assert_true(many->threshold == 192.5);
    expect_node(&tree.nodes[many->left], 14, 18.26429, 59.87214);
    expect_node(&tree.nodes[many->right], 7, 13.41429, 28.82857);
    clopt_regression_fini(&tree);
}

static void tree_is_printed(void **state)
{
    static const char expected[] = "all: 20.09 (32)\n"
                                   "  cylinders <= 5: 26.66 (11)\n"
                                   "  cylinders > 5: 16.65 (21)\n"
                                   "    horsepower <= 192.5: 18.26 (14)\n"
                                   "    horsepower > 192.5: 13.41 (7)\n";
    const struct clopt_regression_rules rules = {
        .least_leaf = 7, .least_split = 20, .least_gain = 0.01};
    struct car_data data;
    struct clopt_text text = {0};
    (void)state;
    load_cars(&data);
    struct clopt_regression tree = clopt_regression_grow(&data.observations, &rules);
    clopt_regression_append(&text, &tree, car_features);
    assert_string_equal(clopt_text_string(&text), expected);
    clopt_text_fini(&text);
    clopt_regression_fini(&tree);
}

/* ---- categories ---- */

#define LETTERS 6

/* The sum of squares that is left when some letters are apart from the others. */
static double squares_apart(const double *values, const double *targets, size_t count,
                            unsigned letters)
{
    double left = 0;
    for (unsigned side = 0; side < 2; side++) {
        double sum = 0, squares = 0, rows = 0;
        for (size_t i = 0; i < count; i++)
            if ((letters >> (unsigned)values[i] & 1) == side) {
                sum += targets[i];
                squares += targets[i] * targets[i];
                rows++;
            }
        left += rows > 0 ? squares - sum * sum / rows : 0;
    }
    return left;
}

/* No subset of the categories is a better split than the one that is found. */
static void best_subset_is_found(void **state)
{
    static const char *const names[LETTERS] = {"a", "b", "c", "d", "e", "f"};
    static const struct clopt_feature letter = {"letter", names, LETTERS};
    const struct clopt_regression_rules rules = {.least_leaf = 1, .most_depth = 1};
    struct clopt_random random = clopt_random_seed(3, 0);
    double values[40], targets[40];
    (void)state;
    for (int round = 0; round < 50; round++) {
        double best = INFINITY;
        for (size_t i = 0; i < 40; i++) {
            values[i] = (double)clopt_random_below(&random, LETTERS);
            targets[i] = sin(values[i] * 2.3 + round) + clopt_random_real(&random);
        }
        const struct clopt_observations observations = {&letter, 1, values, targets, 40};
        struct clopt_regression tree = clopt_regression_grow(&observations, &rules);
        for (unsigned letters = 1; letters < (1u << LETTERS) - 1; letters++)
            best = fmin(best, squares_apart(values, targets, 40, letters));
        assert_int_equal(tree.count, 3);
        assert_true(fabs(tree.nodes[1].squares + tree.nodes[2].squares - best) < 1e-9);
        clopt_regression_fini(&tree);
    }
}

/* ---- prediction ---- */

#define POINTS 200

struct wave {
    double values[POINTS][2];
    double targets[POINTS];
};

/* A step in the first feature; the second says nothing. */
static struct clopt_observations make_wave(struct wave *wave, bool noise_only)
{
    static const struct clopt_feature features[] = {{.name = "x"}, {.name = "noise"}};
    struct clopt_random random = clopt_random_seed(5, 0);
    for (size_t i = 0; i < POINTS; i++) {
        wave->values[i][0] = clopt_random_real(&random);
        wave->values[i][1] = clopt_random_real(&random);
        double step = wave->values[i][0] > 0.3 ? 10 : 0;
        wave->targets[i] = (noise_only ? 0 : step) + clopt_random_real(&random);
    }
    return (struct clopt_observations){features, 2, &wave->values[0][0], wave->targets, POINTS};
}

static void validation_tells_knowledge_from_noise(void **state)
{
    struct clopt_random random = clopt_random_seed(1, 0);
    const struct clopt_regression_rules rules = {.least_leaf = 5, .random = &random};
    struct wave wave;
    (void)state;
    struct clopt_observations observations = make_wave(&wave, false);
    double share = clopt_regression_cross_validate(&observations, &rules, 10);
    assert_true(share > 0 && share < 0.05);
    observations = make_wave(&wave, true);
    share = clopt_regression_cross_validate(&observations, &rules, 10);
    assert_true(share > 0.9);
}

static void forest_predicts(void **state)
{
    struct wave wave;
    struct clopt_observations observations = make_wave(&wave, false);
    (void)state;
    for (int resampled = 0; resampled < 2; resampled++) {
        struct clopt_random random = clopt_random_seed(1, 0);
        const struct clopt_regression_rules rules = {
            .least_leaf = 3, .random_cuts = !resampled, .resampled = resampled, .random = &random};
        struct clopt_forest forest = clopt_forest_grow(&observations, &rules, 50);
        struct clopt_prediction low =
            clopt_forest_predict(&forest, observations.features, (double[]){0.1, 0.5});
        struct clopt_prediction high =
            clopt_forest_predict(&forest, observations.features, (double[]){0.8, 0.5});
        struct clopt_prediction edge =
            clopt_forest_predict(&forest, observations.features, (double[]){0.3, 0.5});
        assert_true(fabs(low.mean - 0.5) < 0.5 && fabs(high.mean - 10.5) < 0.5);
        assert_true(edge.variance > 2 * high.variance);
        clopt_forest_fini(&forest);
    }
}

/* Between two neighbouring numbers there is none: the smaller one is where they part. */
static void neighbouring_numbers_part(void **state)
{
    const struct clopt_regression_rules rules = {.least_leaf = 1};
    const struct clopt_feature feature = {.name = "x"};
    const double low = nextafter(1, 0), values[] = {low, 1}, targets[] = {0, 1};
    const struct clopt_observations observations = {&feature, 1, values, targets, 2};
    (void)state;
    struct clopt_regression tree = clopt_regression_grow(&observations, &rules);
    assert_int_equal(tree.count, 3);
    assert_true(clopt_regression_find(&tree, &feature, &values[0])->mean == 0);
    assert_true(clopt_regression_find(&tree, &feature, &values[1])->mean == 1);
    clopt_regression_fini(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_tree),
        cmocka_unit_test(tree_is_printed),
        cmocka_unit_test(best_subset_is_found),
        cmocka_unit_test(validation_tells_knowledge_from_noise),
        cmocka_unit_test(forest_predicts),
        cmocka_unit_test(neighbouring_numbers_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
