/* SPDX-License-Identifier: BSD-3-Clause */
/* Records and says how races end. */
#include "watch/watch.h"

#include <math.h>

#include "race/ranking.h"
#include "race/tuning.h"
#include "results/verdict.h"
#include "store/cursor.h"
#include "text/variant_name.h"

#define MOST_MINUTES 60 /* more are not worth naming */

/* Counts the variants of a race that the store has, and of how many of them it has times. */
static uint64_t count_variants(const struct clopt_race *race, uint64_t *timed)
{
    struct clopt_cursor rows =
        clopt_cursor_begin(race->run->store, CLOPT_SQL_COUNT_TIMED, race->run->failure, "riii",
                           race->device_row, race->problem_row, (int64_t)CLOPT_FIRST_COMBINED);
    clopt_cursor_next(&rows);
    *timed = (uint64_t)clopt_cursor_integer(&rows, "timed");
    uint64_t count = (uint64_t)clopt_cursor_integer(&rows, "count");
    clopt_cursor_end(&rows);
    return count;
}

/* Whether the time was over before all were tried. */
static bool is_cut(const struct clopt_race *race)
{
    return race->cut || race->tally.not_reached;
}

/* Says what a race tried: only what has a time counts, unless its end was another one. */
static void append_tried(struct clopt_text *text, const struct clopt_race *race)
{
    const struct clopt_tuning *tuning = race->tuning;
    uint64_t timed, count = count_variants(race, &timed);
    uint64_t tried = tuning ? clopt_tuning_trials(tuning) : race->order.count;
    if (is_cut(race)) {
        clopt_text_printf(
            text, "the time for more variants was over: %" PRIu64 " of %" PRIu64 " %s a time",
            timed, count > tried ? count : tried, timed == 1 ? "has" : "have");
        return;
    }
    clopt_text_printf(text, "all %" PRIu64 " %s were tried", tried,
                      tuning && tried == clopt_tuning_limit(tuning) ? "trials" : "variants");
    if (timed < tried)
        clopt_text_printf(text, ", %" PRIu64 " %s a time", timed, timed == 1 ? "has" : "have");
}

/* Says why a race ended: what it tried, and how certain it became of the best of a kernel, with
 * which so much may be lost; NaN: the noise is too much to say so. */
static void append_ending(struct clopt_text *text, const struct clopt_race *race,
                          const struct clopt_ending *ending, double loss)
{
    const double precision = race->run->study->measure.precision;
    append_tried(text, race);
    if (loss <= precision)
        clopt_text_printf(text, ", and none of these is over %.3g%% better, with 95%%",
                          100 * precision);
    else if (ending->late)
        clopt_text_append(text, is_cut(race) ? "" : ", and the time to compare the best was over");
    else if (ending->spent)
        clopt_text_append(text,
                          ", and the time for comparing the best, a quarter of all before, was "
                          "over");
    else if (!clopt_race_has_time(race))
        clopt_text_append(text, ", and the best have all the samples that they may");
}

/* Appends what would help where more may be lost by what is named than was asked for: the loss
 * shrinks with the square root of the time that finalists take. */
static void append_need(struct clopt_text *text, const struct clopt_race *race,
                        const struct clopt_ending *ending, double loss)
{
    double precision = race->run->study->measure.precision;
    if (ending->need_s > 0)
        clopt_text_printf(text,
                          "; too few processes have measured the best: --time=%.0fs has them, or "
                          "the same command goes on with it",
                          ending->need_s);
    double minutes = ceil(ending->took_s * (pow(loss / precision, 2) - 1) / 60);
    if (loss <= precision || ending->need_s > 0)
        return;
    clopt_text_printf(text, "; within %.3g%% takes an idle machine", 100 * precision);
    if (minutes < MOST_MINUTES)
        clopt_text_printf(text, ", or some %.0f minutes more: %s", minutes,
                          clopt_race_has_time(race) ? "the same command goes on with it"
                                                    : "name [measure] precision to have it");
}

/* Records and says what is named as the best of a kernel, and why the search ended. */
static void put_named(const struct clopt_race *race, const struct clopt_ending *end, size_t kernel)
{
    const struct clopt_run *run = race->run;
    const struct clopt_ranking *ranking = &race->ranking[kernel];
    const struct clopt_candidate *leader = ranking->leader;
    const char *name = kernel < race->kernel_count ? race->kernels[kernel].name : "";
    const bool names = leader && !race->blind;
    const bool certain = names && clopt_ranking_is_certain(race, leader, kernel);
    const struct clopt_regret regret = certain ? ranking->regret : (struct clopt_regret){NAN, NAN};
    CLOPT_OWNED(clopt_text) text = {0}, ending = {0};
    append_ending(&ending, race, end, regret.high);
    clopt_store_put(run->store, CLOPT_SQL_PUT_NAMED, run->failure, "riisidds", race->device_row,
                    race->problem_row, name, names ? leader->row.id : (int64_t)0, regret.expected,
                    regret.high, ending.data);
    if (!run->study->measure.winner_only || !leader || race->blind)
        return;
    CLOPT_FREED char *variant = clopt_trial_name(&leader->trial);
    clopt_text_printf(&text, "%s on %s: %s%s", *name ? name : CLOPT_WHOLE_RUN,
                      run->study->devices[race->where.device].label, certain ? variant : "",
                      certain ? ": " : "");
    clopt_verdict_append_regret(&text, &regret);
    clopt_text_printf(&text, "; it ended as %s", ending.data);
    append_need(&text, race, end, regret.high);
    clopt_text_print(run->notices, "clopt: note: %s\n", text.data);
}

/* Whether a variant has times of a column. */
static bool has_variant(const struct clopt_race *race, size_t column)
{
    for (size_t i = 0; i < race->count; i++)
        if (!race->candidates[i]->role && clopt_ranking_has_samples(race->candidates[i], column))
            return true;
    return false;
}

void clopt_watch_name(void *user, const struct clopt_race *race, const struct clopt_ending *end)
{
    bool any = false;
    (void)user;
    for (size_t k = 0; k < clopt_race_columns(race); k++)
        if (has_variant(race, k)) {
            put_named(race, end, k);
            any = true;
        }
    if (!any && end->need_s > 0)
        clopt_text_print(race->run->notices,
                         "clopt: note: on %s: no variant has a time; the same command goes on\n",
                         race->run->study->devices[race->where.device].label);
}
