/* SPDX-License-Identifier: BSD-3-Clause */
/* The best variants of the kernels of an app, joined in one variant of the whole app. */
#include "race/combined.h"

#include <math.h>

#define GAIN 0.05 /* a variant that is faster by this is better, also if few processes tell */

#define MOST_KERNELS 63 /* a bit each, and one for the whole run */

/* The best that is known of a kernel with a setting of knobs and parameters. */
struct best {
    char *setting;
    size_t kernel;
    bool rewritten; /* or as the app has it */
    bool alone;     /* by a trial that rewrites no kernel */
    double ratio;   /* its time over that of the initial code, */
    double high;    /* and how much this may be */
    struct clopt_trial trial;
};

struct clopt_combined {
    struct best *bests;
    size_t count;
};

static void best_fini(struct best *best)
{
    free(best->setting);
    clopt_trial_fini(&best->trial);
}

void clopt_combined_destroy(struct clopt_combined *combined)
{
    if (!combined)
        return;
    for (size_t i = 0; i < combined->count; i++)
        best_fini(&combined->bests[i]);
    free(combined->bests);
    free(combined);
}

bool clopt_combined_is_wanted(const struct clopt_race *race)
{
    const struct clopt_study *study = race->run->study;
    return study->winners && race->app->kernel_count > 1 && race->kernel_count <= MOST_KERNELS &&
           !study->shard.count;
}

/* ---- what is known of the kernels ---- */

/* Writes the values of knobs and parameters. */
static char *write_setting(const struct clopt_trial *trial)
{
    struct clopt_text text = {0};
    CLOPT_HELD(clopt_values) knobs = NULL;
    clopt_trial_knobs(trial, &knobs, NULL);
    for (size_t i = 0; knobs && i < knobs->count; i++)
        clopt_text_printf(&text, "%s ", knobs->items[i].text);
    for (size_t i = 0; trial->parameters && i < trial->parameters->count; i++)
        clopt_text_printf(&text, "%s ", trial->parameters->items[i].text);
    return clopt_text_take(&text);
}

static struct best *find(const struct clopt_combined *combined, const char *setting, size_t kernel,
                         bool rewritten)
{
    for (size_t i = 0; i < combined->count; i++) {
        struct best *best = &combined->bests[i];
        if (best->kernel == kernel && best->rewritten == rewritten &&
            strcmp(best->setting, setting) == 0)
            return best;
    }
    return NULL;
}

/* Takes note of a kernel's time, if it replaces what is known; takes the setting over. Of a kernel
 * as the app has it that is the time in the trial of the setting alone, if there is one: the least
 * of many would be chance. */
static void note(struct clopt_combined *combined, struct best *best,
                 const struct clopt_trial *trial)
{
    struct best *known = find(combined, best->setting, best->kernel, best->rewritten);
    if (known && !(best->rewritten ? best->ratio < known->ratio : best->alone && !known->alone)) {
        best_fini(best);
        return;
    }
    clopt_trial_copy(trial, &best->trial);
    if (!known)
        known = clopt_array_add(&combined->bests, &combined->count, sizeof *known);
    best_fini(known);
    *known = *best;
}

static void note_kernel(struct clopt_race *race, const struct clopt_candidate *candidate,
                        size_t kernel)
{
    const struct clopt_trial *trial = &candidate->trial;
    const struct clopt_medians *own = clopt_samples_medians(&candidate->samples, kernel);
    const struct clopt_medians *initial =
        clopt_samples_medians(&clopt_race_initial(race)->samples, kernel);
    struct clopt_interval ratio = clopt_ratio_estimate(own, initial, NULL);
    if (candidate->role == CLOPT_ROLE_INITIAL)
        ratio = (struct clopt_interval){1, 1, 1, 0, 0, true};
    struct best best = {.kernel = kernel,
                        .rewritten = clopt_trial_rewrites(trial, &race->kernels[kernel]),
                        .alone = !clopt_trial_rewrites(trial, NULL),
                        .ratio = ratio.median,
                        .high = fmin(ratio.high, ratio.median / (1 - GAIN))};
    if (isnan(ratio.median))
        return;
    best.setting = write_setting(trial);
    note(race->combined, &best, trial);
}

void clopt_combined_note(struct clopt_race *race, const struct clopt_candidate *candidate)
{
    bool counts = candidate->role == CLOPT_ROLE_VARIANT || candidate->role == CLOPT_ROLE_INITIAL;
    if (!counts || !clopt_combined_is_wanted(race) || !clopt_candidate_is_measured(candidate))
        return;
    if (!race->combined)
        race->combined = clopt_calloc(1, sizeof *race->combined);
    for (size_t k = 0; k < race->kernel_count; k++)
        note_kernel(race, candidate, k);
}

/* ---- the best of all kernels ---- */

/* Returns the best of a kernel with a setting: as the app has it, unless a variant is surely
 * faster; NULL: nothing is known. */
static const struct best *choose(const struct clopt_combined *combined, const char *setting,
                                 size_t kernel)
{
    const struct best *initial = find(combined, setting, kernel, false);
    const struct best *variant = find(combined, setting, kernel, true);
    return variant && (!initial || variant->high < initial->ratio) ? variant : initial;
}

/* Returns how long the kernels take together with a setting, each as its best. */
static double sum(const struct clopt_race *race, const char *setting)
{
    const struct clopt_candidate *initial = clopt_race_initial(race);
    double sum_ns = 0;
    for (size_t k = 0; k < race->kernel_count; k++) {
        const struct best *best = choose(race->combined, setting, k);
        /* More processes may come later: those of the first one stay the same. */
        double time_ns =
            clopt_samples_interval(&initial->samples, k, initial->samples.process[0], true).median;
        if (time_ns > 0)
            sum_ns += best ? best->ratio * time_ns : INFINITY;
    }
    return sum_ns;
}

/* Moves the steps of a trial to the end of another one, as those of its kernel; where there are too
 * many, the kernel stays as the app has it. */
static void move_steps(struct clopt_trial *trial, struct clopt_trial *combined)
{
    if (combined->step_count + trial->step_count > CLOPT_MOST_STEPS)
        return;
    for (size_t i = 0; i < trial->step_count; i++)
        combined->steps[combined->step_count++] = trial->steps[i];
    trial->step_count = 0;
}

/* Makes the trial of the best variants with a setting; returns how many kernels it rewrites. */
static size_t join(const struct clopt_race *race, const char *setting, struct clopt_trial *trial)
{
    size_t count = 0;
    for (size_t k = 0; k < race->kernel_count; k++) {
        const struct best *best = choose(race->combined, setting, k);
        struct clopt_trial copy;
        if (!best || !best->rewritten)
            continue;
        clopt_trial_copy(&best->trial, &copy);
        for (size_t i = 0; i < copy.step_count; i++)
            copy.steps[i].kernel = copy.kernel;
        if (count++ == 0) {
            *trial = copy;
        } else {
            move_steps(&copy, trial);
            clopt_trial_fini(&copy);
        }
    }
    return count;
}

/* Finds the setting with which the kernels take least; NULL: nothing is known. */
static const char *find_setting(const struct clopt_race *race)
{
    const struct clopt_combined *combined = race->combined;
    const char *setting = NULL;
    for (size_t i = 0; combined && i < combined->count; i++)
        if (!setting || sum(race, combined->bests[i].setting) < sum(race, setting))
            setting = combined->bests[i].setting;
    return setting;
}

/* ---- the race ---- */

/* Enters the combined variant with a setting, number `number`, if two kernels at least gain there,
 * and shows the initial code of the whole run, with which it is compared. */
static void enter_setting(struct clopt_race *race, const char *setting, uint64_t number)
{
    const struct clopt_candidate *initial = clopt_race_initial(race);
    struct clopt_trial trial = {0};
    if (join(race, setting, &trial) < 2) {
        clopt_trial_fini(&trial);
        return;
    }
    clopt_race_show(race, &initial->trial, CLOPT_FIRST_COMBINED, initial->row.id, NULL);
    clopt_race_enter_made(race, &trial, CLOPT_FIRST_COMBINED + number);
}

bool clopt_combined_enter(struct clopt_race *race)
{
    struct clopt_error *failure = race->run->failure;
    if (race->joined || failure->status || !clopt_combined_is_wanted(race))
        return false;
    size_t before = race->count;
    for (size_t i = 0; i < race->count; i++)
        clopt_combined_note(race, race->candidates[i]);
    race->joined = true;
    race->rounds = 0; /* they meet in finals of their own */
    const char *best = find_setting(race);
    CLOPT_FREED char *own = write_setting(&clopt_race_initial(race)->trial);
    if (best)
        enter_setting(race, best, 1);
    if (best && !failure->status && strcmp(own, best) != 0)
        enter_setting(race, own, 2);
    return race->count > before && !failure->status;
}
