/* SPDX-License-Identifier: BSD-3-Clause */
/* The finalists of a race: what is lost by naming one of them, and where they are measured. */
#include "race/finals.h"

#include "race/ranking.h"
#include "text/variant_name.h"

#define MOST_ROUNDS 1000 /* whatever the time is */

/* In how many processes both were sampled. */
static size_t count_common(const struct clopt_candidate *one, const struct clopt_candidate *other)
{
    size_t run = one->samples.column_count - 1;
    const struct clopt_medians *a = clopt_samples_medians(&one->samples, run);
    const struct clopt_medians *b = clopt_samples_medians(&other->samples, run);
    return clopt_ratio_estimate(a, b, NULL).processes;
}

/* Whether a finalist has not met all others in as many processes as the study asks for. */
static bool has_to_meet(const struct clopt_race *race, const struct clopt_candidate *finalist)
{
    for (size_t i = 0; i < race->count; i++)
        if (clopt_candidate_is_finalist(race->candidates[i]) &&
            count_common(finalist, race->candidates[i]) < race->run->study->measure.processes)
            return clopt_candidate_is_finalist(finalist);
    return false;
}

/* ---- what is named ---- */

/* Those who may be named as the best of a kernel. */
struct named {
    const struct clopt_race *race;
    struct clopt_candidate **candidates;
    size_t kernel;
};

static struct clopt_interval ratio_of(const void *user, size_t above, size_t below)
{
    const struct named *named = user;
    return clopt_ranking_ratio(named->race, named->candidates[above], named->candidates[below],
                               named->kernel);
}

static size_t changes_of(const void *user, size_t number)
{
    CLOPT_FREED char *name =
        clopt_trial_name(&((const struct named *)user)->candidates[number]->trial);
    return clopt_name_changes(name);
}

void clopt_finals_name(struct clopt_race *race)
{
    struct named named = {race, clopt_calloc(race->count, sizeof *named.candidates), 0};
    struct clopt_field field = {
        &named, 0, ratio_of, changes_of, race->run->study->measure.precision, SIZE_MAX};
    clopt_ranking_find_leaders(race);
    for (; named.kernel < clopt_race_columns(race); named.kernel++) {
        struct clopt_ranking *ranking = &race->ranking[named.kernel];
        field.count = 0;
        for (size_t i = 0; i < race->count; i++)
            if (race->candidates[i]->role != CLOPT_ROLE_AGAIN &&
                clopt_ranking_has_samples(race->candidates[i], named.kernel))
                named.candidates[field.count++] = race->candidates[i];
        bool compared = field.count && named.candidates[0] == clopt_race_initial(race);
        field.initial = compared ? 0 : SIZE_MAX;
        size_t best = clopt_field_name(&field, &ranking->regret);
        if (best < field.count)
            ranking->leader = named.candidates[best];
    }
    free(named.candidates);
}

/* Whether a finalist, where too much may be lost by what is named, is that or may be faster: by
 * `more` than may be lost, or by anything. */
static bool may_gain(const struct clopt_race *race, const struct clopt_candidate *finalist,
                     bool more)
{
    for (size_t k = clopt_race_open_column(race);
         clopt_candidate_is_measured(finalist) && k < clopt_race_columns(race); k++) {
        const struct clopt_ranking *ranking = &race->ranking[k];
        double precision = race->run->study->measure.precision;
        if (!(finalist->finals >> k & 1) || ranking->regret.high <= precision)
            continue;
        struct clopt_judgement known = clopt_ranking_judge(race, finalist, k);
        if (finalist == ranking->leader || !(more ? known.no_gain : known.slower))
            return true;
    }
    return false;
}

/* ---- rounds ---- */

/* Enters those into a round who may gain; returns how many they are. */
static size_t enter_finals(struct clopt_race *race, bool more)
{
    size_t count = 0;
    for (size_t i = 0; i < race->count; i++) {
        struct clopt_candidate *candidate = race->candidates[i];
        if (!candidate->finals || !may_gain(race, candidate, more))
            continue;
        candidate->phase = CLOPT_PHASE_MEASURE;
        count++;
    }
    return count;
}

/* After the last measurement of a round, nobody needs samples any more. */
static void end_finals(struct clopt_race *race)
{
    for (size_t i = 0; i < race->count; i++) {
        struct clopt_candidate *candidate = race->candidates[i];
        if (!clopt_candidate_is_finalist(candidate))
            continue;
        candidate->phase = CLOPT_PHASE_OVER;
        if (candidate->row.abandoned && candidate->samples.rounds) { /* not any more */
            candidate->row.abandoned = false;
            clopt_candidate_put(candidate, race->run);
        }
    }
}

void clopt_finals_end_measurement(struct clopt_race *race, size_t member)
{
    race->finals_left -= race->in_finals[member];
    race->in_finals[member] = false;
    if (!race->finals_left)
        end_finals(race);
}

/* Whether all the finalists have used up what they may: more is for a search that has time left. */
static bool are_spent(const struct clopt_race *race)
{
    for (size_t i = 0; i < race->count; i++)
        if (clopt_candidate_is_finalist(race->candidates[i]) &&
            !clopt_ranking_is_spent(&race->run->study->measure, race->candidates[i]))
            return false;
    return !clopt_race_has_time(race);
}

/* Whether a finalist is one of the best few of some kernel. */
static bool is_among_best(const struct clopt_race *race, const struct clopt_candidate *finalist)
{
    for (size_t k = 0; k < clopt_race_columns(race); k++) {
        size_t better = 0;
        for (size_t i = 0; i < race->count && (finalist->finals >> k & 1); i++) {
            const struct clopt_candidate *other = race->candidates[i];
            better += (other->finals >> k & 1) && clopt_ranking_has_samples(other, k) &&
                      clopt_ranking_ratio(race, other, finalist, k).median < 1;
        }
        if ((finalist->finals >> k & 1) &&
            (better < CLOPT_FINALISTS || race->ranking[k].leader == finalist))
            return true;
    }
    return false;
}

static bool is_named(const struct clopt_race *race, const struct clopt_candidate *candidate)
{
    for (size_t k = 0; k < clopt_race_columns(race); k++)
        if (race->ranking[k].leader == candidate)
            return true;
    return false;
}

/* Chooses who is in the next round: the one to name and the best few who may gain until they have
 * met, whatever noise leaves open of others, then those that leave open what is lost. Who takes the
 * place of one that fell behind has all of its meetings before it: that is worth it while there is
 * time, or for the one to name, and for so many rounds. False: there are none. */
static bool choose_finalists(struct clopt_race *race, double left_s)
{
    bool open = left_s > 0 || race->rounds == 0;
    for (size_t i = 0; i < race->count; i++) {
        struct clopt_candidate *candidate = race->candidates[i];
        bool gains = may_gain(race, candidate, true) && (open || candidate->samples.rounds);
        if (candidate->finals && (gains || is_named(race, candidate)) &&
            is_among_best(race, candidate))
            candidate->phase = CLOPT_PHASE_MEASURE;
    }
    const size_t most = 2 * race->run->study->measure.processes;
    for (size_t i = 0; i < race->count && race->rounds < most; i++)
        if (has_to_meet(race, race->candidates[i]))
            return true;
    end_finals(race);
    if (left_s <= 0 || race->rounds >= MOST_ROUNDS)
        return false;
    if (enter_finals(race, true) < 2 && enter_finals(race, false) < 1)
        return false;
    return !are_spent(race);
}

void clopt_finals_keep_sources(struct clopt_race *race)
{
    for (size_t i = 0; i < race->count; i++) {
        struct clopt_candidate *candidate = race->candidates[i];
        if (candidate == clopt_race_initial(race) || is_named(race, candidate) ||
            is_among_best(race, candidate))
            clopt_candidate_keep_source(candidate, race->run);
    }
}

bool clopt_finals_go_on(struct clopt_race *race, double left_s)
{
    clopt_finals_name(race);
    if (!choose_finalists(race, left_s)) {
        end_finals(race);
        return false;
    }
    race->rounds++;
    for (size_t member = 0; member < race->members; member++) {
        if (race->lost[member])
            continue;
        race->finals_left += !race->in_finals[member];
        race->in_finals[member] = true;
        for (size_t i = 0; i < race->count; i++)
            race->candidates[i]->samples.rounds += clopt_candidate_is_finalist(race->candidates[i]);
    }
    return race->finals_left;
}

struct clopt_candidate *clopt_finals_to_recheck(struct clopt_race *race, unsigned problem)
{
    struct clopt_candidate *initial = clopt_race_initial(race);
    unsigned bit = 1u << problem;
    for (size_t i = 0; i < race->count && !(race->bad_problems & bit); i++) {
        struct clopt_candidate *finalist = race->candidates[i];
        if (race->presorts && !(problem == CLOPT_OTHER_PROBLEMS - 1 &&
                                json_is_true(json_object_get(finalist->variant, "demands"))))
            continue;
        bool built = race->presorts && clopt_candidate_wants_samples(finalist);
        if (!(finalist->checks.passed & bit) &&
            (built || (clopt_ranking_may_win(race, finalist) && is_among_best(race, finalist))))
            return initial->checks.passed & bit ? finalist : initial;
    }
    return NULL;
}
