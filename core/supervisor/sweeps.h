/* SPDX-License-Identifier: BSD-3-Clause */
/* The sweeps of a schedule: one process uses the device, while others load what they are going to
 * measure after it. */
#ifndef CLOPT_SUPERVISOR_SWEEPS_H
#define CLOPT_SUPERVISOR_SWEEPS_H

#include "supervisor/group.h"
#include "supervisor/tasks.h"

/* How many there are at a time. */
#define CLOPT_SWEEPS 4

struct clopt_sweeps {
    struct clopt_sweep items[CLOPT_SWEEPS];
    struct clopt_loop *loop;
    struct clopt_task_context *context;
    uint64_t seed;
};

/* `loop` and `context` must live as long as the sweeps. */
void clopt_sweeps_init(struct clopt_sweeps *sweeps, struct clopt_loop *loop,
                       struct clopt_task_context *context, uint64_t seed);
void clopt_sweeps_fini(struct clopt_sweeps *sweeps);

/* Counts the sweeps whose processes are at work, and do not wait for the device. */
size_t clopt_sweeps_busy(const struct clopt_sweeps *sweeps);

/* Tells whether a sweep of the batch uses the device. */
bool clopt_sweeps_use_device(const struct clopt_sweeps *sweeps, const struct clopt_batch *batch);

/* Gives the device to a sweep of the batch: one that is ready, if there is any. */
enum clopt_status clopt_sweeps_open(struct clopt_sweeps *sweeps, const struct clopt_batch *batch,
                                    struct clopt_error *error);

/* Begins sweeps that get ready, until `wanted` of the batch or `most` of all are under way. */
enum clopt_status clopt_sweeps_get_ready(struct clopt_sweeps *sweeps,
                                         const struct clopt_batch *batch, size_t wanted,
                                         size_t most, struct clopt_error *error);

/* Ends the sweeps whose task is over; returns how many of them used the device. */
unsigned clopt_sweeps_collect(struct clopt_sweeps *sweeps);

/* Ends the sweeps of a batch that got ready for nothing. */
void clopt_sweeps_cancel(struct clopt_sweeps *sweeps, const struct clopt_batch *batch);

#endif
