/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers the different values of each feature, so that splits are found by counting. */
#include "model/growth.h"

static int compare_values(const void *a, const void *b)
{
    const double *first = a, *second = b;
    return (*first > *second) - (*first < *second);
}

/* Finds the place of a value, which is one of them. */
static uint32_t find_code(const double *distinct, size_t count, double value)
{
    const double *found = bsearch(&value, distinct, count, sizeof *distinct, compare_values);
    return (uint32_t)(found - distinct);
}

static void number_feature(struct clopt_codes *codes, size_t feature)
{
    const struct clopt_observations *observations = codes->observations;
    size_t width = observations->feature_count, count = 0;
    double *distinct = clopt_calloc(observations->count, sizeof *distinct);
    for (size_t i = 0; i < observations->count; i++)
        distinct[i] = observations->values[i * width + feature];
    qsort(distinct, observations->count, sizeof *distinct, compare_values);
    for (size_t i = 0; i < observations->count; i++)
        if (!count || distinct[i] > distinct[count - 1])
            distinct[count++] = distinct[i];
    for (size_t i = 0; i < observations->count; i++)
        codes->codes[i * width + feature] =
            find_code(distinct, count, observations->values[i * width + feature]);
    codes->distinct[feature] = distinct;
    codes->distinct_count[feature] = count;
}

void clopt_codes_init(struct clopt_codes *codes, const struct clopt_observations *observations,
                      const struct clopt_regression_rules *rules)
{
    size_t width = observations->feature_count;
    *codes = (struct clopt_codes){
        .observations = observations,
        .rules = rules,
        .codes = clopt_calloc(observations->count * width + 1, sizeof *codes->codes),
        .distinct = clopt_calloc(width + 1, sizeof *codes->distinct),
        .distinct_count = clopt_calloc(width + 1, sizeof *codes->distinct_count),
    };
    for (size_t i = 0; i < width; i++)
        number_feature(codes, i);
}

void clopt_codes_fini(struct clopt_codes *codes)
{
    for (size_t i = 0; i < codes->observations->feature_count; i++)
        free(codes->distinct[i]);
    free(codes->codes);
    free(codes->distinct);
    free(codes->distinct_count);
}
