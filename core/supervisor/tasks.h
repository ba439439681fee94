/* SPDX-License-Identifier: BSD-3-Clause */
/* The conversations with workers that a study is made of. */
#ifndef CLOPT_SUPERVISOR_TASKS_H
#define CLOPT_SUPERVISOR_TASKS_H

#include "supervisor/group.h"
#include "supervisor/loop.h"

#include <clopt/random.h>

/* What all conversations need. */
struct clopt_task_context {
    struct clopt_store *store;
    const struct clopt_measure *measure;
    struct clopt_error *error; /* gets what ends the study: the store failed */
};

/* ---- one contender through make, build and, where `verify`, first launch and check ---- */

struct clopt_prepare {
    struct clopt_task task;
    const struct clopt_task_context *context;
    struct clopt_batch *batch;
    struct clopt_contender *contender; /* NULL: free for another one */
    bool verify;
    int step;
};

void clopt_prepare_init(struct clopt_prepare *prepare, const struct clopt_task_context *context,
                        struct clopt_batch *batch, struct clopt_contender *contender, bool verify);

/* ---- one contender under Oclgrind, for races and accesses outside of buffers ---- */

struct clopt_check {
    struct clopt_task task;
    const struct clopt_task_context *context;
    const struct clopt_group_context *groups;
    struct clopt_group *group;
    struct clopt_contender *contender; /* NULL: free for another one */
    struct clopt_trial trial;          /* the contender's, with the problem of the check */
    int step;
};

/* Makes a check of a contender that is to be checked; its task is for the device of Oclgrind. */
enum clopt_status clopt_check_init(struct clopt_check *check,
                                   const struct clopt_task_context *context,
                                   const struct clopt_group_context *groups,
                                   struct clopt_group *group, struct clopt_contender *contender,
                                   struct clopt_error *error);
void clopt_check_fini(struct clopt_check *check);

/* ---- samples of many contenders in one process, interleaved ---- */

struct clopt_sweep_entry {
    struct clopt_contender *contender;
    bool built;     /* in this process */
    bool ready;     /* verified in this process */
    bool over;      /* nothing more to be done with it in this process */
    size_t count;   /* samples from this process */
    double seconds; /* that they took */
    size_t stored;  /* samples of the contender that the store has */
};

/* First all contenders are built, which other sweeps of theirs may do at the same time, or another
 * process meanwhile use the device; then, when the sweep is opened, they are verified and sampled.
 */
struct clopt_sweep {
    struct clopt_task task;
    const struct clopt_task_context *context;
    struct clopt_group *group;
    const struct clopt_contender *items; /* of the batch */
    bool final;
    struct clopt_sweep_entry *entries; /* NULL: there is no sweep */
    size_t count;
    int64_t process; /* its number in the store */
    struct clopt_random random;
    size_t *order; /* of the entries, in this round */
    size_t place;  /* in the order */
    int step;
    bool active;
    bool open; /* may use the device; one that waits for it has to be resumed then */
    bool sampling;
};

/* Whether contenders of a batch need samples: references alone are measured only while they need
 * it themselves. */
bool clopt_sweep_is_needed(const struct clopt_batch *batch);

/* Makes a sweep over those contenders of a batch that need samples, and the group's initial code
 * and its double. Its task can begin right away. */
enum clopt_status clopt_sweep_init(struct clopt_sweep *sweep,
                                   const struct clopt_task_context *context,
                                   const struct clopt_batch *batch, uint64_t seed,
                                   struct clopt_error *error);
void clopt_sweep_fini(struct clopt_sweep *sweep);

/* ---- finalists once more, with another seed or with an odd size ---- */

/* How many other problems finalists are checked with. */
#define CLOPT_RECHECKS 3

struct clopt_recheck {
    struct clopt_task task;
    const struct clopt_task_context *context;
    struct clopt_batch *batch;
    size_t problem;   /* which of the other problems */
    size_t contender; /* 0: the initial code, else number contender-1 of the batch */
    int step;
    bool active;
    bool over;
    struct clopt_trial trial; /* the contender's, with the other problem */
};

/* `problem` is below CLOPT_RECHECKS. */
void clopt_recheck_init(struct clopt_recheck *recheck, const struct clopt_task_context *context,
                        struct clopt_batch *batch, size_t problem);

/* Makes it ready to be begun, or begun again, where a worker was lost. */
void clopt_recheck_resume(struct clopt_recheck *recheck);
void clopt_recheck_fini(struct clopt_recheck *recheck);

/* ---- shared ---- */

/* Requests for a trial under number `id`; `variant` is what another worker made of it, or NULL. */
json_t *clopt_request_make(unsigned id, const struct clopt_trial *trial, json_t *variant);
json_t *clopt_request_simple(const char *op, unsigned id);
json_t *clopt_request_verify(unsigned id, const struct clopt_contender *contender);

/* Take what an answer tells into a contender's row; the answer's own status is returned. */
enum clopt_status clopt_take_make(struct clopt_contender *contender, const json_t *answer,
                                  struct clopt_error *error);
enum clopt_status clopt_take_build(struct clopt_contender *contender, const json_t *answer,
                                   struct clopt_error *error);
enum clopt_status clopt_take_verify(struct clopt_contender *contender, const json_t *answer,
                                    struct clopt_error *error);

/* The stage in which the request failed that a task has the answer to: what the worker has said, or
 * else `stage`, which is what was asked for. */
enum clopt_stage clopt_task_stage(const struct clopt_task *task, enum clopt_stage stage);

/* Whether a failure may have left a worker or its device unfit for other variants. */
bool clopt_failure_spoils(enum clopt_status status);

/* Ends a contender with a failure; a store that fails goes to the context's error. */
void clopt_task_fail_contender(const struct clopt_task_context *context,
                               struct clopt_contender *contender, const struct clopt_error *cause,
                               enum clopt_stage stage, int signal_number);

#endif
