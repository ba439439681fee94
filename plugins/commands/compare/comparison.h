/* SPDX-License-Identifier: BSD-3-Clause */
/* What changed from one store to another, row by row. */
#pragma once

#include "results/change.h"
#include "view/report.h"

/* What is said of a row: a verdict on its times, of enum clopt_verdict_kind, or one of these. */
enum clopt_comparison_verdict {
    CLOPT_COMPARISON_BROKEN = CLOPT_VERDICT_COUNT, /* was right and has a time in A, fails in B */
    CLOPT_COMPARISON_MENDED,                       /* the other way around */
    CLOPT_COMPARISON_FAILED, /* in both, in whatever way; or has still to come in one of them */
    CLOPT_COMPARISON_ONLY_A,
    CLOPT_COMPARISON_ONLY_B,
    CLOPT_COMPARISON_COUNT
};

/* Returns "same", "slower", "too-few", "broken" and so on. */
const char *clopt_comparison_name(unsigned verdict);

/* A variant of a kernel, problem and device, or a rival (of kernel ""). What it is called is
 * borrowed from its results. */
struct clopt_comparison_row {
    size_t number; /* in the order of A, then of B */
    const char *app;
    const char *problem;
    const char *kernel;
    const char *variant;
    const char *device;
    const struct clopt_result *before; /* NULL: only in B */
    const struct clopt_result *after;  /* NULL: only in A */
    double noise;                      /* that a change has to exceed */
    struct clopt_change change;        /* of times, or of speed-ups; NaN: not compared */
    double rate;                       /* of false discoveries at which it is found */
    unsigned verdict;
};

struct clopt_comparison {
    struct clopt_results *results[2]; /* of A and B */
    const struct clopt_report_comparison *request;
    struct clopt_comparison_row *rows; /* in the order of A, then those only in B */
    size_t row_count;
    size_t counts[CLOPT_COMPARISON_COUNT];
    size_t other_programs; /* rows that are in both, with another fingerprint */
};

/* Compares what two stores hold: rows that are about the same, by the names of app, problem,
 * kernel, variant and device; where each store has one device, these are about the same whatever
 * they are called. */
enum clopt_status clopt_comparison_init(struct clopt_comparison *comparison,
                                        const struct clopt_report_comparison *request,
                                        struct clopt_error *error);
void clopt_comparison_fini(struct clopt_comparison *comparison);

/* Whether a row is a regression: a variant, and broken or slower by more than a share. */
bool clopt_comparison_is_regression(const struct clopt_comparison *comparison,
                                    const struct clopt_comparison_row *row, double share);
