/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what used the time of a run that ended before anything had a time. */
#include <math.h>

#include "view/view.h"

#define MOST_STAGES   4
#define LEAST_STAGE_S 0.05

/* Whether no variant has a time, and some waits for one: nothing else stopped it. `*initial` tells
 * whether an initial code has one. */
static bool is_too_short(const struct clopt_results *results, bool *initial)
{
    bool waits = !results->measured;
    *initial = false;
    for (size_t t = 0; t < results->table_count; t++)
        for (size_t r = 0; r < results->tables[t].row_count; r++)
            for (size_t d = 0; d < results->device_count; d++) {
                const struct clopt_result *cell = &results->tables[t].rows[r].cells[d];
                if (!cell->present || cell->outcome == CLOPT_OUTCOME_INFEASIBLE)
                    continue;
                *initial |= cell->ranked;
                if (!cell->ranked && cell->outcome != CLOPT_OUTCOME_PENDING)
                    return false;
                if (cell->ranked && r != results->tables[t].initial)
                    return false;
                waits |= !cell->ranked;
            }
    return waits && results->run.not_reached;
}

/* Returns the stage of workers that took the most time, of those below a bound; NULL: none. */
static const struct clopt_results_stage *next_stage(const struct clopt_results *results,
                                                    double below_s)
{
    const struct clopt_results_stage *most = NULL;
    for (size_t i = 0; i < results->work.stage_count; i++) {
        const struct clopt_results_stage *stage = &results->work.stages[i];
        if (!clopt_work_is_own(stage->name) && stage->seconds < below_s &&
            stage->seconds >= LEAST_STAGE_S && (!most || stage->seconds > most->seconds))
            most = stage;
    }
    return most;
}

bool clopt_summary_shortage(struct clopt_text *text, const struct clopt_results *results)
{
    bool initial;
    double had_s = clopt_work_seconds(results, "wall"), below_s = INFINITY;
    const struct clopt_results_stage *stage;
    if (isnan(had_s) || !is_too_short(results, &initial))
        return false;
    clopt_text_printf(text, "%s has a time: the time was over after %.1f s",
                      initial ? "no variant" : "nothing", had_s);
    for (size_t i = 0; i < MOST_STAGES && (stage = next_stage(results, below_s)); i++) {
        clopt_text_printf(text, "%s%.1f s for %s", i ? ", " : ", in which workers took ",
                          stage->seconds, stage->name);
        below_s = stage->seconds;
    }
    clopt_text_printf(text,
                      "; the first takes longer than that: the same command with a time of %.0f s "
                      "goes on from here",
                      ceil(2 * had_s));
    return true;
}
