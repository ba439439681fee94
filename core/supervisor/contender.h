/* SPDX-License-Identifier: BSD-3-Clause */
/* A trial in the supervisor's hands: its samples so far, and whether it needs more. */
#ifndef CLOPT_SUPERVISOR_CONTENDER_H
#define CLOPT_SUPERVISOR_CONTENDER_H

#include <jansson.h>

#include "base/statistics.h"
#include "store/store.h"
#include "study/study.h"
#include "study/trial.h"
#include "worker/engine.h"

struct clopt_contender {
    struct clopt_store_trial row;
    struct clopt_trial trial;
    json_t *variant;      /* what a worker made of the trial; NULL: not made yet */
    bool is_alias;        /* another trial is the same program: its outcome is this one's, too */
    uint64_t kernels;     /* a bit for each of the app's kernels under which it is reported */
    uint64_t index;       /* in the space of its group */
    bool is_initial;      /* the initial code: measured in every sweep, whatever is known of it */
    bool is_again;        /* the initial code once more, for the noise floor */
    bool to_check;        /* has to be run under Oclgrind before it is prepared */
    size_t check_problem; /* the problem of the app with which that is done */
    char check_key[CLOPT_HASH_SIZE];   /* and under which the store knows that it was */
    char initial_key[CLOPT_HASH_SIZE]; /* of its group's initial code: for data and comparison */
    char digest[CLOPT_HASH_SIZE];      /* of its last result that was right; "": none in this run */
    bool prepared;                     /* built, and launched where that compiles, in this run */
    unsigned setup_deaths;             /* workers that died while they set its problem up */
    unsigned kills;                    /* workers that were killed from outside, at it */
    bool decided;                      /* needs no more samples */
    unsigned sweeps;                   /* that it took part in, in this run of clopt */
    double sampled_s;                  /* seconds that its samples took, all together */
    size_t columns;                    /* the app's kernels, then the whole run */
    size_t count;                      /* samples */
    size_t capacity;
    double *times_ns;  /* row-major */
    uint32_t *process; /* one a sample */
};

void clopt_contender_fini(struct clopt_contender *contender);

/* Adds samples of one process. */
enum clopt_status clopt_contender_add(struct clopt_contender *contender, uint32_t process,
                                      const double *times_ns, size_t count,
                                      struct clopt_error *error);

/* Estimates the median of one column; of one process only, unless `process` is UINT32_MAX. */
struct clopt_interval clopt_contender_interval(const struct clopt_contender *contender,
                                               size_t column, uint32_t process);

/* Takes the medians of one column, process by process, for ratios to another contender's. False:
 * out of memory. */
bool clopt_contender_medians(const struct clopt_contender *contender, size_t column,
                             struct clopt_medians *medians);

/* Whether the intervals of all kernels of the contender are narrow enough: of all its processes
 * (UINT32_MAX), or of the samples of one, whatever others may say. */
bool clopt_contender_is_precise(const struct clopt_contender *contender, double precision,
                                uint32_t process);

/* Whether each of its kernels is surely more than `factor` times slower than the best time of it:
 * best_ns has one upper bound a column, infinite where none is known. */
bool clopt_contender_is_hopeless(const struct clopt_contender *contender, double factor,
                                 const double *best_ns);

/* Takes note that a worker died in a stage of this contender, by a signal or (0) without one. True:
 * the trial is not to blame yet, and should be tried once more in another worker. Opening a device
 * and setting a problem up come before the trial, and SIGKILL comes from outside; but a trial
 * at which workers die so again and again is. */
bool clopt_contender_excuses_death(struct clopt_contender *contender, enum clopt_stage stage,
                                   const struct clopt_error *error, int signal_number);

/* Decides whether it needs more samples. */
void clopt_contender_decide(struct clopt_contender *contender, const struct clopt_measure *measure);

#endif
