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

struct validation {
    struct clopt_codes codes;
    size_t folds;
    uint32_t *order; /* of the observations, which folds follow */
    uint32_t *rows;  /* those that a tree grows from */
    double squares;  /* of the errors, so far */
};

/* Predicts one part of the rows by a tree of the others; adds up the squared errors. */
static void validate_fold(struct validation *validation, size_t fold)
{
    const struct clopt_observations *observations = validation->codes.observations;
    const uint32_t *order = validation->order;
    size_t first = observations->count * fold / validation->folds, count = 0;
    size_t end = observations->count * (fold + 1) / validation->folds;
    for (size_t i = 0; i < observations->count; i++)
        if (i < first || i >= end)
            validation->rows[count++] = order[i];
    CLOPT_OWNED(clopt_regression)
    tree = clopt_codes_grow(&validation->codes, validation->rows, count);
    for (size_t i = first; i < end; i++) {
        const double *values = observations->values + order[i] * observations->feature_count;
        double wrong = observations->targets[order[i]] -
                       clopt_regression_find(&tree, observations->features, values)->mean;
        validation->squares += wrong * wrong;
    }
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

double clopt_regression_cross_validate(const struct clopt_observations *observations,
                                       const struct clopt_regression_rules *rules, size_t folds)
{
    size_t count = observations->count;
    double all = sum_squares(observations);
    CLOPT_FREED uint32_t *order = clopt_calloc(count, sizeof *order);
    CLOPT_FREED uint32_t *rows = clopt_calloc(count, sizeof *rows);
    struct validation validation = {
        .folds = folds < count ? folds : count, .order = order, .rows = rows};
    clopt_codes_init(&validation.codes, observations, rules);
    shuffle(order, count, rules->random);
    for (size_t i = 0; i < validation.folds && validation.folds > 1; i++)
        validate_fold(&validation, i);
    clopt_codes_fini(&validation.codes);
    return all > 0 && validation.folds > 1 ? validation.squares / all : 1;
}
