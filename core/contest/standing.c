/* SPDX-License-Identifier: BSD-3-Clause */
/* How the contenders of a contest compare, and which of them need more samples for that. */
#include "contest/standing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ratio.h"
#include "contest/joint.h"

/* How much a process changes ratios, as the standard deviation of their logarithms, where nothing
 * is known of that yet. */
#define PRIOR_CPU 0.05
#define PRIOR_GPU 0.01

#define NORMAL_97_5 1.959964

#define SWEEPS_AT_MOST 2 /* times [measure] processes: then it is not going to become precise */
#define FEW_SAMPLES    3 /* most of fewer may have been disturbed: those have to be twice as slow */
#define RACES          2 /* so many sweeps compare the finalists that may win, or one on each member */

/* Whether a contender has samples of a kernel that is reported. */
static bool has_samples(const struct clopt_contender *contender, size_t kernel)
{
    return clopt_contender_is_measured(contender) && clopt_contender_is_of(contender, kernel);
}

/* Adds what processes do to a contender's ratio to the initial code. */
static void add_spread(const struct clopt_contest *contest, struct clopt_spread *spread,
                       const struct clopt_contender *contender, size_t kernel)
{
    if (!has_samples(contender, kernel))
        return;
    const struct clopt_medians *own = clopt_contender_medians(contender, kernel);
    const struct clopt_medians *initial =
        clopt_contender_medians(clopt_contest_initial(contest), kernel);
    if (own && initial)
        clopt_spread_add(spread, own, initial);
}

struct clopt_interval clopt_standing_ratio(const struct clopt_contest *contest,
                                           const struct clopt_contender *above,
                                           const struct clopt_contender *below, size_t kernel)
{
    const struct clopt_medians *a = clopt_contender_medians(above, kernel);
    const struct clopt_medians *b = clopt_contender_medians(below, kernel);
    const struct clopt_medians *initial =
        clopt_contender_medians(clopt_contest_initial(contest), kernel);
    struct clopt_interval ratio =
        a && b && initial
            ? clopt_ratio_estimate_through(a, b, initial, &contest->standing[kernel].spread)
            : clopt_interval_estimate(NULL, NULL, 0);
    if (ratio.attained || isnan(ratio.median))
        return ratio;
    double prior = contest->on_cpu ? PRIOR_CPU : PRIOR_GPU;
    double within = 0.5 * log(ratio.high / ratio.low);
    double half = hypot(within, NORMAL_97_5 * prior);
    ratio.low = ratio.median * exp(-half);
    ratio.high = ratio.median * exp(half);
    return ratio;
}

void clopt_standing_find_leaders(struct clopt_contest *contest)
{
    for (size_t k = 0; k < clopt_contest_columns(contest); k++) {
        struct clopt_standing *standing = &contest->standing[k];
        standing->spread = standing->past;
        standing->leader = NULL;
        for (size_t i = 1; i < contest->count; i++)
            add_spread(contest, &standing->spread, contest->contenders[i], k);
        for (size_t i = 0; i < contest->count; i++) {
            struct clopt_contender *other = contest->contenders[i];
            if (other->role != CLOPT_ROLE_AGAIN && has_samples(other, k) &&
                (!standing->leader ||
                 clopt_standing_ratio(contest, other, standing->leader, k).median < 1))
                standing->leader = other;
        }
        if (standing->leader)
            standing->leader_ns =
                clopt_interval_estimate(standing->leader->columns[k].times_ns,
                                        standing->leader->process, standing->leader->count)
                    .median;
    }
}

/* The shortest of a contender's samples: the one that was disturbed least. */
static double shortest(const struct clopt_contender *contender, size_t kernel)
{
    double least = INFINITY;
    for (size_t i = 0; i < contender->count; i++)
        least = fmin(least, contender->columns[kernel].times_ns[i]);
    return least;
}

bool clopt_standing_is_hopeless(const struct clopt_contest *contest,
                                const struct clopt_contender *contender)
{
    double factor = contest->run->study->measure.abandon;
    if (contender->count < FEW_SAMPLES)
        factor *= 2;
    if (contender->role || !contender->count)
        return false;
    for (size_t k = 0; k < clopt_contest_columns(contest); k++) {
        const struct clopt_standing *standing = &contest->standing[k];
        if (clopt_contender_is_of(contender, k) &&
            !(standing->leader && shortest(contender, k) > factor * standing->leader_ns))
            return false;
    }
    return true;
}

/* What is known of a kernel of a contender. */
struct judgement {
    bool slower;    /* than the best, surely */
    bool different; /* from the initial code, surely */
    bool precise;
};

static struct judgement judge(const struct clopt_contest *contest,
                              const struct clopt_contender *contender, size_t kernel)
{
    const struct clopt_measure *measure = &contest->run->study->measure;
    struct clopt_contender *leader = contest->standing[kernel].leader;
    struct clopt_interval ratio =
        clopt_standing_ratio(contest, contender, clopt_contest_initial(contest), kernel);
    struct judgement judgement = {
        .different = ratio.low > 1 || ratio.high < 1,
        .precise = ratio.attained && 0.5 * log(ratio.high / ratio.low) <= measure->precision,
    };
    if (leader && leader != contender)
        judgement.slower = clopt_standing_ratio(contest, contender, leader, kernel).low > 1;
    return judgement;
}

bool clopt_standing_is_settled(const struct clopt_contest *contest,
                               const struct clopt_contender *contender)
{
    const struct clopt_measure *measure = &contest->run->study->measure;
    bool full = contender->sweeps >= measure->processes;
    bool spent = contender->count >= measure->max_samples ||
                 clopt_contender_seconds(contender, measure->objective, 0, contender->count) >=
                     measure->max_time_s ||
                 contender->sweeps >= SWEEPS_AT_MOST * measure->processes;
    for (size_t k = 0; k < clopt_contest_columns(contest); k++) {
        if (!clopt_contender_is_of(contender, k))
            continue;
        if (contender->count < (measure->winner_only ? FEW_SAMPLES : measure->min_samples))
            return false;
        struct judgement known = judge(contest, contender, k);
        bool enough = known.slower && (measure->winner_only || known.different);
        if (!enough && !(full && (spent || known.precise)))
            return false;
    }
    return true;
}

void clopt_standing_decide(struct clopt_contest *contest)
{
    const struct clopt_measure *measure = &contest->run->study->measure;
    clopt_standing_find_leaders(contest);
    for (size_t i = 0; i < contest->count; i++) {
        struct clopt_contender *contender = contest->contenders[i];
        if (contender->phase != CLOPT_PHASE_MEASURE || contender->stored < contender->count ||
            contender->races || !clopt_contender_is_measured(contender))
            continue;
        bool full = contender->sweeps >= measure->processes;
        bool hopeless = clopt_standing_is_hopeless(contest, contender);
        if (contender->role ? !full
                            : !(contest->tuning && contender->sweeps) && !hopeless &&
                                  !clopt_standing_is_settled(contest, contender))
            continue;
        contender->row.outcome = CLOPT_OUTCOME_OK;
        contender->row.abandoned = !full && (measure->winner_only || hopeless);
        clopt_contender_end(contender, contest->run);
    }
}

bool clopt_standing_may_win(const struct clopt_contest *contest,
                            const struct clopt_contender *contender)
{
    for (size_t k = 0; clopt_contender_is_measured(contender) && k < clopt_contest_columns(contest);
         k++)
        if ((contender->places >> k & 1) && !judge(contest, contender, k).slower)
            return true;
    return false;
}

/* ---- finalists ---- */

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

static bool is_over(const struct clopt_contender *contender)
{
    return clopt_contender_is_in_hand(contender) && contender->phase == CLOPT_PHASE_OVER &&
           !contender->users;
}

void clopt_standing_release(struct clopt_contest *contest)
{
    size_t left = 0;
    contest->tally.over += clopt_contest_count(contest, is_over);
    for (size_t i = 0; i < contest->count; i++) {
        struct clopt_contender *contender = contest->contenders[i];
        bool over = is_over(contender);
        for (size_t k = 0; k < clopt_contest_columns(contest) && over; k++)
            if (has_samples(contender, k))
                rank(contest, contender, k);
    }
    for (size_t i = 0; i < contest->count; i++) {
        struct clopt_contender *contender = contest->contenders[i];
        if (!is_over(contender)) {
            contest->contenders[left++] = contender;
            continue;
        }
        for (size_t k = 0; k < clopt_contest_columns(contest);
             k++) /* its share of the spread stays */
            add_spread(contest, &contest->standing[k].past, contender, k);
        clopt_joint_note(contest, contender);
        clopt_contender_destroy(contender);
    }
    bool some = left < contest->count;
    contest->count = left;
    if (some) /* one of them may have been a leader */
        clopt_standing_find_leaders(contest);
}

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
            return clopt_contender_races(finalist) && finalist->races < RACES;
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

void clopt_standing_end_sweep(struct clopt_contest *contest, size_t member)
{
    contest->racing &= ~((uint64_t)1 << member);
    if (!contest->racing)
        end_race(contest);
}

bool clopt_standing_race(struct clopt_contest *contest)
{
    bool needed = false;
    for (size_t i = 0; i < contest->count; i++)
        if (clopt_standing_may_win(contest, contest->contenders[i]))
            contest->contenders[i]->phase = CLOPT_PHASE_MEASURE;
    for (size_t i = 0; i < contest->count; i++)
        needed |= has_to_race(contest, contest->contenders[i]);
    if (!needed) {
        end_race(contest);
        return false;
    }
    for (size_t member = 0; member < contest->members; member++) {
        if (contest->lost[member])
            continue;
        contest->racing |= (uint64_t)1 << member;
        for (size_t i = 0; i < contest->count; i++)
            contest->contenders[i]->races += clopt_contender_races(contest->contenders[i]);
    }
    return contest->racing;
}

struct clopt_contender *clopt_standing_to_recheck(struct clopt_contest *contest, unsigned problem)
{
    struct clopt_contender *initial = clopt_contest_initial(contest);
    unsigned bit = 1u << problem;
    for (size_t i = 0; i < contest->count && !(contest->bad_problems & bit); i++) {
        struct clopt_contender *finalist = contest->contenders[i];
        if (!(finalist->rechecked & bit) && clopt_standing_may_win(contest, finalist))
            return initial->rechecked & bit ? finalist : initial;
    }
    return NULL;
}

/* ---- noise ---- */

/* How the initial code changed from its first process to its last; 0 where that may be chance. */
static double drift_of(const struct clopt_contender *initial, size_t column)
{
    struct clopt_interval begin =
        clopt_contender_interval(initial, column, initial->process[0], false);
    struct clopt_interval end =
        clopt_contender_interval(initial, column, initial->process[initial->count - 1], false);
    return clopt_interval_overlap(&begin, &end) ? 0 : end.median / begin.median - 1;
}

void clopt_standing_put_noise(const struct clopt_contest *contest)
{
    const struct clopt_run *run = contest->run;
    const struct clopt_contender *initial = contest->contenders[0], *again = contest->contenders[1];
    if (initial->count == 0 || again->count == 0)
        return;
    for (size_t column = 0; column <= contest->kernel_count; column++) {
        const char *kernel = column < contest->kernel_count ? contest->kernels[column].name : "";
        const struct clopt_medians *one = clopt_contender_medians(initial, column);
        const struct clopt_medians *other = clopt_contender_medians(again, column);
        if (!one || !other) {
            clopt_fail_memory(run->failure);
            return;
        }
        struct clopt_interval ratio = clopt_ratio_estimate(one, other, NULL);
        double noise = isnan(ratio.median) ? NAN : fmax(fabs(ratio.low - 1), fabs(ratio.high - 1));
        clopt_store_put_noise(run->store, contest->device_row, contest->problem_row, kernel, noise,
                              contest->members > 1 ? NAN : drift_of(initial, column), run->failure);
    }
}
