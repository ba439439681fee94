/* SPDX-License-Identifier: BSD-3-Clause */
/* Ratios of medians of clustered samples, with confidence intervals. */
#include "base/ratio.h"

#include <math.h>
#include <stdlib.h>

#define NORMAL_97_5   1.959964
#define SMALLEST      1e-18 /* a variance that no clock resolves: keeps weights finite */
#ifndef MOST_FREEDOM
#define MOST_FREEDOM  10
#endif
#define LEAST_FREEDOM 4
#ifndef SHARED
#define SHARED 4
#endif

/* The processes that two lists share, side by side. */
struct pairing {
    const struct clopt_medians *above;
    const struct clopt_medians *below;
    size_t i;
    size_t j;
};

/* Goes to the next process that both have. */
static bool next_pair(struct pairing *pairing, const struct clopt_process_median **above,
                      const struct clopt_process_median **below)
{
    while (pairing->i < pairing->above->count && pairing->j < pairing->below->count) {
        *above = &pairing->above->items[pairing->i];
        *below = &pairing->below->items[pairing->j];
        pairing->i += (*above)->process <= (*below)->process;
        pairing->j += (*below)->process <= (*above)->process;
        if ((*above)->process == (*below)->process)
            return true;
    }
    return false;
}

bool clopt_medians_divide(const struct clopt_medians *above, const struct clopt_medians *below,
                          struct clopt_medians *ratios)
{
    struct pairing pairing = {above, below, 0, 0};
    const struct clopt_process_median *a, *b;
    *ratios = (struct clopt_medians){calloc(above->count + 1, sizeof *ratios->items), 0};
    while (ratios->items && next_pair(&pairing, &a, &b))
        ratios->items[ratios->count++] = (struct clopt_process_median){
            .process = a->process,
            .samples = a->samples,
            .log_median = a->log_median - b->log_median,
            .log_variance = a->log_variance + b->log_variance,
        };
    return ratios->items != NULL;
}

/* ---- what processes do to ratios ---- */

void clopt_spread_add(struct clopt_spread *spread, const struct clopt_medians *above,
                      const struct clopt_medians *below)
{
    struct pairing pairing = {above, below, 0, 0};
    const struct clopt_process_median *a, *b;
    size_t count = 0;
    double mean = 0, squares = 0, within = 0, per_sample = 0;
    while (next_pair(&pairing, &a, &b)) {
        double difference = a->log_median - b->log_median;
        double step = difference - mean;
        mean += step / (double)++count;
        squares += step * (difference - mean);
        within += a->log_variance + b->log_variance;
        per_sample += 0.5 * ((double)a->samples * a->log_variance +
                             (double)b->samples * b->log_variance);
    }
    if (count < 2)
        return;
    spread->squares += squares;
    spread->freedom += count - 1;
    spread->within += within;
    spread->per_sample += per_sample;
    spread->pairs += count;
    if (count > spread->processes)
        spread->processes = count;
}

static size_t pooled_freedom(const struct clopt_spread *spread, size_t own)
{
    if (!spread || spread->freedom <= own)
        return 0;
    size_t freedom = spread->freedom - own;
    size_t most = SHARED * (spread->processes - 1);
    most = most < MOST_FREEDOM ? most : MOST_FREEDOM;
    return freedom < most ? freedom : most;
}

/* ---- ratios ---- */

/* What all processes together say. */
struct pooled {
    size_t processes;
    size_t samples;
    double above; /* variance of one sample within a process, as a share */
    double below;
};

static struct pooled pool(const struct clopt_medians *above, const struct clopt_medians *below)
{
    struct pooled pooled = {0, 0, 0, 0};
    struct pairing pairing = {above, below, 0, 0};
    const struct clopt_process_median *a, *b;
    double above_weight = 0;
    double below_weight = 0;
    while (next_pair(&pairing, &a, &b)) {
        double m = (double)a->samples;
        double n = (double)b->samples;
        pooled.processes++;
        pooled.samples += a->samples;
        pooled.above += m > 1 ? m * m * a->log_variance : 0;
        pooled.below += n > 1 ? n * n * b->log_variance : 0;
        above_weight += m > 1 ? m : 0;
        below_weight += n > 1 ? n : 0;
    }
    pooled.above /= above_weight > 0 ? above_weight : 1;
    pooled.below /= below_weight > 0 ? below_weight : 1;
    return pooled;
}

/* The variance of a process's ratio. */
struct variance {
    double above;   /* of one sample within a process */
    double below;
    double per_sample; /* of both, at least */
    double pooled_within;
    double between;
};

/* Sums over the processes of w d^k, where d is the logarithm of a process's ratio, less `centre`,
 * and w the inverse of its variance. */
struct sums {
    double weights;
    double squared_weights;
    double first;
    double second;
    double within; /* sum of the inverse of the variances within */
};

static struct sums sum_up(const struct clopt_medians *above, const struct clopt_medians *below,
                          const struct variance *v, double centre)
{
    struct sums sums = {0, 0, 0, 0, 0};
    struct pairing pairing = {above, below, 0, 0};
    const struct clopt_process_median *a, *b;
    while (next_pair(&pairing, &a, &b)) {
        double m = (double)a->samples;
        double n = (double)b->samples;
        double within = fmax(v->above / m + v->below / n, SMALLEST);
        double more = v->per_sample ? fmax(v->per_sample * (1 / m + 1 / n) - v->pooled_within, 0) : within;
        double weight = 1 / fmax(more + v->between, SMALLEST);
        double difference = a->log_median - b->log_median - centre;
        sums.weights += weight;
        sums.squared_weights += weight * weight;
        sums.first += weight * difference;
        sums.second += weight * difference * difference;
        sums.within += 1 / within;
    }
    return sums;
}

struct estimate {
    double log;
    double variance;
    double within;
    size_t freedom;
    size_t processes;
    size_t samples;
};

static struct estimate estimate(const struct clopt_medians *above,
                                           const struct clopt_medians *below,
                                           const struct clopt_spread *spread)
{
    struct pooled pooled = pool(above, below);
    struct estimate e = {NAN, NAN, NAN, 0, pooled.processes, pooled.samples};
    if (pooled.processes == 0)
        return e;
    size_t own = pooled.processes - 1;
    size_t prior = pooled_freedom(spread, own);
    struct variance v = {pooled.above, pooled.below, 0, 0, 0};
    double centre = 0;
    if (prior > 0) {
        v.between = spread->squares / (double)spread->freedom;
        v.per_sample = spread->per_sample / (double)spread->pairs;
        v.pooled_within = spread->within / (double)spread->pairs;
    } else if (own > 0) {
        struct sums sums = sum_up(above, below, &v, 0);
        centre = sums.first / sums.weights;
        sums = sum_up(above, below, &v, centre);
        v.between =
            fmax(0, (sums.second - (double)own) / (sums.weights - sums.squared_weights / sums.weights));
    }
    struct sums sums = sum_up(above, below, &v, centre);
    centre += sums.first / sums.weights;
    sums = sum_up(above, below, &v, centre);
    e.log = centre;
    e.within = 1 / sums.within;
    e.freedom = own + prior;
    e.variance = e.freedom ? (sums.second + (double)prior) / (double)e.freedom / sums.weights : e.within;
    return e;
}

static struct clopt_interval interval_of(const struct estimate *e)
{
    struct clopt_interval ratio = {
        NAN, NAN, NAN, e->samples, e->processes, e->processes > 1 || e->freedom >= LEAST_FREEDOM};
    if (e->processes == 0)
        return ratio;
    double half = NORMAL_97_5 * sqrt(e->within);
    if (e->freedom > 0)
        half = fmax(half, clopt_student_t(e->freedom) * sqrt(e->variance));
    ratio.median = exp(e->log);
    ratio.low = exp(e->log - half);
    ratio.high = exp(e->log + half);
    return ratio;
}

struct clopt_interval clopt_ratio_estimate(const struct clopt_medians *above,
                                           const struct clopt_medians *below,
                                           const struct clopt_spread *spread)
{
    struct estimate e = estimate(above, below, spread);
    return interval_of(&e);
}
