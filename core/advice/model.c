/* SPDX-License-Identifier: BSD-3-Clause */
/* Grows a forest from lessons, and predicts speed-ups with it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advice/parts.h"

#define TREES        60
#define LEAST_LEAF   3
#define MOST_OF_ONE  400 /* variants of a lesson, so that none outweighs the others */
#define SEED         1
#define FOUR_OF_FIVE 1.28 /* standard deviations of a normal distribution */

static bool is_of_interest(const struct clopt_lesson *lesson, const char *type, const char *except)
{
    return strcmp(lesson->device.type, type) == 0 &&
           (!except || strcmp(lesson->kernel, except) != 0);
}

/* How many variants of a lesson are taken, evenly spread. */
static size_t taken(const struct clopt_lesson *lesson)
{
    return lesson->count < MOST_OF_ONE ? lesson->count : MOST_OF_ONE;
}

static void add_lesson(const struct clopt_lesson *lesson, double *values, double *targets,
                       size_t *row)
{
    for (size_t i = 0; i < taken(lesson); i++, (*row)++) {
        const struct clopt_lesson_variant *variant =
            &lesson->variants[i * lesson->count / taken(lesson)];
        clopt_advice_describe(lesson->variants[lesson->initial].profile, &lesson->device,
                              variant->name, values + *row * CLOPT_ADVICE_FEATURES);
        targets[*row] = variant->gain;
    }
}

enum clopt_status clopt_advice_model_create(const struct clopt_advice *advice,
                                            const char *device_type, const char *except,
                                            struct clopt_advice_model **model,
                                            struct clopt_error *error)
{
    static const struct clopt_regression_rules rules = {.least_leaf = LEAST_LEAF,
                                                        .least_split = 2 * LEAST_LEAF,
                                                        .tried_features =
                                                            CLOPT_ADVICE_FEATURES / 3};
    struct clopt_random random = clopt_random_seed(SEED, 0);
    size_t count = 0, row = 0;
    for (size_t i = 0; i < advice->count; i++)
        if (is_of_interest(&advice->lessons[i], device_type, except))
            count += taken(&advice->lessons[i]);
    *model = NULL;
    if (!count)
        return clopt_fail(error, CLOPT_FAILED,
                          "nothing is known of kernels on a device of the type %s: name stores or "
                          "recorded spaces to learn from with --from",
                          device_type);
    double *values = calloc(count * CLOPT_ADVICE_FEATURES, sizeof *values);
    double *targets = calloc(count, sizeof *targets);
    *model = calloc(1, sizeof **model);
    enum clopt_status status = values && targets && *model ? CLOPT_OK : clopt_fail_memory(error);
    for (size_t i = 0; i < advice->count && !status; i++)
        if (is_of_interest(&advice->lessons[i], device_type, except))
            add_lesson(&advice->lessons[i], values, targets, &row);
    const struct clopt_observations observations = {clopt_advice_features, CLOPT_ADVICE_FEATURES,
                                                    values, targets, count};
    if (!status)
        status = clopt_forest_grow(&observations, &rules, TREES, true, &random, &(*model)->forest,
                                   error);
    free(values);
    free(targets);
    if (status) {
        clopt_advice_model_destroy(*model);
        *model = NULL;
    }
    return status;
}

void clopt_advice_model_destroy(struct clopt_advice_model *model)
{
    if (model)
        clopt_forest_fini(&model->forest);
    free(model);
}

struct clopt_expected clopt_advice_expect(const struct clopt_advice_model *model,
                                          const struct clopt_advice_subject *subject,
                                          const char *variant)
{
    double values[CLOPT_ADVICE_FEATURES];
    clopt_advice_describe(&subject->profile, &subject->device, variant, values);
    struct clopt_prediction gain =
        clopt_forest_predict(&model->forest, clopt_advice_features, values);
    double deviation = FOUR_OF_FIVE * sqrt(gain.variance);
    return (struct clopt_expected){exp2(gain.mean), exp2(gain.mean - deviation),
                                   exp2(gain.mean + deviation)};
}

/* Each feature counts by how far it spreads over the lessons. */
double clopt_advice_distance(const struct clopt_advice *advice, const struct clopt_profile *one,
                             const struct clopt_profile *other)
{
    double sum = 0;
    for (size_t i = 0; i < CLOPT_PROFILE_COUNT; i++) {
        double least = INFINITY, most = -INFINITY;
        for (size_t l = 0; l < advice->count; l++) {
            least = fmin(
                least, advice->lessons[l].variants[advice->lessons[l].initial].profile->values[i]);
            most = fmax(most,
                        advice->lessons[l].variants[advice->lessons[l].initial].profile->values[i]);
        }
        if (most > least)
            sum += pow((one->values[i] - other->values[i]) / (most - least), 2);
    }
    return sqrt(sum);
}
