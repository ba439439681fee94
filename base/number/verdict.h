/* SPDX-License-Identifier: BSD-3-Clause */
/* What can be said of a ratio of two times: the only place that decides it, for searches and
 * reports.
 */
#pragma once

#include "number/ratio.h"

/* "No difference" is said where the interval and the noise leave at most so much open. */
#define CLOPT_VERDICT_SAME_WITHIN 0.1

enum clopt_verdict_kind {
    CLOPT_VERDICT_UNKNOWN, /* there is no time, or none to compare it with */
    CLOPT_VERDICT_FASTER,
    CLOPT_VERDICT_SLOWER,
    CLOPT_VERDICT_SAME,      /* no difference within clopt_verdict_within() */
    CLOPT_VERDICT_TOO_FEW,   /* processes measured both: one decides what is large alone */
    CLOPT_VERDICT_TOO_NOISY, /* the noise floor is too high, or the interval too wide */
    CLOPT_VERDICT_COUNT
};

/* Judges a speed-up: the time of the initial code, or of another row, over the own one. `noise` is
 * the noise floor as a fraction; NaN: not known. */
enum clopt_verdict_kind clopt_verdict_find(const struct clopt_interval *speedup, double noise);

/* What is said of a speed-up that is not surely other than 1: "same" or "too-noisy". */
enum clopt_verdict_kind clopt_verdict_find_open(const struct clopt_interval *speedup, double noise);

/* Whether what is named as the best can be said to be near it: by its speed-up, NaN for the initial
 * code, and the noise. */
bool clopt_verdict_allows_regret(const struct clopt_interval *speedup, double noise);

/* How far from 1 the speed-up may be, by its interval and the noise: 0.04 is 4%. */
double clopt_verdict_within(const struct clopt_interval *speedup, double noise);

/* Whether the interval may be shown as one of 95%. */
bool clopt_verdict_has_interval(const struct clopt_interval *speedup, double noise);
