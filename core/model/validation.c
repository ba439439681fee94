/* SPDX-License-Identifier: BSD-3-Clause */
/* How well trees predict what they have not seen. */
#include "model/growth.h"

static void shuffle(uint32_t *rows, size_t count, struct clopt_random *random)
{
    for (size_t i = 0; i < count; i++)
        rows[i] = (uint32_t)i;
    for (size_t i = count; i > 1; i--) {
        size_t other = clopt_random_below(random, i);
        uint32_t row = rows[i - 1];
        rows[i - 1] = rows[other];
        rows[other] = row;
    }
}

/* Predicts one part of the rows by a tree of the others; adds up the squared errors. */
static enum clopt_status validate_fold(const struct clopt_codes *codes,
                                       const struct clopt_regression_rules *rules,
                                       const uint32_t *order, size_t first, size_t end,
                                       struct clopt_random *random, uint32_t *rows, double *squares,
                                       struct clopt_error *error)
{
    const struct clopt_observations *observations = codes->observations;
    CLOPT_OWNED(clopt_regression) tree = {0};
    size_t count = 0;
    for (size_t i = 0; i < observations->count; i++)
        if (i < first || i >= end)
            rows[count++] = order[i];
    CLOPT_TRY(clopt_codes_grow(codes, rules, rows, count, random, &tree, error));
    for (size_t i = first; i < end; i++) {
        const double *values = observations->values + order[i] * observations->feature_count;
        double wrong = observations->targets[order[i]] -
                       clopt_regression_find(&tree, observations->features, values)->mean;
        *squares += wrong * wrong;
    }
    return CLOPT_OK;
}

static double sum_squares(const struct clopt_observations *observations)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < observations->count; i++)
        sum += observations->targets[i];
    for (size_t i = 0; i < observations->count; i++) {
        double difference = observations->targets[i] - sum / (double)observations->count;
        squares += difference * difference;
    }
    return squares;
}

enum clopt_status clopt_regression_cross_validate(const struct clopt_observations *observations,
                                                  const struct clopt_regression_rules *rules,
                                                  size_t folds, struct clopt_random *random,
                                                  double *error_share, struct clopt_error *error)
{
    size_t count = observations->count;
    double all = sum_squares(observations), wrong = 0;
    CLOPT_OWNED(clopt_codes) codes = {0};
    CLOPT_FREED uint32_t *order = calloc(count, sizeof *order), *rows = calloc(count, sizeof *rows);
    enum clopt_status status =
        order && rows ? clopt_codes_init(&codes, observations, error) : clopt_fail_memory(error);
    folds = folds < count ? folds : count;
    if (!status)
        shuffle(order, count, random);
    for (size_t i = 0; i < folds && folds > 1 && !status; i++)
        status = validate_fold(&codes, rules, order, count * i / folds, count * (i + 1) / folds,
                               random, rows, &wrong, error);
    *error_share = all > 0 && folds > 1 ? wrong / all : 1;
    return status;
}
