/* SPDX-License-Identifier: BSD-3-Clause */
/* How the contenders of a contest compare, and which of them need more samples for that. */
#include "contest/standing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ratio.h"

/* How much a process changes ratios, as the standard deviation of their logarithms, where nothing
 * is known of that yet. */
#define PRIOR_CPU 0.05
#define PRIOR_GPU 0.01

#define NORMAL_97_5 1.959964

#define SWEEPS_AT_MOST 2 /* times [measure] processes: then it is not going to become precise */
#define FEW_SAMPLES    3 /* most of fewer may have been disturbed: those have to be twice as slow */

void clopt_standing_add_spread(const struct clopt_contest *contest, struct clopt_spread *spread,
                               const struct clopt_contender *contender, size_t kernel)
{
    const struct clopt_medians *own = clopt_contender_medians(contender, kernel);
    const struct clopt_medians *initial =
        clopt_contender_medians(clopt_contest_initial(contest), kernel);
    if (own && initial)
        clopt_spread_add(spread, own, initial);
}

/* What processes do to ratios, by all contenders that the contest has seen. */
static struct clopt_spread find_spread(const struct clopt_contest *contest, size_t kernel)
{
    struct clopt_spread spread = contest->standing[kernel].past;
    for (size_t i = 1; i < contest->count; i++)
        if (clopt_contender_is_measured(contest->contenders[i]) &&
            clopt_contender_is_of(contest->contenders[i], kernel))
            clopt_standing_add_spread(contest, &spread, contest->contenders[i], kernel);
    return spread;
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

static bool is_faster(const struct clopt_contest *contest, const struct clopt_contender *one,
                      const struct clopt_contender *other, size_t kernel)
{
    return clopt_standing_ratio(contest, one, other, kernel).median < 1;
}

void clopt_standing_find_leaders(struct clopt_contest *contest)
{
    for (size_t k = 0; k < contest->kernel_count; k++) {
        struct clopt_standing *standing = &contest->standing[k];
        standing->spread = find_spread(contest, k);
        standing->leader = NULL;
        for (size_t i = 0; i < contest->count; i++) {
            struct clopt_contender *other = contest->contenders[i];
            if (other->role != CLOPT_ROLE_AGAIN && clopt_contender_is_measured(other) &&
                clopt_contender_is_of(other, k) &&
                (!standing->leader || is_faster(contest, other, standing->leader, k)))
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
    for (size_t k = 0; k < contest->kernel_count; k++) {
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
    for (size_t k = 0; k < contest->kernel_count; k++) {
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

/* Ends a contender whose samples are enough. */
static void end(struct clopt_contest *contest, struct clopt_contender *contender)
{
    struct clopt_store_trial *row = &contender->row;
    row->outcome = CLOPT_OUTCOME_OK;
    row->abandoned = contender->sweeps < contest->run->study->measure.processes &&
                     (contest->run->study->measure.winner_only ||
                      clopt_standing_is_hopeless(contest, contender));
    clopt_contender_end(contender, contest->run);
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
        if (contender->role ? contender->sweeps >= measure->processes
                            : (contest->tuning && contender->sweeps) ||
                                  clopt_standing_is_hopeless(contest, contender) ||
                                  clopt_standing_is_settled(contest, contender))
            end(contest, contender);
    }
}

bool clopt_standing_may_win(const struct clopt_contest *contest,
                            const struct clopt_contender *contender)
{
    for (size_t k = 0; clopt_contender_is_measured(contender) && k < contest->kernel_count; k++)
        if ((contender->places >> k & 1) && !judge(contest, contender, k).slower)
            return true;
    return false;
}
