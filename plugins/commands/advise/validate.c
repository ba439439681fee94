/* SPDX-License-Identifier: BSD-3-Clause */
/* Tries advice on kernels of which everything is known: each is left out, and advised from all
 * others. */
#include <math.h>

#include "commands/advise/advice.h"
#include "text/table.h"

#define NEAR_BEST   0.95
#define GOOD_FIRST  0.9
#define BAD_FIRST   (1 / 1.1)
#define LEAST_TRIES 20
#define SHARE_TRIED 0.05

/* A variant, and what was expected of it. */
struct guess {
    struct clopt_expected expected;
    double gain;
};

/* How good advice was for one record. */
struct verdict {
    double first;   /* speed-up of the first variant named */
    double best;    /* of the best one that is known */
    double tried;   /* share of the best after 5% of the space, or 20 trials */
    double reached; /* trials until 95% of the best */
    double random;  /* median of the same, drawn at random */
};

static int compare_guesses(const void *a, const void *b)
{
    const struct guess *one = a, *other = b;
    return clopt_expected_compare(&one->expected, &other->expected);
}

/* How many trials at random it takes in half of all cases to meet one of `good` among `count`. */
static double median_draws(size_t count, size_t good)
{
    double none = 1;
    size_t draws = 0;
    while (none > 0.5 && draws + good < count) {
        none *= 1 - (double)good / (double)(count - draws);
        draws++;
    }
    return (double)(draws ? draws : 1);
}

static struct verdict judge(const struct guess *guesses, size_t count, double best)
{
    size_t tries = (size_t)fmax(LEAST_TRIES, SHARE_TRIED * (double)count), good = 0;
    double near = best + log2(NEAR_BEST), found = -INFINITY;
    struct verdict verdict = {.first = exp2(guesses[0].gain), .best = exp2(best)};
    for (size_t i = 0; i < count; i++) {
        good += guesses[i].gain >= near;
        found = fmax(found, guesses[i].gain);
        if (i < tries)
            verdict.tried = exp2(found - best);
        if (!verdict.reached && found >= near)
            verdict.reached = (double)i + 1;
    }
    verdict.random = median_draws(count, good);
    return verdict;
}

static enum clopt_status try_record(const struct clopt_advice *advice,
                                    const struct clopt_training_record *record,
                                    struct verdict *verdict, struct clopt_error *error)
{
    const struct clopt_advice_subject subject = clopt_advice_subject_of(record);
    CLOPT_HELD(clopt_advice_model) model = NULL;
    CLOPT_FREED struct guess *guesses = clopt_calloc(record->count, sizeof *guesses);
    CLOPT_TRY(
        clopt_advice_model_create(advice, record->device.type, record->kernel, &model, error));
    for (size_t i = 0; i < record->count; i++)
        guesses[i] =
            (struct guess){clopt_advice_expect(model, &subject, record->variants[i].profile),
                           record->variants[i].gain};
    /* The initial code is what there is where nothing is safe. */
    guesses[record->initial].expected =
        (struct clopt_expected){.speedup = 1, .low = 1, .high = 1, .counted = 1, .safe = true};
    qsort(guesses, record->count, sizeof *guesses, compare_guesses);
    *verdict = judge(guesses, record->count, record->variants[record->best].gain);
    return CLOPT_OK;
}

enum clopt_status clopt_advice_validate(const struct clopt_advice *advice, FILE *stream,
                                        struct clopt_error *error)
{
    CLOPT_HELD(clopt_table) table = clopt_table_create("llrrrrrrr");
    size_t good = 0, bad = 0, near = 0;
    clopt_table_row(table, "kernel left out\tdevice\tvariants\tbest\tfirst\tof the best\t"
                           "after 5%% or 20\twithin 5%% at\trandom at");
    for (size_t i = 0; i < advice->count; i++) {
        const struct clopt_training_record *record = &advice->records[i];
        struct verdict verdict = {0};
        CLOPT_TRY(try_record(advice, record, &verdict, error));
        clopt_table_row(table, "%s\t%s\t%zu\t%.3g\t%.3g\t%.3f\t%.3f\t%.0f\t%.0f", record->kernel,
                        record->device_name, record->count, verdict.best, verdict.first,
                        verdict.first / verdict.best, verdict.tried, verdict.reached,
                        verdict.random);
        good += verdict.first >= GOOD_FIRST * verdict.best;
        bad += verdict.first < BAD_FIRST;
        near += verdict.tried >= NEAR_BEST;
    }
    CLOPT_TRY(clopt_table_print(table, stream, 0, error));
    fprintf(stream,
            "\nThe first variant named reaches 90%% of the best on %zu of %zu, and costs more "
            "than 10%% on %zu.\nAfter 5%% of the space or 20 trials, 95%% of the best is "
            "reached on %zu.\n",
            good, advice->count, bad, near);
    return CLOPT_OK;
}
