/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests for changes of medians, and bounds the false ones among many. */
#include "results/change.h"

#include <math.h>

#include <clopt/memory.h>

#define LEAST_DEVIATION 5e-4 /* of a process's median, as a share: what clocks resolve, about */

/* ---- Student's t ---- */

/* The continued fraction of the incomplete beta function (Abramowitz, Stegun 26.5.8), by Lentz. */
static double beta_fraction(double x, double a, double b)
{
    const double tiny = 1e-300;
    double c = 1;
    double d = 1 / (1 - (a + b) * x / (a + 1));
    double fraction = d;
    for (int m = 1; m < 1000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        for (int i = 0; i < 2; i++) {
            double step = i ? odd : even;
            d = 1 + step * d;
            c = 1 + step / c;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            c = fabs(c) < tiny ? tiny : c;
            fraction *= c * d;
        }
        if (fabs(c * d - 1) < 1e-12)
            break;
    }
    return fraction;
}

/* The regularized incomplete beta function. */
static double beta(double x, double a, double b)
{
    if (x <= 0 || x >= 1)
        return x <= 0 ? 0 : 1;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    return x < (a + 1) / (a + b + 2) ? front * beta_fraction(x, a, b) / a
                                     : 1 - front * beta_fraction(1 - x, b, a) / b;
}

double clopt_student_p(double t, double freedom)
{
    return beta(freedom / (freedom + t * t), freedom / 2, 0.5);
}

/* The 97.5% point, by bisection. */
static double student_point(double freedom)
{
    double low = 1.9, high = 64; /* of many degrees, and of less than one */
    while (high - low > 1e-9 * high) {
        double middle = (low + high) / 2;
        *(clopt_student_p(middle, freedom) > 0.05 ? &low : &high) = middle;
    }
    return high;
}

/* ---- changes ---- */

/* The mean of a series, on the logarithmic scale, with the variance of it. */
struct mean {
    double value;
    double variance;
    double freedom;
};

static struct mean mean_of(const struct clopt_medians *medians)
{
    struct mean mean = {0, 0, (double)medians->count - 1};
    double n = (double)medians->count;
    double within = LEAST_DEVIATION * LEAST_DEVIATION;
    for (size_t i = 0; i < medians->count; i++) {
        mean.value += medians->items[i].log_median / n;
        within += medians->items[i].log_variance / n;
    }
    for (size_t i = 0; i < medians->count; i++)
        mean.variance += pow(medians->items[i].log_median - mean.value, 2) / mean.freedom;
    mean.variance = fmax(mean.variance, within) / n;
    return mean;
}

struct clopt_change clopt_change_estimate(const struct clopt_medians *before,
                                          const struct clopt_medians *after)
{
    struct clopt_change change = {NAN, NAN, NAN, NAN, NAN, NAN};
    if (before->count < 2 || after->count < 2)
        return change;
    struct mean a = mean_of(before);
    struct mean b = mean_of(after);
    double variance = a.variance + b.variance;
    double freedom = variance * variance /
                     (a.variance * a.variance / a.freedom + b.variance * b.variance / b.freedom);
    double difference = b.value - a.value;
    double half = student_point(freedom) * sqrt(variance);
    change.before = exp(a.value);
    change.after = exp(b.value);
    change.ratio = exp(difference);
    change.low = exp(difference - half);
    change.high = exp(difference + half);
    change.p = clopt_student_p(difference / sqrt(variance), freedom);
    return change;
}

/* ---- many of them ---- */

struct finding {
    double p;
    size_t number;
};

void clopt_discovery_rates(const double *p, double *rates, size_t count)
{
    CLOPT_FREED struct finding *findings = clopt_calloc(count + 1, sizeof *findings);
    size_t tested = 0;
    double rate = 1;
    for (size_t i = 0; i < count; i++) {
        rates[i] = NAN;
        if (!isnan(p[i]))
            findings[tested++] = (struct finding){p[i], i};
    }
    qsort(findings, tested, sizeof *findings, clopt_numbers_compare);
    for (size_t i = tested; i-- > 0;) {
        rate = fmin(rate, findings[i].p * (double)tested / (double)(i + 1));
        rates[findings[i].number] = rate;
    }
}
