/* SPDX-License-Identifier: BSD-3-Clause */
/* Several sweeps at a time, of which one uses the device. */
#include "supervisor/sweeps.h"

void clopt_sweeps_init(struct clopt_sweeps *sweeps, struct clopt_loop *loop,
                       struct clopt_task_context *context, uint64_t seed)
{
    *sweeps = (struct clopt_sweeps){.loop = loop, .context = context, .seed = seed};
}

void clopt_sweeps_fini(struct clopt_sweeps *sweeps)
{
    for (size_t i = 0; i < CLOPT_SWEEPS; i++)
        clopt_sweep_fini(&sweeps->items[i]);
}

size_t clopt_sweeps_busy(const struct clopt_sweeps *sweeps)
{
    size_t busy = 0;
    for (size_t i = 0; i < CLOPT_SWEEPS; i++)
        busy += sweeps->items[i].active && !sweeps->items[i].task.waiting;
    return busy;
}

static bool belongs(const struct clopt_sweep *sweep, const struct clopt_batch *batch)
{
    return sweep->entries && sweep->items == batch->items;
}

/* Counts the sweeps of a batch that are under way; of all batches if it is NULL. */
static size_t count(const struct clopt_sweeps *sweeps, const struct clopt_batch *batch)
{
    size_t found = 0;
    for (size_t i = 0; i < CLOPT_SWEEPS; i++)
        found += batch ? belongs(&sweeps->items[i], batch) : sweeps->items[i].entries != NULL;
    return found;
}

bool clopt_sweeps_use_device(const struct clopt_sweeps *sweeps, const struct clopt_batch *batch)
{
    for (size_t i = 0; i < CLOPT_SWEEPS; i++)
        if (belongs(&sweeps->items[i], batch) && sweeps->items[i].open)
            return true;
    return false;
}

static enum clopt_status begin(struct clopt_sweeps *sweeps, const struct clopt_batch *batch,
                               bool open, struct clopt_error *error)
{
    struct clopt_sweep *sweep = sweeps->items;
    while (sweep->entries)
        sweep++;
    enum clopt_status status = clopt_sweep_init(sweep, sweeps->context, batch, sweeps->seed, error);
    if (status)
        return status;
    sweep->open = open;
    size_t device = batch->group->device;
    struct clopt_seat *seat = clopt_loop_idle_seat(sweeps->loop, device, sweep->task.fresh);
    return clopt_loop_begin(sweeps->loop, seat, device, &sweep->task, error);
}

/* Finds a sweep of a batch: one that waits for the device, or else any. */
static struct clopt_sweep *find(struct clopt_sweeps *sweeps, const struct clopt_batch *batch)
{
    struct clopt_sweep *found = NULL;
    for (size_t i = 0; i < CLOPT_SWEEPS; i++) {
        struct clopt_sweep *sweep = &sweeps->items[i];
        if (belongs(sweep, batch) && (!found || (sweep->task.waiting && !found->task.waiting)))
            found = sweep;
    }
    return found;
}

enum clopt_status clopt_sweeps_open(struct clopt_sweeps *sweeps, const struct clopt_batch *batch,
                                    struct clopt_error *error)
{
    struct clopt_sweep *sweep = find(sweeps, batch);
    if (!sweep)
        return begin(sweeps, batch, true, error);
    sweep->open = true;
    if (sweep->task.waiting)
        clopt_loop_resume(sweeps->loop, &sweep->task);
    return CLOPT_OK;
}

enum clopt_status clopt_sweeps_get_ready(struct clopt_sweeps *sweeps,
                                         const struct clopt_batch *batch, size_t wanted,
                                         size_t most, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    most = most < CLOPT_SWEEPS ? most : CLOPT_SWEEPS;
    while (!status && count(sweeps, batch) < wanted && count(sweeps, NULL) < most)
        status = begin(sweeps, batch, false, error);
    return status;
}

unsigned clopt_sweeps_collect(struct clopt_sweeps *sweeps)
{
    unsigned measured = 0;
    for (size_t i = 0; i < CLOPT_SWEEPS; i++) {
        struct clopt_sweep *sweep = &sweeps->items[i];
        bool opened = sweep->open;
        if (!sweep->entries || sweep->active)
            continue;
        clopt_sweep_fini(sweep);
        measured += opened;
    }
    return measured;
}

void clopt_sweeps_cancel(struct clopt_sweeps *sweeps, const struct clopt_batch *batch)
{
    for (size_t i = 0; i < CLOPT_SWEEPS; i++)
        if (belongs(&sweeps->items[i], batch)) {
            clopt_loop_cancel(sweeps->loop, &sweeps->items[i].task);
            clopt_sweep_fini(&sweeps->items[i]);
        }
}
