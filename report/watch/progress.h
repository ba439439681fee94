/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what a study does, and shows on a terminal, and tells others, how far it has come. */
#pragma once

#include "supervisor/schedule.h"

#define CLOPT_PROGRESS 240

struct clopt_progress {
    FILE *stream;     /* NULL: quiet */
    char *line;       /* gets the same; NULL: none */
    uint64_t total;   /* trials; 0: not known yet */
    uint64_t skipped; /* that were in the store, or infeasible: they took no time */
    int64_t began_ns;
    int64_t shown_ns;
    double done;    /* when the time left was estimated, */
    int64_t end_ns; /* to end then; 0: not yet */
    bool ends;      /* then, whatever is done until then */
};

void clopt_progress_begin(struct clopt_progress *progress, FILE *stream, uint64_t total);

/* Whether the line would be written now: at most ten times a second. */
bool clopt_progress_is_due(const struct clopt_progress *progress);

/* Shows what is going on, where that is due. `done` counts trials. The time left follows from what
 * those not skipped have taken, anew whenever more are done: the clock alone only lessens it. */
void clopt_progress_show(struct clopt_progress *progress, double done, const char *doing);

/* Appends what a run does, and what is best so far. */
void clopt_progress_describe(const struct clopt_schedule *schedule, struct clopt_text *text);

/* Shows that, or what else it is `doing` (NULL: nothing). */
void clopt_progress_follow(struct clopt_progress *progress, const struct clopt_schedule *schedule,
                           const char *doing);

void clopt_progress_end(struct clopt_progress *progress); /* clears the line */
