/* SPDX-License-Identifier: BSD-3-Clause */
/* What the first steps of a kernel's best variant are alone. */
#include "race/prefixes.h"

#include "race/finals.h"
#include "race/tuning.h"

#define MOST (CLOPT_MOST_IN_HAND / 2) /* of a race; none else is in hand then */

/* Enters the first `count` steps of a variant, under its number, unless they are known. */
static void enter(struct clopt_race *race, const struct clopt_trial *whole, uint64_t index,
                  size_t count)
{
    struct clopt_trial trial;
    clopt_trial_copy(whole, &trial);
    while (trial.step_count > count)
        clopt_values_destroy(trial.steps[--trial.step_count].values);
    clopt_race_enter_made(race, &trial, index);
}

/* Makes the best variant of a kernel, as a report shows it; false: there is none. */
static bool find_best(const struct clopt_race *race, size_t kernel, struct clopt_trial *trial,
                      uint64_t *index)
{
    const struct clopt_candidate *best = race->ranking[kernel].leader;
    if (!best || best->role || clopt_trial_is_combined(&best->trial))
        return false;
    *index = best->index;
    if (race->tuning)
        return clopt_tuning_find_shown(race, best, trial, index);
    clopt_trial_copy(&best->trial, trial);
    return true;
}

bool clopt_prefixes_enter(struct clopt_race *race)
{
    const struct clopt_error *failure = race->run->failure;
    size_t before = race->count;
    race->stepped++;
    if (failure->status || race->blind || !race->run->study->measure.winner_only)
        return false;
    clopt_finals_name(race);
    for (size_t k = 0; k < race->kernel_count && !failure->status; k++) {
        CLOPT_OWNED(clopt_trial) whole = {0};
        uint64_t index;
        bool found = find_best(race, k, &whole, &index);
        for (size_t n = 1; found && n < whole.step_count; n++)
            if (race->count < before + MOST && !failure->status)
                enter(race, &whole, index, n);
    }
    return race->count > before && !failure->status;
}
