/* SPDX-License-Identifier: BSD-3-Clause */
/* How a machine differs from itself: what the initial code and its double tell of a race. */
#include <math.h>

#include "number/verdict.h"
#include "race/ranking.h"
#include "store/cursor.h"

/* How the initial code changed from its first process to its last; 0 where that may be chance. */
static double drift_of(const struct clopt_candidate *initial, size_t column)
{
    struct clopt_interval begin =
        clopt_samples_interval(&initial->samples, column, initial->samples.process[0], false);
    struct clopt_interval end = clopt_samples_interval(
        &initial->samples, column, initial->samples.process[initial->samples.count - 1], false);
    return clopt_interval_overlap(&begin, &end) ? 0 : end.median / begin.median - 1;
}

/* By how much the initial code seems to differ from itself; NaN: not known. */
static double noise_of(const struct clopt_race *race, size_t column)
{
    const struct clopt_candidate *initial = race->candidates[0], *again = race->candidates[1];
    const struct clopt_medians *one = clopt_samples_medians(&initial->samples, column);
    const struct clopt_medians *other = clopt_samples_medians(&again->samples, column);
    bool several = one->count > 1 && other->count > 1; /* else the ratios have it */
    const struct clopt_spread *spread =
        several && column < clopt_race_columns(race) ? &race->ranking[column].spread : NULL;
    struct clopt_interval ratio = clopt_ratio_estimate(one, other, spread);
    return isnan(ratio.median) ? NAN : fmax(fabs(ratio.low - 1), fabs(ratio.high - 1));
}

bool clopt_ranking_is_certain(const struct clopt_race *race,
                              const struct clopt_candidate *candidate, size_t kernel)
{
    const struct clopt_candidate *initial = race->candidates[0];
    struct clopt_interval speedup = {.median = NAN};
    if (candidate != initial)
        speedup = clopt_ranking_ratio(race, initial, candidate, kernel);
    return (candidate == initial || speedup.attained) &&
           clopt_verdict_allows_regret(&speedup, noise_of(race, kernel));
}

/* Has later runs know what processes did to the ratios of the kernels to the initial code. */
static void keep_spread(const struct clopt_race *race)
{
    struct clopt_spread sum = {0};
    if (race->reference)
        clopt_spread_add(&sum, clopt_samples_medians(&race->reference->samples, 0),
                         clopt_samples_medians(&clopt_race_initial(race)->samples, 0));
    for (size_t k = 0; k < race->kernel_count && !race->reference; k++) {
        sum.squares += race->ranking[k].spread.squares;
        sum.freedom += race->ranking[k].spread.freedom;
    }
    clopt_spread_keep(&race->device->info, &sum);
}

void clopt_ranking_put_noise(const struct clopt_race *race)
{
    const struct clopt_run *run = race->run;
    const struct clopt_candidate *initial = race->candidates[0], *again = race->candidates[1];
    if (race->tally.built) /* else it has seen nothing new */
        keep_spread(race);
    if (initial->samples.count == 0 || again->samples.count == 0)
        return;
    for (size_t column = 0; column <= race->kernel_count; column++) {
        const char *kernel = column < race->kernel_count ? race->kernels[column].name : "";
        clopt_store_put(run->store, CLOPT_SQL_PUT_NOISE, run->failure, "riisdd", race->device_row,
                        race->problem_row, kernel, noise_of(race, column),
                        race->members > 1 ? NAN : drift_of(initial, column));
    }
}
