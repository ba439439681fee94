/* SPDX-License-Identifier: BSD-3-Clause */
/* The finalists of a contest: what is lost by naming one of them, and the sweeps in which they
 * meet. */
#include "contest/finals.h"

#include <math.h>
#include <stdlib.h>

#include "base/variant_name.h"
#include "contest/standing.h"

#define MOST_RACES 1000 /* whatever the time is */

/* In how many processes both were sampled. */
static size_t count_common(const struct clopt_contender *one, const struct clopt_contender *other)
{
    size_t run = one->column_count - 1;
    const struct clopt_medians *a = clopt_contender_medians(one, run);
    const struct clopt_medians *b = clopt_contender_medians(other, run);
    return a && b ? clopt_ratio_estimate(a, b, NULL).processes : 0;
}

/* Whether a finalist has not met all others in as many processes as the study asks for. */
static bool has_to_meet(const struct clopt_contest *contest, const struct clopt_contender *finalist)
{
    for (size_t i = 0; i < contest->count; i++)
        if (clopt_contender_races(contest->contenders[i]) &&
            count_common(finalist, contest->contenders[i]) < contest->run->study->measure.processes)
            return clopt_contender_races(finalist);
    return false;
}

/* ---- what is named ---- */

/* Those who may be named as the best of a kernel. */
struct named {
    const struct clopt_contest *contest;
    struct clopt_contender **contenders;
    size_t kernel;
};

static struct clopt_interval ratio_of(const void *user, size_t above, size_t below)
{
    const struct named *named = user;
    return clopt_standing_ratio(named->contest, named->contenders[above], named->contenders[below],
                                named->kernel);
}

static size_t changes_of(const void *user, size_t number)
{
    char *name = clopt_trial_name(&((const struct named *)user)->contenders[number]->trial);
    size_t changes = name ? clopt_name_changes(name) : SIZE_MAX;
    free(name);
    return changes;
}

void clopt_finals_name(struct clopt_contest *contest)
{
    struct named named = {contest, calloc(contest->count + 1, sizeof *named.contenders), 0};
    struct clopt_field field = {&named, 0, ratio_of, changes_of,
                                contest->run->study->measure.precision};
    clopt_standing_find_leaders(contest);
    for (; named.contenders && named.kernel < clopt_contest_columns(contest); named.kernel++) {
        struct clopt_standing *standing = &contest->standing[named.kernel];
        field.count = 0;
        for (size_t i = 0; i < contest->count; i++)
            if (contest->contenders[i]->role != CLOPT_ROLE_AGAIN &&
                clopt_standing_has_samples(contest->contenders[i], named.kernel))
                named.contenders[field.count++] = contest->contenders[i];
        size_t best = clopt_field_name(&field, &standing->regret);
        if (best < field.count)
            standing->leader = named.contenders[best];
    }
    free(named.contenders);
}

/* Whether a finalist, where too much may be lost by what is named, is that or may be faster: by
 * `more` than may be lost, or by anything. */
static bool may_gain(const struct clopt_contest *contest, const struct clopt_contender *finalist,
                     bool more)
{
    for (size_t k = 0; clopt_contender_is_measured(finalist) && k < clopt_contest_columns(contest);
         k++) {
        const struct clopt_standing *standing = &contest->standing[k];
        double precision = contest->run->study->measure.precision;
        if (!(finalist->places >> k & 1) || standing->regret.high <= precision)
            continue;
        struct clopt_judgement known = clopt_standing_judge(contest, finalist, k);
        if (finalist == standing->leader || !(more ? known.no_gain : known.slower))
            return true;
    }
    return false;
}

/* ---- races ---- */

/* Enters those into a race who may gain; returns how many they are. */
static size_t enter_race(struct clopt_contest *contest, bool more)
{
    size_t count = 0;
    for (size_t i = 0; i < contest->count; i++) {
        struct clopt_contender *contender = contest->contenders[i];
        if (!contender->places || !may_gain(contest, contender, more))
            continue;
        contender->phase = CLOPT_PHASE_MEASURE;
        count++;
    }
    return count;
}

/* After the last sweep of a race, nobody needs samples any more. */
static void end_race(struct clopt_contest *contest)
{
    for (size_t i = 0; i < contest->count; i++) {
        struct clopt_contender *contender = contest->contenders[i];
        if (!clopt_contender_races(contender))
            continue;
        contender->phase = CLOPT_PHASE_OVER;
        if (contender->row.abandoned && contender->races) { /* not any more */
            contender->row.abandoned = false;
            clopt_contender_put(contender, contest->run);
        }
    }
}

void clopt_finals_end_sweep(struct clopt_contest *contest, size_t member)
{
    contest->racing &= ~((uint64_t)1 << member);
    if (!contest->racing)
        end_race(contest);
}

/* Whether all who race have used up what they may: more is for a search whose time is left over. */
static bool are_spent(const struct clopt_contest *contest)
{
    for (size_t i = 0; i < contest->count; i++)
        if (clopt_contender_races(contest->contenders[i]) &&
            !clopt_standing_is_spent(&contest->run->study->measure, contest->contenders[i]))
            return false;
    return !clopt_contest_has_time(contest);
}

/* Chooses who races: those that have not met, then those that leave open what is lost. False:
 * nobody. */
static bool choose_racers(struct clopt_contest *contest, double left_s)
{
    for (size_t i = 0; i < contest->count; i++)
        if (clopt_standing_may_win(contest, contest->contenders[i]))
            contest->contenders[i]->phase = CLOPT_PHASE_MEASURE;
    for (size_t i = 0; i < contest->count; i++)
        if (has_to_meet(contest, contest->contenders[i]))
            return contest->races < 2 * contest->run->study->measure.processes;
    end_race(contest);
    if (left_s <= 0 || contest->races >= MOST_RACES)
        return false;
    if (enter_race(contest, true) < 2 && enter_race(contest, false) < 1)
        return false;
    return !are_spent(contest);
}

/* Whether a finalist is one of the best few of some kernel. */
static bool is_among_best(const struct clopt_contest *contest,
                          const struct clopt_contender *finalist)
{
    for (size_t k = 0; k < clopt_contest_columns(contest); k++) {
        size_t better = 0;
        for (size_t i = 0; i < contest->count && (finalist->places >> k & 1); i++) {
            const struct clopt_contender *other = contest->contenders[i];
            better += (other->places >> k & 1) && clopt_standing_has_samples(other, k) &&
                      clopt_standing_ratio(contest, other, finalist, k).median < 1;
        }
        if ((finalist->places >> k & 1) &&
            (better < CLOPT_FINALISTS || contest->standing[k].leader == finalist))
            return true;
    }
    return false;
}

static void keep_sources(struct clopt_contest *contest)
{
    for (size_t i = 0; i < contest->count; i++)
        if (contest->contenders[i] == clopt_contest_initial(contest) ||
            is_among_best(contest, contest->contenders[i]))
            clopt_contender_keep_source(contest->contenders[i], contest->run);
}

bool clopt_finals_race(struct clopt_contest *contest, double left_s)
{
    clopt_finals_name(contest);
    if (!choose_racers(contest, left_s)) {
        end_race(contest);
        keep_sources(contest);
        return false;
    }
    contest->races++;
    for (size_t member = 0; member < contest->members; member++) {
        if (contest->lost[member])
            continue;
        contest->racing |= (uint64_t)1 << member;
        for (size_t i = 0; i < contest->count; i++)
            contest->contenders[i]->races += clopt_contender_races(contest->contenders[i]);
    }
    return contest->racing;
}

struct clopt_contender *clopt_finals_to_recheck(struct clopt_contest *contest, unsigned problem)
{
    struct clopt_contender *initial = clopt_contest_initial(contest);
    unsigned bit = 1u << problem;
    for (size_t i = 0; i < contest->count && !(contest->bad_problems & bit); i++) {
        struct clopt_contender *finalist = contest->contenders[i];
        if (!(finalist->rechecked & bit) && clopt_standing_may_win(contest, finalist) &&
            is_among_best(contest, finalist))
            return initial->rechecked & bit ? finalist : initial;
    }
    return NULL;
}
