/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves batches of contenders through preparation and measurement.
 *
 * A batch is first prepared, built that is, by as many workers as there are, and then measured in
 * sweeps: one process at a time takes samples of all of it in turn. On a CPU device nothing else
 * runs meanwhile; while a GPU is measured, the next batch for a GPU is being built, and the
 * processes of the next sweeps load what they are going to measure. When all batches of a group
 * have been measured, its best are checked and measured once more. */
#ifndef CLOPT_SUPERVISOR_SCHEDULE_H
#define CLOPT_SUPERVISOR_SCHEDULE_H

#include "supervisor/group.h"
#include "supervisor/progress.h"
#include "supervisor/sweeps.h"
#include "supervisor/tasks.h"

/* A batch on its way. */
struct clopt_schedule_stage {
    struct clopt_batch batch; /* group NULL: none */
    unsigned sweeps;          /* that are over */
};

/* What one worker does for a contender ahead of its measurement: at most one of both. */
struct clopt_builder {
    struct clopt_prepare prepare;
    struct clopt_check check;
};

struct clopt_schedule {
    const struct clopt_study *study;
    struct clopt_loop *loop;
    struct clopt_group_context groups_context;
    struct clopt_task_context task_context;
    struct clopt_progress *progress;
    struct clopt_builder *builders;
    size_t jobs;
    size_t next_group;
    struct clopt_group *filling; /* whose batches are being filled; NULL: none */
    struct clopt_group *closing; /* all of its batches are filled; its finalists are to come */
    struct clopt_schedule_stage preparing;
    struct clopt_schedule_stage measuring;
    struct clopt_sweeps sweeps;
    struct clopt_recheck rechecks[CLOPT_RECHECKS]; /* of the batch that is measured */
    uint64_t looked_at;                            /* trials, so far */
};

/* `groups` and `tasks` are copied, what they point to is not. */
enum clopt_status clopt_schedule_init(struct clopt_schedule *schedule, struct clopt_loop *loop,
                                      const struct clopt_group_context *groups,
                                      const struct clopt_task_context *tasks,
                                      struct clopt_progress *progress, size_t jobs,
                                      struct clopt_error *error);
void clopt_schedule_fini(struct clopt_schedule *schedule);

/* Begins whatever can begin now; `over` is set when there is nothing left to do. */
enum clopt_status clopt_schedule_advance(struct clopt_schedule *schedule, bool *over,
                                         struct clopt_error *error);

/* Tells how far things have come. */
void clopt_schedule_show(const struct clopt_schedule *schedule);

#endif
