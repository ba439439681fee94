/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides what is built, checked and measured next.
 *
 * One contest is measured at a time, the next one may be built meanwhile. On a GPU a sweep begins
 * with the first contender that is built, and the others join it as they become ready; its process
 * opens the device before, and those of the next sweeps open the device and set the problem up
 * meanwhile. On a CPU nothing else runs while a sweep does: it begins when all contenders in hand
 * are built; those whose builds take much longer than the others' are paused meanwhile. When
 * nothing is left of a contest but its finalists, they are compared with each other once more, and
 * checked with other problems. */
#ifndef CLOPT_SUPERVISOR_SCHEDULE_H
#define CLOPT_SUPERVISOR_SCHEDULE_H

#include "supervisor/job.h"
#include "supervisor/progress.h"
#include "supervisor/sweep.h"

#define CLOPT_SWEEPS 3 /* one that samples, and the next ones, which get ready */

/* Of so many workers that may build these do so whatever it costs to open the device. */
#define CLOPT_FIRST_WORKERS(jobs) (((jobs) + 3) / 4)

struct clopt_schedule {
    const struct clopt_run *run;
    struct clopt_pool *pool;
    struct clopt_progress *progress;
    struct clopt_job *jobs; /* that may be under way at the same time */
    size_t job_count;
    size_t next_contest;
    struct clopt_contest *contests[2]; /* that is measured, and the next one; NULL: none */
    struct clopt_sweep sweeps[CLOPT_SWEEPS];
    struct clopt_sweep *active; /* that may use the device; NULL: none */
    int64_t idle_since_ns;      /* processors have nothing to build; 0: they do */
    int64_t began_ns;
    int64_t contest_began_ns; /* when the first contest's time began, */
    double share_s;           /* and its share of a time limit; infinite: there is none */
    struct clopt_tally tally; /* of contests that have ended */
};

enum clopt_status clopt_schedule_init(struct clopt_schedule *schedule, const struct clopt_run *run,
                                      struct clopt_pool *pool, struct clopt_progress *progress,
                                      size_t jobs, struct clopt_error *error);
void clopt_schedule_fini(struct clopt_schedule *schedule);

/* Begins whatever can begin now. False: there is nothing left to do, or the run has failed. */
bool clopt_schedule_advance(struct clopt_schedule *schedule);

/* Counts the trials of all contests so far. */
struct clopt_tally clopt_schedule_tally(const struct clopt_schedule *schedule);

/* Shows how far things have come. */
void clopt_schedule_show(const struct clopt_schedule *schedule);

#endif
