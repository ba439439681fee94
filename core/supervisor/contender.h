/* SPDX-License-Identifier: BSD-3-Clause */
/* A trial in the supervisor's hands: its samples so far, and what it needs next. */
#ifndef CLOPT_SUPERVISOR_CONTENDER_H
#define CLOPT_SUPERVISOR_CONTENDER_H

#include <jansson.h>

#include "base/statistics.h"
#include "supervisor/run.h"
#include "trial/trial.h"

/* What a contender needs next. */
enum clopt_phase {
    CLOPT_PHASE_CHECK,   /* a run under Oclgrind */
    CLOPT_PHASE_BUILD,   /* to be made and built, and launched where that compiles */
    CLOPT_PHASE_MEASURE, /* samples */
    CLOPT_PHASE_OVER,    /* nothing: it is measured, or failed, or is another one's alias */
};

/* What the samples of a column say, as long as there are no more of them. */
struct clopt_column {
    struct clopt_medians medians;
    size_t count; /* samples that they are of */
};

struct clopt_contender {
    struct clopt_store_trial row;
    struct clopt_trial trial;
    json_t *variant;  /* what a worker made of the trial; NULL: not made yet */
    uint64_t kernels; /* a bit for each of the app's kernels under which it is reported */
    uint64_t places;  /* a bit for each of those of which it is a finalist */
    uint64_t index;   /* in the space of its group */
    bool is_initial;  /* the initial code: measured in every sweep, whatever is known of it */
    bool is_again;    /* the initial code once more, for the noise floor */
    bool is_alias;    /* another trial is the same program: its outcome is this one's, too */
    bool has_aliases; /* and this is such another one */
    unsigned users;   /* jobs and sweeps that work on it */
    enum clopt_phase phase;
    size_t check_problem; /* the problem of the app with which it is run under Oclgrind */
    char check_key[CLOPT_HASH_SIZE];   /* under which the store knows that it was */
    char initial_key[CLOPT_HASH_SIZE]; /* of its group's initial code: for data and comparison */
    char digest[CLOPT_HASH_SIZE];      /* of its last result that was right; "": none in this run */
    unsigned rechecked;                /* bits of the other problems with which it was right */
    unsigned rechecking;               /* bits of those with which a job checks it now */
    unsigned losses;                   /* workers that were lost while they set its problem up */
    unsigned kills;                    /* workers that were killed from outside, at it */
    unsigned sweeps;                   /* that it took part in */
    unsigned races;                    /* and those of them in which finalists meet */
    double sampled_s;                  /* seconds that its samples took, all together */
    size_t columns;                    /* the app's kernels, then the whole run */
    bool unstored;                     /* the store has not got all samples */
    size_t count;                      /* samples */
    size_t capacity;
    double *times_ns;           /* row-major */
    struct clopt_column *known; /* of each column; NULL: there is no sample */
    uint32_t *process;          /* one a sample */
};

void clopt_contender_fini(struct clopt_contender *contender);
void clopt_contender_destroy(struct clopt_contender *contender); /* one that was allocated */

/* Whether its outcome is known, and is not ok. */
bool clopt_contender_has_failed(const struct clopt_contender *contender);

/* Whether it is still to be built, or to be checked before. */
bool clopt_contender_is_unbuilt(const struct clopt_contender *contender);

/* Takes what a worker's answer (NULL: none) tells of it into its row, and what it made. `paused_ns`
 * is how long the worker was paused meanwhile. Returns the answer's own status. */
enum clopt_status clopt_contender_take(struct clopt_contender *contender, const json_t *answer,
                                       int64_t paused_ns, struct clopt_error *error);

/* Adds samples of one process. */
enum clopt_status clopt_contender_add(struct clopt_contender *contender, uint32_t process,
                                      const double *times_ns, size_t count,
                                      struct clopt_error *error);

/* Estimates the median of one column, over all processes. */
struct clopt_interval clopt_contender_interval(const struct clopt_contender *contender,
                                               size_t column, uint32_t process);

/* Whether the median of each kernel that it is of is known to `precision`, in one process. */
bool clopt_contender_is_precise(const struct clopt_contender *contender, double precision,
                                uint32_t process);

/* Returns the medians of one column, process by process, for ratios to another contender's. They
 * stay the contender's, until it gets more samples. NULL: out of memory. */
const struct clopt_medians *clopt_contender_medians(const struct clopt_contender *contender,
                                                    size_t column);

/* Takes note that a worker was lost at this contender. True: the trial is not to blame yet, and
 * should be tried once more in another worker. Opening a device and setting a problem up come
 * before the trial, and SIGKILL comes from outside; but a trial at which workers are lost so again
 * and again is. */
bool clopt_contender_excuses(struct clopt_contender *contender, const struct clopt_loss *loss);

/* Ends it with an outcome, which is written. A failure of the store goes to the run. */
void clopt_contender_fail(struct clopt_contender *contender, const struct clopt_run *run,
                          const struct clopt_loss *loss);
void clopt_contender_end(struct clopt_contender *contender, const struct clopt_run *run);

/* Writes what is known of it by now. */
void clopt_contender_put(struct clopt_contender *contender, const struct clopt_run *run);

#endif
