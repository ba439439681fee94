/* SPDX-License-Identifier: BSD-3-Clause */
/* How well strategies search a recording, from many runs of each. */
#ifndef CLOPT_REPORT_SIMULATION_H
#define CLOPT_REPORT_SIMULATION_H

#include <stdio.h>

#include "document/document.h"
#include "search/replay.h"

struct clopt_simulation_request {
    const struct clopt_strategy *const *strategies; /* ends with NULL */
    size_t repeat;                                  /* runs of each */
    size_t budget;                                  /* trials of a run */
    uint64_t seed;                                  /* of the first run; the next ones count up */
    FILE *progress;                                 /* a terminal; NULL: none */
};

/* The fraction of the best that half, and three quarters, of the runs have reached. */
struct clopt_simulated {
    double first_quarter;
    double median;
    double third_quarter;
};

/* What runs of a strategy reach: after each trial of the budget, and after as many equal steps of
 * the time that these cost on average. */
struct clopt_simulation_curve {
    const struct clopt_strategy *strategy;
    struct clopt_simulated *by_trials;
    struct clopt_simulated *by_seconds; /* all 0 where no cost is recorded */
};

struct clopt_simulation {
    const char *title; /* of the recording; not owned */
    const struct clopt_recording *recording;
    size_t repeat;
    size_t budget;  /* trials; at most as many as the recording has */
    double limit_s; /* what they cost on average */
    struct clopt_simulation_curve *curves;
    size_t count;
};

/* Runs all searches. */
enum clopt_status clopt_simulation_init(struct clopt_simulation *simulation, const char *title,
                                        const struct clopt_recording *recording,
                                        const struct clopt_simulation_request *request,
                                        struct clopt_error *error);
void clopt_simulation_fini(struct clopt_simulation *simulation);

/* Adds what they reach, as tables and a chart over trials and over time; for programs a row a
 * strategy and step. */
void clopt_simulation_report(const struct clopt_simulation *simulation,
                             struct clopt_document *document);

#endif
