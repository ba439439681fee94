/* SPDX-License-Identifier: BSD-3-Clause */
/* The best contenders of each kernel of a contest. */
#include "contest/finalists.h"

#include <stdlib.h>

#include "contest/standing.h"

/* So many sweeps compare the finalists that may win, or one on each member of the device. */
#define RACES 2

/* Makes a contender a finalist of a kernel; where there are too many, the slowest is none. */
static void rank(struct clopt_contest *contest, struct clopt_contender *contender, size_t kernel)
{
    uint64_t bit = (uint64_t)1 << kernel;
    struct clopt_contender *slowest = contender;
    size_t count = 0;
    contender->places |= bit;
    for (size_t i = 0; i < contest->count; i++) {
        struct clopt_contender *other = contest->contenders[i];
        if (!(other->places & bit))
            continue;
        count++;
        if (other != slowest && clopt_standing_ratio(contest, other, slowest, kernel).median > 1)
            slowest = other;
    }
    if (count > CLOPT_FINALISTS)
        slowest->places &= ~bit;
}

/* Frees a contender; its share of the spread between processes stays. */
static void forget(struct clopt_contest *contest, struct clopt_contender *contender)
{
    for (size_t k = 0; k < contest->kernel_count && clopt_contender_is_measured(contender); k++)
        if (clopt_contender_is_of(contender, k))
            clopt_standing_add_spread(contest, &contest->standing[k].past, contender, k);
    clopt_contender_destroy(contender);
}

static bool is_over(const struct clopt_contender *contender)
{
    return clopt_contender_is_in_hand(contender) && contender->phase == CLOPT_PHASE_OVER &&
           !contender->users;
}

void clopt_finalists_release(struct clopt_contest *contest)
{
    size_t left = 0;
    contest->tally.over += clopt_contest_count(contest, is_over);
    for (size_t i = 0; i < contest->count; i++) {
        struct clopt_contender *contender = contest->contenders[i];
        if (!is_over(contender))
            continue;
        for (size_t k = 0; k < contest->kernel_count && clopt_contender_is_measured(contender); k++)
            if (clopt_contender_is_of(contender, k))
                rank(contest, contender, k);
    }
    for (size_t i = 0; i < contest->count; i++)
        if (is_over(contest->contenders[i]))
            forget(contest, contest->contenders[i]);
        else
            contest->contenders[left++] = contest->contenders[i];
    bool some = left < contest->count;
    contest->count = left;
    if (some) /* one of them may have been a leader */
        clopt_standing_find_leaders(contest);
}

/* ---- races ---- */

/* In how many processes both were sampled. */
static size_t count_common(const struct clopt_contender *one, const struct clopt_contender *other)
{
    size_t run = one->column_count - 1;
    const struct clopt_medians *a = clopt_contender_medians(one, run);
    const struct clopt_medians *b = clopt_contender_medians(other, run);
    return a && b ? clopt_ratio_estimate(a, b, NULL).processes : 0;
}

/* Whether a finalist has not met all others in as many processes as the study asks for. */
static bool has_to_race(const struct clopt_contest *contest, const struct clopt_contender *finalist)
{
    for (size_t i = 0; i < contest->count; i++)
        if (clopt_contender_races(contest->contenders[i]) &&
            count_common(finalist, contest->contenders[i]) < contest->run->study->measure.processes)
            return finalist->races < RACES;
    return false;
}

/* After the last sweep of a race, nobody needs samples any more. */
static void end_race(struct clopt_contest *contest)
{
    for (size_t i = 0; i < contest->count; i++)
        if (clopt_contender_races(contest->contenders[i]))
            contest->contenders[i]->phase = CLOPT_PHASE_OVER;
    clopt_standing_find_leaders(contest);
}

void clopt_finalists_end_sweep(struct clopt_contest *contest, size_t member)
{
    contest->racing &= ~((uint64_t)1 << member);
    if (!contest->racing)
        end_race(contest);
}

bool clopt_finalists_race(struct clopt_contest *contest)
{
    bool needed = false;
    for (size_t i = 0; i < contest->count; i++)
        if (clopt_standing_may_win(contest, contest->contenders[i]))
            contest->contenders[i]->phase = CLOPT_PHASE_MEASURE;
    for (size_t i = 0; i < contest->count; i++)
        needed |= clopt_contender_races(contest->contenders[i]) &&
                  has_to_race(contest, contest->contenders[i]);
    if (!needed) {
        end_race(contest);
        return false;
    }
    for (size_t member = 0; member < contest->members; member++) {
        if (clopt_contest_has_lost(contest, member))
            continue;
        contest->racing |= (uint64_t)1 << member;
        for (size_t i = 0; i < contest->count; i++)
            contest->contenders[i]->races += clopt_contender_races(contest->contenders[i]);
    }
    return contest->racing;
}

struct clopt_contender *clopt_finalists_to_recheck(struct clopt_contest *contest, unsigned problem)
{
    struct clopt_contender *initial = clopt_contest_initial(contest);
    unsigned bit = 1u << problem;
    for (size_t i = 0; i < contest->count; i++) {
        struct clopt_contender *finalist = contest->contenders[i];
        if (((finalist->rechecked | contest->bad_problems) & bit) ||
            !clopt_standing_may_win(contest, finalist))
            continue;
        return initial->rechecked & bit ? finalist : initial;
    }
    return NULL;
}
