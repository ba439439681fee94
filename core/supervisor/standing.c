/* SPDX-License-Identifier: BSD-3-Clause */
/* How the contenders of a group compare, and which of them need more samples for that. */
#include "supervisor/standing.h"

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

/* Whether a contender has samples of right results. */
static bool is_measured(const struct clopt_contender *contender)
{
    return contender && contender->count && !contender->is_alias &&
           !clopt_contender_has_failed(contender);
}

static const struct clopt_device_info *device_of(const struct clopt_group *group)
{
    return &group->run->devices[group->device].info;
}

static bool is_of(const struct clopt_contender *contender, size_t kernel)
{
    return contender->is_initial || contender->is_again || (contender->kernels >> kernel & 1);
}

/* Adds what processes do to a contender's ratio to the initial code. */
static void add_spread(struct clopt_spread *spread, const struct clopt_group *group,
                       const struct clopt_contender *contender, size_t kernel)
{
    const struct clopt_medians *own = clopt_contender_medians(contender, kernel);
    const struct clopt_medians *initial = clopt_contender_medians(&group->initial, kernel);
    if (own && initial)
        clopt_spread_add(spread, own, initial);
}

void clopt_standing_keep_spread(struct clopt_group *group, const struct clopt_contender *contender,
                                size_t kernel)
{
    add_spread(&group->spreads[kernel], group, contender, kernel);
}

/* What processes do to ratios, by all contenders that the group has seen. */
static struct clopt_spread find_spread(struct clopt_group *group, size_t kernel)
{
    struct clopt_spread spread = group->spreads[kernel];
    const struct clopt_contender *contender;
    for (size_t i = 1; (contender = clopt_group_contender(group, i)); i++)
        if (is_measured(contender) && is_of(contender, kernel) && !contender->places)
            add_spread(&spread, group, contender, kernel); /* finalists have been counted */
    return spread;
}

struct clopt_interval clopt_standing_ratio(const struct clopt_group *group,
                                           const struct clopt_contender *above,
                                           const struct clopt_contender *below, size_t kernel)
{
    const struct clopt_medians *a = clopt_contender_medians(above, kernel);
    const struct clopt_medians *b = clopt_contender_medians(below, kernel);
    const struct clopt_medians *initial = clopt_contender_medians(&group->initial, kernel);
    struct clopt_interval ratio =
        a && b && initial
            ? clopt_ratio_estimate_through(a, b, initial, &group->standing[kernel].spread)
            : clopt_interval_estimate(NULL, NULL, 0);
    if (ratio.attained || isnan(ratio.median))
        return ratio;
    double prior = strcmp(device_of(group)->type, "cpu") == 0 ? PRIOR_CPU : PRIOR_GPU;
    double within = 0.5 * log(ratio.high / ratio.low);
    double half = hypot(within, NORMAL_97_5 * prior);
    ratio.low = ratio.median * exp(-half);
    ratio.high = ratio.median * exp(half);
    return ratio;
}

void clopt_standing_find_leaders(struct clopt_group *group)
{
    for (size_t k = 0; k < group->kernel_count; k++) {
        group->standing[k].spread = find_spread(group, k);
        struct clopt_contender *leader = is_measured(&group->initial) ? &group->initial : NULL;
        struct clopt_contender *other;
        for (size_t f = 0; f < CLOPT_FINALISTS; f++) {
            other = group->finalists[k * CLOPT_FINALISTS + f];
            if (is_measured(other) &&
                (!leader || clopt_standing_ratio(group, other, leader, k).median < 1))
                leader = other;
        }
        for (size_t i = 2; (other = clopt_group_contender(group, i)); i++)
            if (is_measured(other) && is_of(other, k) &&
                (!leader || clopt_standing_ratio(group, other, leader, k).median < 1))
                leader = other;
        group->standing[k].leader = leader;
    }
}

/* The shortest of a contender's samples: the one that was disturbed least. */
static double shortest(const struct clopt_contender *contender, size_t kernel)
{
    double least = INFINITY;
    for (size_t i = 0; i < contender->count; i++)
        least = fmin(least, contender->times_ns[i * contender->columns + kernel]);
    return least;
}

bool clopt_standing_is_hopeless(const struct clopt_group *group,
                                const struct clopt_contender *contender)
{
    double factor = group->run->study->measure.abandon;
    if (contender->count < FEW_SAMPLES)
        factor *= 2;
    if (contender->is_initial || contender->is_again || !contender->count)
        return false;
    for (size_t k = 0; k < group->kernel_count; k++) {
        const struct clopt_contender *leader = group->standing[k].leader;
        if (is_of(contender, k) &&
            !(leader && shortest(contender, k) >
                            factor * clopt_contender_interval(leader, k, UINT32_MAX).median))
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

static struct judgement judge(const struct clopt_group *group,
                              const struct clopt_contender *contender, size_t kernel)
{
    const struct clopt_measure *measure = &group->run->study->measure;
    struct clopt_contender *leader = group->standing[kernel].leader;
    struct clopt_interval ratio = clopt_standing_ratio(group, contender, &group->initial, kernel);
    struct judgement judgement = {
        .different = ratio.low > 1 || ratio.high < 1,
        .precise = ratio.attained && 0.5 * log(ratio.high / ratio.low) <= measure->precision,
    };
    if (leader && leader != contender)
        judgement.slower = clopt_standing_ratio(group, contender, leader, kernel).low > 1;
    return judgement;
}

bool clopt_standing_is_settled(const struct clopt_group *group,
                               const struct clopt_contender *contender)
{
    const struct clopt_measure *measure = &group->run->study->measure;
    bool full = contender->sweeps >= measure->processes;
    bool spent = contender->count >= measure->max_samples ||
                 contender->sampled_s >= measure->max_time_s ||
                 contender->sweeps >= SWEEPS_AT_MOST * measure->processes;
    for (size_t k = 0; k < group->kernel_count; k++) {
        if (!is_of(contender, k))
            continue;
        if (contender->count < (measure->winner_only ? FEW_SAMPLES : measure->min_samples))
            return false;
        struct judgement known = judge(group, contender, k);
        bool enough = known.slower && (measure->winner_only || known.different);
        if (!enough && !(full && (spent || known.precise)))
            return false;
    }
    return true;
}

/* Ends a contender whose samples are enough. */
static void end(struct clopt_group *group, struct clopt_contender *contender)
{
    struct clopt_store_trial *row = &contender->row;
    row->outcome = CLOPT_OUTCOME_OK;
    row->abandoned =
        contender->sweeps < group->run->study->measure.processes &&
        (group->run->study->measure.winner_only || clopt_standing_is_hopeless(group, contender));
    free(row->source); /* the plugins make it again */
    row->source = NULL;
    clopt_contender_end(contender, group->run);
}

void clopt_standing_decide(struct clopt_group *group)
{
    const struct clopt_measure *measure = &group->run->study->measure;
    struct clopt_contender *contender;
    clopt_standing_find_leaders(group);
    for (size_t i = 0; (contender = clopt_group_contender(group, i)); i++) {
        bool reference = contender->is_initial || contender->is_again;
        if (contender->phase != CLOPT_PHASE_MEASURE || contender->unstored || contender->races ||
            !is_measured(contender))
            continue;
        if (reference ? contender->sweeps >= measure->processes
                      : clopt_standing_is_hopeless(group, contender) ||
                            clopt_standing_is_settled(group, contender))
            end(group, contender);
    }
}

bool clopt_standing_may_win(const struct clopt_group *group,
                            const struct clopt_contender *contender)
{
    for (size_t k = 0; is_measured(contender) && k < group->kernel_count; k++)
        if ((contender->places >> k & 1) && !judge(group, contender, k).slower)
            return true;
    return false;
}
