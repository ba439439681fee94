/* SPDX-License-Identifier: BSD-3-Clause */
/* Grows a forest from records, and predicts speed-ups with it. */
#include <math.h>

#include "commands/advise/advice.h"
#include "model/regression.h"

#define TREES        100
#define LEAST_LEAF   3
#define OF_A_KERNEL  120 /* variants that a tree has of each kernel that is drawn for it */
#define SEED         1
#define FOUR_OF_FIVE 1.28      /* standard deviations of a normal distribution */
#define MOST_LOSS    log2(1.1) /* what a variant may cost */
#define MOST_RISK    0.1       /* share of the trees that expect more */

struct clopt_advice_model {
    struct clopt_forest forest;
};

/* ---- what a model knows of a variant ---- */

#define PLAIN_FLOP 8 /* operations a byte, of a device of which they are not known */

#define FEATURES (CLOPT_PROFILE_COUNT + 3)

static const struct clopt_feature features[FEATURES]; /* all are numbers */

/* Computes them, from the profile of a variant. */
static void describe(const struct clopt_advice_subject *subject,
                     const struct clopt_profile *variant, double values[FEATURES])
{
    const struct clopt_training_record_device *device = &subject->device;
    double flops = device->peaks.goperations_per_s[CLOPT_ARITHMETIC_SINGLE];
    double bytes = device->peaks.gbytes_per_s;
    size_t count = 0;
    for (; count < CLOPT_PROFILE_COUNT; count++)
        values[count] = variant->values[count] - subject->profile.values[count];
    values[count++] = log2(device->compute_units);
    values[count++] = log2(flops > 0 && bytes > 0 ? flops / bytes : PLAIN_FLOP);
    values[count] = strcmp(device->type, "gpu") == 0;
}

/* ---- growing it ---- */

/* The variants of one kernel, on all devices. */
struct kernel {
    const char *name;
    size_t count;
};

/* What a tree is grown from. */
struct sample {
    const struct clopt_advice *advice;
    struct kernel *kernels;
    size_t kernel_count;
    double *values;
    double *targets;
};

/* Lists the kernels but one. */
static void list_kernels(struct sample *sample, const char *except)
{
    const struct clopt_advice *advice = sample->advice;
    sample->kernels = clopt_calloc(advice->count + 1, sizeof *sample->kernels);
    for (size_t i = 0; i < advice->count; i++) {
        const struct clopt_training_record *record = &advice->records[i];
        size_t k = 0;
        while (k < sample->kernel_count && strcmp(sample->kernels[k].name, record->kernel) != 0)
            k++;
        if (except && strcmp(record->kernel, except) == 0)
            continue;
        sample->kernels[k].name = record->kernel;
        sample->kernels[k].count += record->count;
        sample->kernel_count += k == sample->kernel_count;
    }
}

/* Whether something is known of a type of device. */
static bool is_known(const struct clopt_advice *advice, const char *type, const char *except)
{
    for (size_t i = 0; i < advice->count; i++)
        if (strcmp(advice->records[i].device.type, type) == 0 &&
            (!except || strcmp(advice->records[i].kernel, except) != 0))
            return true;
    return false;
}

/* Takes a variant of a kernel into a row. */
static void take_variant(struct sample *sample, const char *kernel, size_t number, size_t row)
{
    const struct clopt_training_record *record = sample->advice->records;
    for (;; record++) {
        bool same = strcmp(record->kernel, kernel) == 0;
        if (same && number < record->count)
            break;
        number -= same ? record->count : 0;
    }
    const struct clopt_advice_subject subject = clopt_advice_subject_of(record);
    describe(&subject, record->variants[number].profile, sample->values + row * FEATURES);
    sample->targets[row] = record->variants[number].gain -
                           clopt_count_gain(&subject, record->variants[number].profile);
}

/* Grows a tree from kernels drawn with replacement: trees differ by which kernels they know, so
 * that their spread tells how far kernels are alike. */
static struct clopt_regression grow(struct sample *sample, struct clopt_random *random)
{
    const struct clopt_regression_rules rules = {.least_leaf = LEAST_LEAF,
                                                 .least_split = 2 * LEAST_LEAF,
                                                 .tried_features = FEATURES / 3,
                                                 .random = random};
    size_t row = 0;
    for (size_t k = 0; k < sample->kernel_count; k++) {
        const struct kernel *kernel =
            &sample->kernels[clopt_random_below(random, sample->kernel_count)];
        for (size_t i = 0; i < OF_A_KERNEL; i++)
            take_variant(sample, kernel->name, clopt_random_below(random, kernel->count), row++);
    }
    const struct clopt_observations observations = {features, FEATURES, sample->values,
                                                    sample->targets, row};
    return clopt_regression_grow(&observations, &rules);
}

static void grow_all(struct sample *sample, struct clopt_forest *forest)
{
    struct clopt_random random = clopt_random_seed(SEED, 0);
    size_t rows = sample->kernel_count * OF_A_KERNEL;
    sample->values = clopt_calloc(rows * FEATURES, sizeof *sample->values);
    sample->targets = clopt_calloc(rows, sizeof *sample->targets);
    forest->trees = clopt_calloc(TREES, sizeof *forest->trees);
    for (; forest->count < TREES; forest->count++)
        forest->trees[forest->count] = grow(sample, &random);
    free(sample->values);
    free(sample->targets);
}

enum clopt_status clopt_advice_model_create(const struct clopt_advice *advice,
                                            const char *device_type, const char *except,
                                            struct clopt_advice_model **model,
                                            struct clopt_error *error)
{
    struct sample sample = {.advice = advice};
    *model = NULL;
    if (!is_known(advice, device_type, except))
        return clopt_fail(error, CLOPT_FAILED,
                          "nothing is known of kernels on a device of the type %s: name stores or "
                          "recorded spaces to learn from with --from",
                          device_type);
    *model = clopt_calloc(1, sizeof **model);
    list_kernels(&sample, except);
    grow_all(&sample, &(*model)->forest);
    free(sample.kernels);
    return CLOPT_OK;
}

void clopt_advice_model_destroy(struct clopt_advice_model *model)
{
    if (model)
        clopt_forest_fini(&model->forest);
    free(model);
}

struct clopt_expected clopt_advice_expect(const struct clopt_advice_model *model,
                                          const struct clopt_advice_subject *subject,
                                          const struct clopt_profile *variant)
{
    const struct clopt_forest *forest = &model->forest;
    double values[FEATURES], losses = 0;
    double counted = clopt_count_gain(subject, variant);
    describe(subject, variant, values);
    struct clopt_prediction gain = clopt_forest_predict(forest, features, values);
    for (size_t i = 0; i < forest->count; i++)
        losses +=
            clopt_regression_find(&forest->trees[i], features, values)->mean + counted < -MOST_LOSS;
    gain.mean += counted;
    double deviation = FOUR_OF_FIVE * sqrt(gain.variance);
    return (struct clopt_expected){exp2(gain.mean), exp2(gain.mean - deviation),
                                   exp2(gain.mean + deviation), exp2(counted),
                                   counted > 0 && losses <= MOST_RISK * (double)forest->count};
}

int clopt_expected_compare(const struct clopt_expected *one, const struct clopt_expected *other)
{
    if (one->safe != other->safe)
        return one->safe ? -1 : 1;
    return (one->counted < other->counted) - (one->counted > other->counted);
}

/* Each feature counts by how far it spreads over the records. */
double clopt_advice_distance(const struct clopt_advice *advice, const struct clopt_profile *one,
                             const struct clopt_profile *other)
{
    double sum = 0;
    for (size_t i = 0; i < CLOPT_PROFILE_COUNT; i++) {
        double least = INFINITY, most = -INFINITY;
        for (size_t l = 0; l < advice->count; l++) {
            least = fmin(
                least, advice->records[l].variants[advice->records[l].initial].profile->values[i]);
            most = fmax(most,
                        advice->records[l].variants[advice->records[l].initial].profile->values[i]);
        }
        if (most > least)
            sum += pow((one->values[i] - other->values[i]) / (most - least), 2);
    }
    return sqrt(sum);
}
