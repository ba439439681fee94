/* SPDX-License-Identifier: BSD-3-Clause */
/* Medians of clustered samples and ratios of medians, with confidence intervals. */
#include "number/statistics.h"

#include <math.h>

#include <clopt/memory.h>

struct sample {
    double value;
    double rank; /* average rank of all that are equal to it */
    uint32_t process;
};

int clopt_numbers_compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static int compare_processes(const void *a, const void *b)
{
    const struct sample *x = a;
    const struct sample *y = b;
    return (x->process > y->process) - (x->process < y->process);
}

double clopt_student_t(size_t freedom)
{
    static const double exact[] = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706,
                                   2.4469,  2.3646, 2.3060, 2.2622, 2.2281};
    if (freedom <= sizeof exact / sizeof *exact)
        return exact[freedom - 1];
    /* Abramowitz and Stegun, 26.7.5: to 0.0001 from here on. */
    const double z = 1.959964;
    double n = (double)freedom;
    return z + (pow(z, 3) + z) / (4 * n) + (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96 * n * n);
}

/* Abramowitz and Stegun, 26.7.3 and 26.7.4: the sums for odd and for even degrees of freedom. */
double clopt_student_below(double t, size_t freedom)
{
    double n = (double)freedom, angle = atan(t / sqrt(n)), cosine = cos(angle), sum = 0;
    double term = freedom % 2 ? cosine : 1;
    for (size_t k = freedom % 2 ? 3 : 2; k <= freedom; k += 2) {
        sum += term;
        term *= cosine * cosine * (double)(k - 1) / (double)k;
    }
    double between = freedom % 2 ? (angle + sin(angle) * sum) * 2 / acos(-1) : sin(angle) * sum;
    return 0.5 + 0.5 * between;
}

/* The rank d, counted from 1, for which the order statistics d and n + 1 - d enclose the median of
 * the distribution with at least 95% probability; 0 where even the range does not. */
static size_t median_rank(size_t n)
{
    size_t rank = 0;
    double cumulated = 0;
    for (size_t i = 0; i < n / 2; i++) {
        /* P(Binomial(n, 1/2) = i), by logarithms since n may be large. */
        double count = (double)n;
        double chosen = (double)i;
        cumulated += exp(lgamma(count + 1) - lgamma(chosen + 1) - lgamma(count - chosen + 1) -
                         count * log(2));
        if (cumulated > 0.025)
            break;
        rank = i + 1;
    }
    return rank;
}

/* Gives every sample its rank; they are sorted by value. */
static void rank_samples(struct sample *samples, size_t count)
{
    for (size_t first = 0; first < count;) {
        size_t last = first;
        while (last + 1 < count && samples[last + 1].value == samples[first].value)
            last++;
        for (size_t i = first; i <= last; i++)
            samples[i].rank = 0.5 * (double)(first + last);
        first = last + 1;
    }
}

/* How much larger the variance of the estimate is than that of as many independent samples, which
 * are sorted by process. Ranks stand for values, so that a rare very long sample (another program
 * had the core) cannot hide what the processes differ in. */
static double design_effect(const struct sample *samples, size_t count, size_t *processes)
{
    double mean = 0.5 * (double)(count - 1);
    double between = 0;
    double within = 0;
    double squares = 0; /* of the processes' sample counts */
    *processes = 0;
    for (size_t first = 0; first < count;) {
        size_t end = first;
        double sum = 0;
        for (; end < count && samples[end].process == samples[first].process; end++)
            sum += samples[end].rank;
        double size = (double)(end - first);
        double own = sum / size;
        for (size_t i = first; i < end; i++)
            within += (samples[i].rank - own) * (samples[i].rank - own);
        between += size * (own - mean) * (own - mean);
        squares += size * size;
        ++*processes;
        first = end;
    }
    if (*processes < 2 || *processes == count)
        return 1;
    double n = (double)count;
    double k = (double)*processes;
    double square_between = between / (k - 1);
    double square_within = within / (n - k);
    double size = (n - squares / n) / (k - 1);
    double total = square_between + (size - 1) * square_within;
    double correlation = total > 0 ? (square_between - square_within) / total : 0;
    return correlation > 0 ? 1 + (squares / n - 1) * correlation : 1;
}

/* Fills the interval from samples sorted by value, of which only `effective` count. */
static void fill_interval(struct clopt_interval *interval, const struct sample *samples,
                          size_t count, double effective)
{
    interval->median = count % 2 ? samples[count / 2].value
                                 : 0.5 * (samples[count / 2 - 1].value + samples[count / 2].value);
    size_t independent = (size_t)effective;
    size_t rank = median_rank(independent);
    interval->attained = rank > 0 && interval->processes > 1;
    if (!interval->attained) {
        interval->low = samples[0].value;
        interval->high = samples[count - 1].value;
        return;
    }
    /* The same quantile among all samples. */
    size_t scaled = (size_t)((double)rank * (double)(count + 1) / (double)(independent + 1));
    interval->low = samples[scaled - 1].value;
    interval->high = samples[count - scaled].value;
}

struct clopt_interval clopt_interval_estimate(const double *samples, const uint32_t *process,
                                              size_t count)
{
    struct clopt_interval interval = {NAN, NAN, NAN, count, 0, false};
    CLOPT_FREED struct sample *sorted = clopt_calloc(count, sizeof *sorted);
    if (!count)
        return interval;
    for (size_t i = 0; i < count; i++) {
        if (isnan(samples[i]))
            return interval;
        sorted[i] = (struct sample){samples[i], 0, process ? process[i] : (uint32_t)i};
    }
    qsort(sorted, count, sizeof *sorted, clopt_numbers_compare);
    rank_samples(sorted, count);
    qsort(sorted, count, sizeof *sorted, compare_processes);
    double effective = (double)count / design_effect(sorted, count, &interval.processes);
    if (interval.processes > 1) {
        double ratio = clopt_student_t(count - 1) / clopt_student_t(interval.processes - 1);
        effective *= ratio * ratio;
    }
    qsort(sorted, count, sizeof *sorted, clopt_numbers_compare);
    fill_interval(&interval, sorted, count, effective + 1e-9);
    return interval;
}

struct clopt_quartiles clopt_quartiles_find(double *samples, size_t count)
{
    if (count == 0)
        return (struct clopt_quartiles){NAN, NAN, NAN, NAN};
    qsort(samples, count, sizeof *samples, clopt_numbers_compare);
    return (struct clopt_quartiles){samples[0], samples[count / 4], samples[count - 1 - count / 4],
                                    samples[count - 1]};
}

bool clopt_interval_overlap(const struct clopt_interval *a, const struct clopt_interval *b)
{
    return a->low <= b->high && b->low <= a->high;
}

/* ---- medians of processes ---- */

/* The point below which a normal variable lies with probability p, between 0.5 and 1; by Newton's
 * method, which converges from below. */
static double normal_quantile(double p)
{
    double z = 0;
    for (int i = 0; i < 50; i++) {
        double step =
            (p - 0.5 * erfc(-z * 0.70710678118654752)) * 2.5066282746310002 * exp(0.5 * z * z);
        z += step;
        if (fabs(step) < 1e-9)
            break;
    }
    return z;
}

/* Turns a process's samples, sorted by value, into its median and the variance of that. */
static struct clopt_process_median median_of(const struct sample *samples, size_t count)
{
    struct clopt_process_median median = {.process = samples[0].process, .samples = count};
    median.log_median = 0.5 * (log(samples[(count - 1) / 2].value) + log(samples[count / 2].value));
    if (count < 2)
        return median;
    double n = (double)count;
    double wanted = floor(0.5 * (n + 1) - sqrt(n) + 0.5);
    size_t rank = wanted > 1 ? (size_t)wanted : 1;
    /* P(Binomial(n, 1/2) < rank): how often the two order statistics miss the median on one side.
     */
    double missed = 0;
    for (size_t i = 0; i < rank; i++) {
        double chosen = (double)i;
        missed += exp(lgamma(n + 1) - lgamma(chosen + 1) - lgamma(n - chosen + 1) - n * log(2));
    }
    double width = log(samples[count - rank].value) - log(samples[rank - 1].value);
    double deviation = width / (2 * normal_quantile(1 - missed));
    median.log_variance = deviation * deviation;
    return median;
}

static int compare_processes_and_values(const void *a, const void *b)
{
    int order = compare_processes(a, b);
    return order ? order : clopt_numbers_compare(a, b);
}

void clopt_medians_init(struct clopt_medians *medians, const double *samples,
                        const uint32_t *process, size_t count)
{
    *medians = (struct clopt_medians){0};
    for (size_t i = 0; i < count; i++)
        if (!(samples[i] > 0) || isinf(samples[i]))
            return;
    if (count == 0)
        return;
    CLOPT_FREED struct sample *sorted = clopt_calloc(count, sizeof *sorted);
    for (size_t i = 0; i < count; i++)
        sorted[i] = (struct sample){samples[i], 0, process ? process[i] : (uint32_t)i};
    qsort(sorted, count, sizeof *sorted, compare_processes_and_values);
    size_t processes = 1;
    for (size_t i = 1; i < count; i++)
        processes += sorted[i].process != sorted[i - 1].process;
    medians->items = clopt_calloc(processes, sizeof *medians->items);
    for (size_t first = 0; first < count;) {
        size_t end = first;
        while (end < count && sorted[end].process == sorted[first].process)
            end++;
        medians->items[medians->count++] = median_of(sorted + first, end - first);
        first = end;
    }
}

void clopt_medians_fini(struct clopt_medians *medians)
{
    free(medians->items);
    *medians = (struct clopt_medians){0};
}
