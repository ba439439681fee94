/* SPDX-License-Identifier: BSD-3-Clause */
/* The trials that compete with each other: one app with one problem on one device. */
#ifndef CLOPT_SUPERVISOR_GROUP_H
#define CLOPT_SUPERVISOR_GROUP_H

#include "base/permutation.h"
#include "study/space.h"
#include "study/variant.h"
#include "supervisor/contender.h"
#include "supervisor/loop.h"

/* As many contenders are built and measured together as one worker can hold ready. */
#define CLOPT_BATCH 64

/* So many trials are looked at in one go, and one transaction: between two, others get their turn.
 */
#define CLOPT_LOOK 1000

/* How many of the best variants of each kernel are measured once more in the end. */
#define CLOPT_FINALISTS 6

/* A variant that may be the best of a kernel. */
struct clopt_finalist {
    char key[CLOPT_HASH_SIZE];
    uint64_t index; /* in the space */
    double median_ns;
};

struct clopt_group {
    const struct clopt_study *study;
    size_t number;
    size_t device;
    const struct clopt_plugin_entry *app;
    size_t kernel_count;
    struct clopt_app_source source;
    int64_t device_row; /* in the store */
    int64_t problem_row;
    struct clopt_permutation order;
    uint64_t position; /* in the order: the next trial to look at */
    struct clopt_contender initial;
    struct clopt_contender again;     /* the initial code as a variant of itself */
    double *best_ns;                  /* per kernel: an upper bound of the best median so far */
    struct clopt_finalist *finalists; /* CLOPT_FINALISTS a kernel, best first; key "" is none */
    int64_t *retried;                 /* trials that were tried again in this run: once is enough */
    size_t retried_count;
};

/* What group functions need of the study's run. */
struct clopt_group_context {
    const struct clopt_study *study;
    struct clopt_store *store;
    const struct clopt_loop_device *devices; /* Oclgrind's behind those of the study */
    const int64_t *device_rows;
    const char *kernel_path;
    struct clopt_file_hashes *files; /* the inputs that have been read */
    unsigned retry; /* outcomes that are not left at that: clopt_outcomes_parse() */
};

enum clopt_status clopt_group_init(struct clopt_group *group,
                                   const struct clopt_group_context *context, size_t number,
                                   struct clopt_error *error);
void clopt_group_fini(struct clopt_group *group);

/* Where the study wants it, finds out whether a contender has to be run under Oclgrind, with which
 * problem: the smallest at which it is feasible, or its own if `own`. The store knows those that
 * have passed. */
enum clopt_status clopt_contender_plan_check(struct clopt_contender *contender,
                                             const struct clopt_group *group,
                                             const struct clopt_group_context *context, bool own,
                                             struct clopt_error *error);

/* Copies the contender's trial for that problem. */
enum clopt_status clopt_contender_check_trial(const struct clopt_contender *contender,
                                              const struct clopt_group *group,
                                              struct clopt_trial *trial, struct clopt_error *error);

/* Records that a contender has passed. */
enum clopt_status clopt_contender_pass_check(struct clopt_contender *contender,
                                             const struct clopt_group *group,
                                             struct clopt_store *store, struct clopt_error *error);

/* The contenders of a batch. */
struct clopt_batch {
    struct clopt_group *group;
    struct clopt_contender *items; /* CLOPT_BATCH of them at most */
    size_t count;
    bool filling; /* there may be more to come */
    bool final;   /* the finalists, once more */
};

/* Looks at the next CLOPT_LOOK trials of a group, or fewer where the batch is full or the group has
 * no more: those that are infeasible or in the store already only get their row in the report.
 * `looked_at` counts trials. The batch is empty at first, or one that is `filling`. One without
 * contenders that is not is the end of the group. What is in `measured`, the batch that is measured
 * meanwhile, stays there. */
enum clopt_status clopt_batch_fill(struct clopt_batch *batch, const struct clopt_batch *measured,
                                   const struct clopt_group_context *context,
                                   struct clopt_group *group, uint64_t *looked_at,
                                   struct clopt_error *error);

/* Fills a batch with the group's finalists; without any where nothing is to be decided. */
enum clopt_status clopt_batch_fill_finalists(struct clopt_batch *batch,
                                             const struct clopt_group_context *context,
                                             struct clopt_group *group, struct clopt_error *error);
void clopt_batch_fini(struct clopt_batch *batch);

/* The contenders that have to be prepared: the group's initial code with its double, unless nothing
 * is to be compared with them, and those of the batch. NULL past the last one. */
struct clopt_contender *clopt_batch_contender(const struct clopt_batch *batch, size_t index);

/* Finds out, once a contender is made, whether another trial is the same program: then it is an
 * alias, and its outcome is the other one's. */
enum clopt_status clopt_batch_find_alias(struct clopt_batch *batch, struct clopt_store *store,
                                         struct clopt_contender *contender,
                                         struct clopt_error *error);

/* Gives the outcomes of a batch that has been measured to the aliases in it. */
enum clopt_status clopt_batch_share_outcomes(struct clopt_batch *batch, struct clopt_store *store,
                                             struct clopt_error *error);

/* Ends a trial with a failure: writes its outcome. */
enum clopt_status clopt_contender_fail(struct clopt_contender *contender, struct clopt_store *store,
                                       const struct clopt_error *cause, enum clopt_stage stage,
                                       int signal_number, struct clopt_error *error);

/* Records the noise and the drift of every kernel, and of the whole run. */
enum clopt_status clopt_group_put_noise(const struct clopt_group *group, struct clopt_store *store,
                                        struct clopt_error *error);

/* Whether the problem itself could not be set up, which the initial code was the first to find:
 * then no variant can do better. */
bool clopt_group_is_unusable(const struct clopt_group *group);

/* Ends a trial with the failure that has made its group unusable. */
enum clopt_status clopt_contender_follow(struct clopt_contender *contender,
                                         const struct clopt_group *group, struct clopt_store *store,
                                         struct clopt_error *error);

/* Takes the results of measured contenders into the group's finalists. */
void clopt_group_rank(struct clopt_group *group, const struct clopt_batch *batch);

#endif
