/* SPDX-License-Identifier: BSD-3-Clause */
/* Ratios of medians of clustered samples, with confidence intervals. */
#include "number/ratio.h"

#include <math.h>

#include "number/number.h"

#define NORMAL_97_5 1.959964
#define SMALLEST    1e-18 /* a variance that no clock resolves: keeps weights finite */
#define BORROWED    2     /* degrees of freedom a process */

/* The processes that two lists share, side by side. */
struct pairing {
    const struct clopt_medians *above;
    const struct clopt_medians *below;
    size_t i;
    size_t j;
};

/* Returns where a process is, or one after it, from `first` on. The initial code has all processes,
 * a variant a few: so long steps are tried. */
static size_t find_process(const struct clopt_medians *medians, size_t first, uint32_t process)
{
    size_t step = 1, end;
    while (first + step < medians->count && medians->items[first + step].process < process)
        step *= 2;
    end = first + step < medians->count ? first + step : medians->count;
    first += step / 2;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (medians->items[middle].process < process)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* Goes to the next process that both have. */
static bool next_pair(struct pairing *pairing, const struct clopt_process_median **above,
                      const struct clopt_process_median **below)
{
    while (pairing->i < pairing->above->count && pairing->j < pairing->below->count) {
        *above = &pairing->above->items[pairing->i];
        *below = &pairing->below->items[pairing->j];
        if ((*above)->process == (*below)->process) {
            pairing->i++;
            pairing->j++;
            return true;
        }
        if ((*above)->process < (*below)->process)
            pairing->i = find_process(pairing->above, pairing->i, (*below)->process);
        else
            pairing->j = find_process(pairing->below, pairing->j, (*above)->process);
    }
    return false;
}

void clopt_medians_divide(const struct clopt_medians *above, const struct clopt_medians *below,
                          struct clopt_medians *ratios)
{
    struct pairing pairing = {above, below, 0, 0};
    const struct clopt_process_median *a, *b;
    *ratios = (struct clopt_medians){clopt_calloc(above->count, sizeof *ratios->items), 0};
    while (next_pair(&pairing, &a, &b))
        ratios->items[ratios->count++] = (struct clopt_process_median){
            .process = a->process,
            .samples = a->samples,
            .log_median = a->log_median - b->log_median,
            .log_variance = a->log_variance + b->log_variance,
        };
}

/* ---- what processes do to ratios ---- */

/* Adds the variance of one sample, which a single one cannot tell. */
static void add_samples(struct clopt_spread *spread, const struct clopt_process_median *median)
{
    if (median->samples < 2)
        return;
    spread->per_sample += (double)median->samples * median->log_variance;
    spread->medians++;
}

void clopt_spread_add(struct clopt_spread *spread, const struct clopt_medians *above,
                      const struct clopt_medians *below)
{
    struct pairing pairing = {above, below, 0, 0};
    const struct clopt_process_median *a, *b;
    size_t count = 0;
    double mean = 0, squares = 0;
    while (next_pair(&pairing, &a, &b)) {
        double difference = a->log_median - b->log_median;
        double step = difference - mean;
        mean += step / (double)++count;
        squares += step * (difference - mean);
        add_samples(spread, a);
        add_samples(spread, b);
    }
    if (count < 2)
        return;
    double freedom = (double)count - 1;
    spread->squares += squares;
    /* The mean of standard deviations of few is too small, by 1 / 4n for normal variables; where
     * load comes and goes by more, as simulation shows (tests/base/ratio.c). */
    spread->deviations += freedom * sqrt(squares / freedom) / (1 - 0.4 / freedom);
    spread->freedom += count - 1;
}

/* The variance between processes that is borrowed. Deviations rather than squares are averaged, so
 * that one disturbed process does not make all ratios wide. */
static double borrow_variance(const struct clopt_spread *spread, bool single)
{
    double freedom = (double)spread->freedom;
    return single ? spread->squares / freedom : pow(spread->deviations / freedom, 2);
}

double clopt_spread_prior(bool on_cpu, const struct clopt_spread *past)
{
    double most = log(on_cpu ? CLOPT_MOST_CHANGE_CPU : CLOPT_MOST_CHANGE_GPU);
    double deviation = most / clopt_student_t(BORROWED);
    return sqrt((BORROWED * deviation * deviation + past->squares) /
                (BORROWED + (double)past->freedom));
}

double clopt_spread_deviation(const struct clopt_spread *spread)
{
    return spread->deviations / (double)spread->freedom;
}

/* ---- ratios ---- */

/* What is known of a ratio: its logarithm, less `centre`, in each process. */
struct estimate {
    const struct clopt_medians *above;
    const struct clopt_medians *below;
    double above_sample; /* variances of single samples within a process */
    double below_sample;
    double between; /* variance between processes */
    double centre;
    size_t processes;
    size_t samples;
    size_t freedom;
    double variance; /* of the centre */
    double within;   /* the same, by the samples within processes alone */
    bool attained;   /* the interval is one of 95% */
};

/* Sums over the processes of w d^k, where w is the inverse of a process's variance. */
struct sums {
    double weights;
    double first;
    double second;
    double within; /* the inverse of the variances within processes */
};

static struct sums sum_up(const struct estimate *estimate)
{
    struct sums sums = {0, 0, 0, 0};
    struct pairing pairing = {estimate->above, estimate->below, 0, 0};
    const struct clopt_process_median *a, *b;
    while (next_pair(&pairing, &a, &b)) {
        double within = estimate->above_sample / (double)a->samples +
                        estimate->below_sample / (double)b->samples;
        double weight = 1 / fmax(fmax(within, estimate->between), SMALLEST);
        double difference = a->log_median - b->log_median - estimate->centre;
        sums.weights += weight;
        sums.first += weight * difference;
        sums.second += weight * difference * difference;
        sums.within += 1 / fmax(within, SMALLEST);
    }
    return sums;
}

/* Counts processes and samples, and finds the variances of samples, those of all processes pooled:
 * few samples tell them badly. */
static void count_pairs(struct estimate *estimate, const struct clopt_spread *spread)
{
    struct pairing pairing = {estimate->above, estimate->below, 0, 0};
    const struct clopt_process_median *a, *b;
    struct clopt_spread above = {0}, below = {0};
    while (next_pair(&pairing, &a, &b)) {
        estimate->processes++;
        estimate->samples += a->samples;
        add_samples(&above, a);
        add_samples(&below, b);
    }
    double usual = spread->medians ? spread->per_sample / (double)spread->medians : 0;
    estimate->above_sample = above.medians ? above.per_sample / (double)above.medians : usual;
    estimate->below_sample = below.medians ? below.per_sample / (double)below.medians : usual;
}

/* Estimates where a ratio lies, if its processes differ by what they and `borrowed` more degrees of
 * freedom, of the variance that it has, say. */
static void find_variance(struct estimate *estimate, size_t own, size_t borrowed)
{
    estimate->centre = 0;
    struct sums sums = sum_up(estimate);
    estimate->centre = sums.first / sums.weights;
    sums = sum_up(estimate);
    estimate->freedom = own + borrowed;
    estimate->within = 1 / sums.within;
    if (estimate->freedom)
        estimate->variance =
            (sums.second + (double)borrowed) / ((double)estimate->freedom * sums.weights);
}

static double half_width(const struct estimate *estimate)
{
    double half = NORMAL_97_5 * sqrt(estimate->within);
    if (estimate->freedom)
        half = fmax(half, clopt_student_t(estimate->freedom) * sqrt(estimate->variance));
    return half;
}

/* The same estimate, with what is expected of the device instead of ratios that are not known. */
static struct estimate expect(struct estimate estimate, struct clopt_spread spread, size_t own)
{
    spread.squares += BORROWED * spread.prior * spread.prior;
    spread.deviations += BORROWED * spread.prior;
    spread.freedom += BORROWED;
    double centre = estimate.centre;
    estimate.between = borrow_variance(&spread, estimate.processes == 1);
    find_variance(&estimate, own, BORROWED * estimate.processes);
    estimate.centre = centre;
    return estimate;
}

static struct estimate make_estimate(const struct clopt_medians *above,
                                     const struct clopt_medians *below,
                                     const struct clopt_spread *spread)
{
    struct estimate estimate = {.above = above, .below = below};
    struct clopt_spread own = {.prior = spread ? spread->prior : 0};
    clopt_spread_add(&own, above, below);
    if (!spread || spread->freedom <= own.freedom || above == spread->apart ||
        below == spread->apart)
        spread = &own;
    count_pairs(&estimate, spread);
    if (estimate.processes == 0)
        return estimate;
    size_t borrowed = spread->freedom - own.freedom;
    size_t most = BORROWED * estimate.processes;
    if (spread->freedom)
        estimate.between = borrow_variance(spread, estimate.processes == 1);
    find_variance(&estimate, own.freedom, borrowed < most ? borrowed : most);
    estimate.attained = estimate.processes > 1 || estimate.freedom >= BORROWED;
    if (!spread->prior)
        return estimate;
    struct estimate expected = expect(estimate, *spread, own.freedom);
    expected.attained = true;
    return estimate.attained && half_width(&estimate) <= half_width(&expected) ? estimate
                                                                               : expected;
}

static struct clopt_interval interval_of(const struct estimate *estimate)
{
    struct clopt_interval ratio = {NAN, NAN, NAN, estimate->samples, estimate->processes, false};
    if (estimate->processes == 0)
        return ratio;
    double half = half_width(estimate);
    ratio.attained = estimate->attained;
    ratio.median = exp(estimate->centre);
    ratio.low = exp(estimate->centre - half);
    ratio.high = exp(estimate->centre + half);
    return ratio;
}

struct clopt_interval clopt_ratio_estimate(const struct clopt_medians *above,
                                           const struct clopt_medians *below,
                                           const struct clopt_spread *spread)
{
    struct estimate estimate = make_estimate(above, below, spread);
    return interval_of(&estimate);
}

struct clopt_interval clopt_ratio_estimate_through(const struct clopt_medians *above,
                                                   const struct clopt_medians *below,
                                                   const struct clopt_medians *reference,
                                                   const struct clopt_spread *spread)
{
    struct estimate direct = make_estimate(above, below, spread);
    struct estimate one = make_estimate(above, reference, spread);
    struct estimate other = make_estimate(below, reference, spread);
    size_t product = one.processes * other.processes;
    /* The variance of a mean is inverse to the number of processes: 1/d <= 1/a + 1/b. */
    if (product == 0 || product <= direct.processes * (one.processes + other.processes))
        return interval_of(&direct);
    one.centre -= other.centre;
    one.variance += other.variance;
    one.within += other.within;
    one.processes = one.processes < other.processes ? one.processes : other.processes;
    one.freedom = one.freedom < other.freedom ? one.freedom : other.freedom;
    one.attained = one.attained && other.attained;
    return interval_of(&one);
}

/* ---- regret ---- */

#define REGRET_FREEDOM 2    /* degrees of freedom that are borrowed beside */
#define NEGLIGIBLE     1e-6 /* a probability */

/* How probably a ratio is not above e to the power of `loss`. */
static double hold_one(const struct clopt_interval *ratio, double loss)
{
    if (isnan(ratio->median) || ratio->processes == 0)
        return 1;
    size_t freedom = (BORROWED + 1) * ratio->processes - 1;
    double half = fmax(0.5 * log(ratio->high / ratio->low), SMALLEST);
    return clopt_student_below((loss - log(ratio->median)) / half * clopt_student_t(freedom),
                               freedom + REGRET_FREEDOM);
}

/* The same of all. */
static double hold(const struct clopt_interval *ratios, size_t count, double loss)
{
    double probability = 1;
    for (size_t i = 0; i < count; i++)
        probability *= hold_one(&ratios[i], loss);
    return probability;
}

/* Finds the loss that is held with some probability. */
static double find_loss(const struct clopt_interval *ratios, size_t count, double probability)
{
    double low = 0, high = 0.01;
    if (hold(ratios, count, 0) >= probability)
        return 0;
    while (hold(ratios, count, high) < probability && high < 10)
        high *= 2;
    for (int i = 0; i < 20; i++) {
        double middle = 0.5 * (low + high);
        *(hold(ratios, count, middle) < probability ? &low : &high) = middle;
    }
    return high;
}

struct clopt_regret clopt_regret_estimate(struct clopt_interval *ratios, size_t count)
{
    enum { STEPS = 20 };
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        if (hold_one(&ratios[i], 0) < 1 - NEGLIGIBLE)
            ratios[left++] = ratios[i];
    struct clopt_regret regret = {0, expm1(find_loss(ratios, left, 0.95))};
    double step = find_loss(ratios, left, 0.995) / STEPS; /* by the midpoints of steps */
    for (int i = 0; i < STEPS && step > 0; i++) {
        double loss = (i + 0.5) * step;
        regret.expected += exp(loss) * (1 - hold(ratios, left, loss)) * step;
    }
    return regret;
}

/* ---- what is named ---- */

#define MOST_NAMEABLE 32 /* of more that may all be the best, those that are surely near it */

size_t clopt_field_lead(const struct clopt_field *field)
{
    size_t leader = 0;
    for (size_t i = 1; i < field->count; i++)
        if (field->ratio(field->user, i, leader).median < 1)
            leader = i;
    return leader;
}

struct clopt_regret clopt_field_regret(const struct clopt_field *field, size_t named)
{
    CLOPT_FREED struct clopt_interval *ratios = clopt_calloc(field->count, sizeof *ratios);
    size_t count = 0;
    for (size_t i = 0; i < field->count; i++)
        if (i != named)
            ratios[count++] = field->ratio(field->user, named, i);
    return clopt_regret_estimate(ratios, count);
}

/* Who may be named, and how much slower than the fastest it may be. */
struct nameable {
    size_t number;
    double high;
};

static int compare_nameable(const void *a, const void *b)
{
    const struct nameable *x = a;
    const struct nameable *y = b;
    int order = (x->high > y->high) - (x->high < y->high);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

/* Finds them, those that are surely nearest to the fastest first; returns how many they are. */
static size_t find_nameable(const struct clopt_field *field, struct nameable *items)
{
    size_t count = 0, leader = clopt_field_lead(field);
    for (size_t i = 0; i < field->count; i++) {
        struct clopt_interval ratio = {1, 1, 1, 0, 1, true};
        if (i != leader)
            ratio = field->ratio(field->user, i, leader);
        bool gains = field->initial >= field->count || i == field->initial ||
                     !(field->ratio(field->user, i, field->initial).median > 1);
        if (ratio.low <= 1 && ratio.processes > 0 && gains)
            items[count++] = (struct nameable){i, ratio.high};
    }
    qsort(items, count, sizeof *items, compare_nameable);
    return count < MOST_NAMEABLE ? count : MOST_NAMEABLE;
}

size_t clopt_field_name(const struct clopt_field *field, struct clopt_regret *regret)
{
    CLOPT_FREED struct nameable *items = clopt_calloc(field->count, sizeof *items);
    size_t count = field->count ? find_nameable(field, items) : 0;
    size_t named = field->count, fewest = SIZE_MAX;
    *regret = (struct clopt_regret){INFINITY, INFINITY};
    for (size_t i = 0; i < count; i++) {
        struct clopt_regret own = clopt_field_regret(field, items[i].number);
        bool within = own.high <= field->precision;
        size_t changes = within ? field->changes(field->user, items[i].number) : SIZE_MAX;
        if (changes < fewest || (changes == fewest && own.high < regret->high)) {
            named = items[i].number;
            fewest = changes;
            *regret = own;
        }
    }
    return named;
}
