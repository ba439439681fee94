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

#define SWEEPS_AT_MOST 2     /* times [measure] processes: then it is not going to become precise */
#define CHEAP_S        20e-3 /* samples that take no longer cost less than a process */
#define FEW_SAMPLES    3 /* most of fewer may have been disturbed: those have to be twice as slow */

bool clopt_standing_has_samples(const struct clopt_contender *contender, size_t kernel)
{
    return clopt_contender_is_measured(contender) && clopt_contender_is_of(contender, kernel);
}

/* Adds what processes do to a contender's ratio to the initial code. */
static void add_spread(const struct clopt_contest *contest, struct clopt_spread *spread,
                       const struct clopt_contender *contender, size_t kernel)
{
    if (!clopt_standing_has_samples(contender, kernel))
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
            if (other->role != CLOPT_ROLE_AGAIN && clopt_standing_has_samples(other, k) &&
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

struct clopt_judgement clopt_standing_judge(const struct clopt_contest *contest,
                                            const struct clopt_contender *contender, size_t kernel)
{
    const struct clopt_measure *measure = &contest->run->study->measure;
    struct clopt_contender *leader = contest->standing[kernel].leader;
    struct clopt_interval ratio =
        clopt_standing_ratio(contest, contender, clopt_contest_initial(contest), kernel);
    struct clopt_judgement judgement = {
        .different = ratio.low > 1 || ratio.high < 1,
        .precise = ratio.attained && 0.5 * log(ratio.high / ratio.low) <= measure->precision,
    };
    if (leader && leader != contender) {
        double low = clopt_standing_ratio(contest, contender, leader, kernel).low;
        judgement.slower = low > 1;
        judgement.no_gain = low > 1 - measure->precision;
    }
    return judgement;
}

bool clopt_standing_is_spent(const struct clopt_measure *measure,
                             const struct clopt_contender *contender)
{
    return contender->count >= measure->max_samples ||
           clopt_contender_seconds(contender, measure->objective, 0, contender->count) >=
               measure->max_time_s;
}

bool clopt_standing_is_settled(const struct clopt_contest *contest,
                               const struct clopt_contender *contender)
{
    const struct clopt_measure *measure = &contest->run->study->measure;
    bool full = contender->sweeps >= measure->processes;
    bool spent = clopt_standing_is_spent(measure, contender) ||
                 contender->sweeps >= SWEEPS_AT_MOST * measure->processes;
    for (size_t k = 0; k < clopt_contest_columns(contest); k++) {
        if (!clopt_contender_is_of(contender, k))
            continue;
        if (contender->count < (measure->winner_only ? FEW_SAMPLES : measure->min_samples))
            return false;
        struct clopt_judgement known = clopt_standing_judge(contest, contender, k);
        bool enough = measure->winner_only ? known.no_gain : known.slower && known.different;
        if (!enough && !(full && (measure->winner_only || spent || known.precise)))
            return false;
    }
    return true;
}

/* Whether further samples of a process would say little more of a column: the median is known well
 * for the precision that is wanted, or for what the next process will differ by. */
static bool says_enough(const struct clopt_contest *contest,
                        const struct clopt_contender *contender, size_t column, uint32_t process)
{
    const struct clopt_medians *medians = clopt_contender_medians(contender, column);
    double precision = contest->run->study->measure.precision, variance = 0;
    for (size_t i = 0; medians && i < medians->count; i++)
        if (medians->items[i].process == process)
            variance = medians->items[i].log_variance;
    double between = contest->on_cpu ? PRIOR_CPU : PRIOR_GPU;
    if (column < clopt_contest_columns(contest) && contest->standing[column].spread.freedom)
        between = clopt_spread_deviation(&contest->standing[column].spread);
    double added = fmax(between * between - 2 * variance, 0); /* by the process itself */
    size_t first, count = clopt_contender_find(contender, process, &first);
    enum clopt_objective objective = contest->run->study->measure.objective;
    if (clopt_contender_seconds(contender, objective, first, count) < CHEAP_S)
        added *= 0.25;
    return variance <= fmax(0.5 * precision * precision, added);
}

bool clopt_standing_has_enough(const struct clopt_contest *contest,
                               const struct clopt_contender *contender, uint32_t process)
{
    const struct clopt_measure *measure = &contest->run->study->measure;
    size_t first, count = clopt_contender_find(contender, process, &first);
    if (count == 0)
        return false;
    if (count >= clopt_standing_most_samples(measure) ||
        clopt_standing_seconds_left(contest, contender, process) < 0)
        return true;
    if (contender->role && measure->winner_only)
        return count >= measure->min_samples;
    if (!contender->role && !contender->places &&
        (clopt_standing_is_hopeless(contest, contender) ||
         clopt_standing_is_settled(contest, contender)))
        return true;
    bool enough = count >= measure->min_samples;
    for (size_t k = 0; k < contender->column_count && enough; k++)
        if (clopt_contender_has_column(contender, k) ||
            (contender->role == CLOPT_ROLE_RIVAL && k + 1 == contender->column_count))
            enough = says_enough(contest, contender, k, process);
    return enough;
}

uint64_t clopt_standing_most_samples(const struct clopt_measure *measure)
{
    return (measure->max_samples + measure->processes - 1) / measure->processes;
}

double clopt_standing_seconds_left(const struct clopt_contest *contest,
                                   const struct clopt_contender *contender, uint32_t process)
{
    const struct clopt_measure *measure = &contest->run->study->measure;
    size_t first, count = clopt_contender_find(contender, process, &first);
    return measure->max_time_s / (double)measure->processes -
           clopt_contender_seconds(contender, measure->objective, first, count);
}

/* Whether a contender is surely slower than the best of every kernel that it is of. */
static bool is_slower(const struct clopt_contest *contest, const struct clopt_contender *contender)
{
    for (size_t k = 0; k < clopt_contest_columns(contest); k++)
        if (clopt_contender_is_of(contender, k) &&
            !clopt_standing_judge(contest, contender, k).slower)
            return false;
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
        bool slower = measure->winner_only && is_slower(contest, contender);
        if (contender->role ? !full
                            : !(contest->tuning && contender->sweeps) && !hopeless &&
                                  !clopt_standing_is_settled(contest, contender))
            continue;
        contender->row.outcome = CLOPT_OUTCOME_OK;
        contender->row.abandoned = !full && (hopeless || slower);
        clopt_contender_end(contender, contest->run);
    }
}

bool clopt_standing_may_win(const struct clopt_contest *contest,
                            const struct clopt_contender *contender)
{
    for (size_t k = 0; clopt_contender_is_measured(contender) && k < clopt_contest_columns(contest);
         k++)
        if ((contender->places >> k & 1) && !clopt_standing_judge(contest, contender, k).slower)
            return true;
    return false;
}

/* ---- finalists ---- */

/* Makes a contender a finalist of a kernel; where there are enough, the slowest is none unless it
 * may be the best, and where there are too many, in any case. */
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
    if (count > CLOPT_MOST_FINALISTS ||
        (count > CLOPT_FINALISTS && clopt_standing_judge(contest, slowest, kernel).slower))
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
            if (clopt_standing_has_samples(contender, k))
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
