/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides what is built, checked and measured next.
 *
 * Devices that share hardware follow one another, on one track: all processors of the machine are
 * one such hardware, whatever platform drives them, and each GPU is another. Tracks go on at the
 * same time, and share the workers that build. While a CPU is measured nothing else runs that takes
 * processors: other tracks begin nothing then, and their sweeps are held. */
#ifndef CLOPT_SUPERVISOR_SCHEDULE_H
#define CLOPT_SUPERVISOR_SCHEDULE_H

#include "supervisor/job.h"
#include "supervisor/progress.h"
#include "supervisor/sweep.h"

#define CLOPT_SWEEPS 3 /* of a device: one that samples, and the next ones, which get ready */

/* Of so many workers that may build these do so whatever it costs to open the device. */
#define CLOPT_FIRST_WORKERS(jobs) (((jobs) + 3) / 4)

struct clopt_schedule;

/* The contests on the devices that share hardware, one after the other (track.h). */
struct clopt_track {
    struct clopt_schedule *schedule;
    size_t number;
    size_t contests_left;              /* that have not begun: the next one is at least */
    size_t next_contest;               /* this */
    struct clopt_contest *contests[2]; /* that is measured, and the next one; NULL: none */
    struct clopt_sweep *sweeps;        /* those that are open may use a device */
    size_t sweep_count;
    bool wants_device;        /* would sample, if the processors that this takes were free */
    int64_t idle_since_ns;    /* processors have nothing to build; 0: they do */
    int64_t contest_began_ns; /* when the first contest's time began, */
    double share_s;           /* and its share of a time limit; infinite: there is none */
};

struct clopt_schedule {
    const struct clopt_run *run;
    struct clopt_pool *pool;
    struct clopt_progress *progress;
    struct clopt_job *jobs; /* that may be under way at the same time */
    size_t job_count;
    struct clopt_track *tracks;
    size_t track_count;
    size_t *track_of;  /* each device of the study */
    size_t first;      /* the track that is served first */
    size_t processors; /* of the machine */
    int64_t began_ns;
    struct clopt_tally tally; /* of contests that have ended */
};

enum clopt_status clopt_schedule_init(struct clopt_schedule *schedule, const struct clopt_run *run,
                                      struct clopt_pool *pool, struct clopt_progress *progress,
                                      size_t jobs, struct clopt_error *error);
void clopt_schedule_fini(struct clopt_schedule *schedule);

/* Begins whatever can begin now. False: there is nothing left to do, or the run has failed. */
bool clopt_schedule_advance(struct clopt_schedule *schedule);

/* Whether a track has to wait for another one, which needs processors beside the so many that this
 * one would take. */
bool clopt_schedule_yields(const struct clopt_schedule *schedule, const struct clopt_track *track,
                           size_t processors);

/* Counts the trials of all contests so far. */
struct clopt_tally clopt_schedule_tally(const struct clopt_schedule *schedule);

/* Shows how far things have come. */
void clopt_schedule_show(const struct clopt_schedule *schedule);

#endif
