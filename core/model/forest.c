/* SPDX-License-Identifier: BSD-3-Clause */
/* Forests, and how well trees predict. */
#include "model/growth.h"

struct clopt_regression clopt_regression_grow(const struct clopt_observations *observations,
                                              const struct clopt_regression_rules *rules)
{
    struct clopt_forest forest = clopt_forest_grow(observations, rules, 1);
    struct clopt_regression tree = forest.trees[0];
    free(forest.trees);
    return tree;
}

struct clopt_forest clopt_forest_grow(const struct clopt_observations *observations,
                                      const struct clopt_regression_rules *rules, size_t count)
{
    struct clopt_codes codes;
    CLOPT_FREED uint32_t *rows = clopt_calloc(observations->count, sizeof *rows);
    struct clopt_forest forest = {clopt_calloc(count, sizeof *forest.trees), count};
    clopt_codes_init(&codes, observations, rules);
    for (size_t t = 0; t < count; t++) {
        for (size_t i = 0; i < observations->count; i++)
            rows[i] =
                (uint32_t)(rules->resampled ? clopt_random_below(rules->random, observations->count)
                                            : i);
        forest.trees[t] = clopt_codes_grow(&codes, rows, observations->count);
    }
    clopt_codes_fini(&codes);
    return forest;
}

void clopt_forest_fini(struct clopt_forest *forest)
{
    for (size_t i = 0; i < forest->count; i++)
        clopt_regression_fini(&forest->trees[i]);
    free(forest->trees);
    *forest = (struct clopt_forest){0};
}

struct clopt_prediction clopt_forest_predict(const struct clopt_forest *forest,
                                             const struct clopt_feature *features,
                                             const double *values)
{
    double sum = 0, squares = 0, within = 0, count = (double)forest->count;
    for (size_t i = 0; i < forest->count; i++) {
        const struct clopt_regression_node *leaf =
            clopt_regression_find(&forest->trees[i], features, values);
        sum += leaf->mean;
        squares += leaf->mean * leaf->mean;
        within += leaf->squares / (double)leaf->count;
    }
    double mean = sum / count, between = squares / count - mean * mean;
    return (struct clopt_prediction){mean, (between > 0 ? between : 0) + within / count};
}
