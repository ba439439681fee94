/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides what is built, checked and measured next, where the rules (rules.h) let it begin.
 *
 * Devices that share hardware follow one another, on one queue: all processors of the machine are
 * one such hardware, whatever platform drives them, and each GPU is another. Queues go on at the
 * same time, and share the workers that build.
 *
 * On a queue one race is measured at a time, the next one may be built meanwhile. On a GPU a
 * measurement begins with the first candidate that is built, and the others join it as they become
 * ready. On a CPU it begins when all candidates in hand are built, and a search continues with its
 * next generation after it. When a race has its finalists alone left, they are compared once more,
 * and checked with other problems. */
#pragma once

#include "supervisor/job.h"
#include "supervisor/watcher.h"

struct clopt_schedule;

/* The races on the devices that share hardware, one after the other. */
struct clopt_device_queue {
    struct clopt_schedule *schedule;
    size_t number;               /* that of the first of its devices in the study */
    size_t races_left;           /* that have not begun: the next one is at least */
    size_t next_race;            /* this */
    struct clopt_race *races[2]; /* that is measured, and the next one; NULL: none */
    bool expects_more;           /* at this step something of the first race is to be built, */
    bool expects_others;         /* and a measurement has something to wait for */
    bool wants_device;           /* would sample, if the processors that this takes were free */
    int64_t building_since_ns;   /* its device was measured last, or the first race began */
    int64_t race_began_ns;       /* when the first race's time began, */
    int64_t finals_began_ns;     /* when its finalists met first; 0: they have not */
    double share_s;              /* and its share of a time limit; infinite: there is none */
};

struct clopt_schedule {
    const struct clopt_run *run;
    struct clopt_pool *pool;
    const struct clopt_watcher *watcher;
    uint64_t trials; /* of all races */
    struct clopt_job *jobs;
    size_t job_count;            /* of them that were used */
    struct clopt_job *free_jobs; /* of these, but for those that have ended since the last step */
    struct clopt_job **on_host;  /* the others, by host */
    size_t host_count;           /* beside this one */
    size_t builders;             /* workers that may build or check at the same time here */
    struct clopt_device_queue *queues; /* as many as the study has devices: some have no race */
    size_t *queue_of;                  /* each device of the study */
    bool several;                      /* queues that have races */
    size_t first;                      /* the queue that is served first */
    size_t processors;                 /* of the machine, or the host with the most */
    int64_t began_ns;
    struct clopt_tally tally; /* of races that have ended */
};

/* Makes the schedule of a run of so many trials, at which somebody looks, with so many workers that
 * build; the pool gets the seats that this takes. */
void clopt_schedule_init(struct clopt_schedule *schedule, const struct clopt_run *run,
                         const struct clopt_watcher *watcher, uint64_t trials, size_t builders);
void clopt_schedule_fini(struct clopt_schedule *schedule);

/* Begins whatever can begin now. False: there is nothing left to do, or the run has failed. */
bool clopt_schedule_advance(struct clopt_schedule *schedule);

/* Adds a tally to another one; and counts the trials of all races so far. */
void clopt_tally_add(struct clopt_tally *sum, const struct clopt_tally *tally);
struct clopt_tally clopt_schedule_tally(const struct clopt_schedule *schedule);

/* ---- jobs ---- */

/* Begins a job that is wanted, or opens the measurement on standby, where the rules let it.
 * False: they do not, or the run has failed. */
bool clopt_schedule_begin(struct clopt_device_queue *queue, const struct clopt_want *want);

/* Finds one of some jobs (enum clopt_jobs), for a race (NULL: any), on the host of a device of the
 * pool (CLOPT_NO_DEVICE: any), after another (NULL: the first), or none. */
struct clopt_job *clopt_schedule_find(const struct clopt_schedule *schedule, unsigned jobs,
                                      const struct clopt_race *race, size_t device,
                                      const struct clopt_job *after);

/* Finds one of some jobs that does what is wanted: on the same member, or with the same problem. */
struct clopt_job *clopt_schedule_find_wanted(const struct clopt_schedule *schedule, unsigned jobs,
                                             const struct clopt_want *want);

/* Ends some jobs for a race, without a word. */
void clopt_schedule_cancel(struct clopt_schedule *schedule, unsigned jobs,
                           const struct clopt_race *race);

/* ---- queues ---- */

/* Begins the next races of a queue, and looks at their next trials. */
void clopt_device_queue_fill(struct clopt_device_queue *queue);

/* Takes the next step with the race that is measured. */
void clopt_device_queue_advance(struct clopt_device_queue *queue);

/* Whether a measurement uses a device of the queue. */
bool clopt_device_queue_is_open(const struct clopt_device_queue *queue);
