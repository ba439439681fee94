/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves batches of contenders through preparation and measurement. */
#include "supervisor/schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "opencl/traits.h"

#define FINAL_SWEEPS 2

enum clopt_status clopt_schedule_init(struct clopt_schedule *schedule, struct clopt_loop *loop,
                                      const struct clopt_group_context *groups,
                                      const struct clopt_task_context *tasks,
                                      struct clopt_progress *progress, size_t jobs,
                                      struct clopt_error *error)
{
    *schedule = (struct clopt_schedule){.study = groups->study,
                                        .loop = loop,
                                        .groups_context = *groups,
                                        .task_context = *tasks,
                                        .progress = progress,
                                        .jobs = jobs};
    clopt_sweeps_init(&schedule->sweeps, loop, &schedule->task_context, groups->study->seed);
    schedule->builders = calloc(jobs, sizeof *schedule->builders);
    return schedule->builders ? CLOPT_OK : clopt_fail_memory(error);
}

static void end_group(struct clopt_group **group)
{
    if (*group)
        clopt_group_fini(*group);
    free(*group);
    *group = NULL;
}

static void end_rechecks(struct clopt_schedule *schedule)
{
    for (size_t i = 0; i < CLOPT_RECHECKS; i++)
        clopt_recheck_fini(&schedule->rechecks[i]);
}

void clopt_schedule_fini(struct clopt_schedule *schedule)
{
    clopt_sweeps_fini(&schedule->sweeps);
    end_rechecks(schedule);
    clopt_batch_fini(&schedule->preparing.batch);
    clopt_batch_fini(&schedule->measuring.batch);
    end_group(&schedule->filling);
    end_group(&schedule->closing);
    for (size_t i = 0; schedule->builders && i < schedule->jobs; i++)
        clopt_check_fini(&schedule->builders[i].check);
    free(schedule->builders);
    *schedule = (struct clopt_schedule){0};
}

static bool is_empty(const struct clopt_schedule_stage *stage)
{
    return stage->batch.group == NULL;
}

static bool on_cpu(const struct clopt_schedule *schedule, const struct clopt_schedule_stage *stage)
{
    size_t device = stage->batch.group->device;
    return strcmp(schedule->loop->devices[device].info.type, "cpu") == 0;
}

/* ---- filling batches ---- */

static enum clopt_status begin_group(struct clopt_schedule *schedule, struct clopt_error *error)
{
    schedule->filling = calloc(1, sizeof *schedule->filling);
    if (!schedule->filling)
        return clopt_fail_memory(error);
    return clopt_group_init(schedule->filling, &schedule->groups_context, schedule->next_group++,
                            error);
}

static bool all_groups_begun(const struct clopt_schedule *schedule)
{
    return schedule->next_group == clopt_space_group_count(schedule->study);
}

/* Fills the next batch to prepare: of the group at hand, or of the next one. */
static enum clopt_status fill_next(struct clopt_schedule *schedule, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    if (!schedule->filling && !all_groups_begun(schedule))
        status = begin_group(schedule, error);
    struct clopt_group *group = schedule->filling;
    if (status || !group)
        return status;
    if (group->position < group->order.count) {
        struct clopt_batch *batch = &schedule->preparing.batch;
        uint64_t before = schedule->looked_at - batch->count;
        status = clopt_batch_fill(batch, &schedule->measuring.batch, &schedule->groups_context,
                                  group, &schedule->looked_at, error);
        schedule->progress->skipped += schedule->looked_at - batch->count - before;
    } else if (!schedule->closing) {
        schedule->closing = group;
        schedule->filling = NULL;
    }
    return status;
}

/* ---- preparing ---- */

/* Counts the contenders that are ready to be measured; `all` gets how many there are. */
static size_t count_prepared(const struct clopt_batch *batch, size_t *all)
{
    size_t prepared = 0;
    const struct clopt_contender *contender;
    for (*all = 0; (contender = clopt_batch_contender(batch, *all)); ++*all)
        prepared += contender->prepared;
    return prepared;
}

static bool is_prepared(const struct clopt_schedule_stage *stage)
{
    size_t all = 0;
    return !is_empty(stage) && !stage->batch.filling && count_prepared(&stage->batch, &all) == all;
}

/* The contender that a builder is busy with; NULL: none. */
static const struct clopt_contender *contender_of(const struct clopt_builder *builder)
{
    return builder->prepare.contender ? builder->prepare.contender : builder->check.contender;
}

static bool is_being_prepared(const struct clopt_schedule *schedule,
                              const struct clopt_contender *contender)
{
    for (size_t i = 0; i < schedule->jobs; i++)
        if (contender_of(&schedule->builders[i]) == contender)
            return true;
    return false;
}

static size_t busy_builders(const struct clopt_schedule *schedule)
{
    size_t busy = 0;
    for (size_t i = 0; i < schedule->jobs; i++)
        busy += contender_of(&schedule->builders[i]) != NULL;
    return busy;
}

/* Whether a worker of a batch was killed from outside, as where memory is short: from then on
 * its contenders are tried one at a time. */
static bool is_to_go_slow(const struct clopt_schedule_stage *stage)
{
    const struct clopt_contender *contender;
    for (size_t i = 0; (contender = clopt_batch_contender(&stage->batch, i)); i++)
        if (contender->kills)
            return true;
    return false;
}

static struct clopt_builder *free_builder(struct clopt_schedule *schedule)
{
    for (size_t i = 0; i < schedule->jobs; i++)
        if (!contender_of(&schedule->builders[i]))
            return &schedule->builders[i];
    return NULL;
}

/* Whether contenders are launched while they are prepared: where that compiles, and takes the
 * processors that builds take, too. Else they are when they are measured. */
static bool launches_first(const struct clopt_schedule *schedule,
                           const struct clopt_schedule_stage *stage)
{
    const struct clopt_device_info *device =
        &schedule->loop->devices[stage->batch.group->device].info;
    return on_cpu(schedule, stage) && clopt_traits_find(device->platform)->compiles_at_launch;
}

/* Begins what comes first: the check of a contender, or its preparation. */
static enum clopt_status begin_builder(struct clopt_schedule *schedule,
                                       struct clopt_builder *builder, struct clopt_seat *seat,
                                       size_t device, struct clopt_contender *contender,
                                       struct clopt_error *error)
{
    struct clopt_schedule_stage *stage = &schedule->preparing;
    if (!contender->to_check) {
        clopt_prepare_init(&builder->prepare, &schedule->task_context, &stage->batch, contender,
                           launches_first(schedule, stage));
        return clopt_loop_begin(schedule->loop, seat, device, &builder->prepare.task, error);
    }
    enum clopt_status status =
        clopt_check_init(&builder->check, &schedule->task_context, &schedule->groups_context,
                         stage->batch.group, contender, error);
    return status ? status
                  : clopt_loop_begin(schedule->loop, seat, device, &builder->check.task, error);
}

/* Hands contenders that are not prepared out to workers that are idle. */
static enum clopt_status hand_out(struct clopt_schedule *schedule, struct clopt_error *error)
{
    struct clopt_schedule_stage *stage = &schedule->preparing;
    enum clopt_status status = CLOPT_OK;
    /* Processes that measure a GPU meanwhile, or get ready to, need a processor each. */
    size_t others = clopt_sweeps_busy(&schedule->sweeps);
    size_t most = others < schedule->jobs ? schedule->jobs - others : 1;
    if (is_to_go_slow(stage))
        most = others ? 0 : 1;
    struct clopt_contender *contender;
    for (size_t i = 0; !status && (contender = clopt_batch_contender(&stage->batch, i)); i++) {
        if (contender->prepared || is_being_prepared(schedule, contender))
            continue;
        const struct clopt_group *group = stage->batch.group;
        if (contender->is_again && !group->initial.prepared)
            continue; /* it is the same program: compiled once, and checked once */
        if ((contender->is_again && group->initial.to_check) || clopt_group_is_unusable(group)) {
            status = clopt_contender_follow(contender, stage->batch.group,
                                            schedule->task_context.store, error);
            continue;
        }
        struct clopt_builder *builder =
            busy_builders(schedule) < most ? free_builder(schedule) : NULL;
        size_t device =
            contender->to_check ? schedule->study->device_count : stage->batch.group->device;
        struct clopt_seat *seat =
            builder ? clopt_loop_idle_seat(schedule->loop, device, false) : NULL;
        if (!seat)
            break;
        status = begin_builder(schedule, builder, seat, device, contender, error);
    }
    return status;
}

/* ---- measuring ---- */

/* After a sweep: who needs no more? */
static enum clopt_status decide(struct clopt_schedule *schedule, struct clopt_contender *contender,
                                struct clopt_error *error)
{
    struct clopt_store_trial *row = &contender->row;
    if (row->complete && row->outcome != CLOPT_OUTCOME_OK)
        return CLOPT_OK;
    clopt_contender_decide(contender, &schedule->study->measure);
    if (!contender->decided || contender->count == 0)
        return CLOPT_OK;
    row->outcome = CLOPT_OUTCOME_OK;
    row->complete = true;
    free(row->source); /* the plugins make it again */
    row->source = NULL;
    return clopt_store_put_trial(schedule->task_context.store, row, error);
}

static enum clopt_status decide_all(struct clopt_schedule *schedule, struct clopt_error *error)
{
    struct clopt_batch *batch = &schedule->measuring.batch;
    enum clopt_status status = decide(schedule, &batch->group->initial, error);
    if (!status)
        status = decide(schedule, &batch->group->again, error);
    for (size_t i = 0; i < batch->count && !status; i++)
        status = decide(schedule, &batch->items[i], error);
    return status;
}

/* Ends the sweeps whose task is over; with one that has measured, contenders may be decided. */
static enum clopt_status collect_sweeps(struct clopt_schedule *schedule, struct clopt_error *error)
{
    unsigned measured = clopt_sweeps_collect(&schedule->sweeps);
    schedule->measuring.sweeps += measured;
    return measured ? decide_all(schedule, error) : CLOPT_OK;
}

/* How many sweeps a batch is sure to need yet. */
static size_t sweeps_to_come(const struct clopt_schedule *schedule,
                             const struct clopt_schedule_stage *stage)
{
    size_t least = stage->batch.final ? FINAL_SWEEPS : schedule->study->measure.processes;
    if (!clopt_sweep_is_needed(&stage->batch) || stage->sweeps >= least)
        return 0;
    return least - stage->sweeps;
}

/* Lets the processes of a batch's next sweeps get ready, unless that disturbs what is measured. */
static enum clopt_status get_ready(struct clopt_schedule *schedule,
                                   const struct clopt_schedule_stage *stage,
                                   struct clopt_error *error)
{
    if (is_empty(stage) || on_cpu(schedule, stage) || is_to_go_slow(stage) ||
        (!is_empty(&schedule->measuring) && on_cpu(schedule, &schedule->measuring)))
        return CLOPT_OK;
    return clopt_sweeps_get_ready(&schedule->sweeps, &stage->batch, sweeps_to_come(schedule, stage),
                                  schedule->jobs, error);
}

/* Ends the batch that has been measured; with its finalists a group ends. */
static enum clopt_status end_batch(struct clopt_schedule *schedule, struct clopt_error *error)
{
    struct clopt_schedule_stage *stage = &schedule->measuring;
    struct clopt_store *store = schedule->task_context.store;
    bool final = stage->batch.final;
    if (!final)
        clopt_group_rank(stage->batch.group, &stage->batch);
    enum clopt_status status = clopt_batch_share_outcomes(&stage->batch, store, error);
    if (!status && final)
        status = clopt_group_put_noise(stage->batch.group, store, error);
    clopt_sweeps_cancel(&schedule->sweeps, &stage->batch);
    end_rechecks(schedule);
    clopt_batch_fini(&stage->batch);
    *stage = (struct clopt_schedule_stage){0};
    if (final)
        end_group(&schedule->closing);
    return status;
}

static enum clopt_status begin_recheck(struct clopt_schedule *schedule,
                                       struct clopt_recheck *recheck, struct clopt_error *error)
{
    size_t device = recheck->batch->group->device;
    struct clopt_task *task = &recheck->task;
    clopt_recheck_resume(recheck);
    return clopt_loop_begin(schedule->loop,
                            clopt_loop_idle_seat(schedule->loop, device, task->fresh), device, task,
                            error);
}

/* Checks finalists with other problems, one worker a problem; `over` is set when all is done. */
static enum clopt_status go_on_checking(struct clopt_schedule *schedule, bool *over,
                                        struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    size_t active = 0, most = is_to_go_slow(&schedule->measuring) ? 1 : schedule->jobs;
    for (size_t i = 0; i < CLOPT_RECHECKS; i++)
        active += schedule->rechecks[i].active;
    *over = true;
    for (size_t i = 0; i < CLOPT_RECHECKS && !status; i++) {
        struct clopt_recheck *recheck = &schedule->rechecks[i];
        *over = *over && recheck->over;
        if (recheck->over || recheck->active || active >= most)
            continue;
        active++;
        status = begin_recheck(schedule, recheck, error);
    }
    return status;
}

/* Takes the next step with the batch that is being measured. */
static enum clopt_status go_on_measuring(struct clopt_schedule *schedule, struct clopt_error *error)
{
    struct clopt_schedule_stage *stage = &schedule->measuring;
    struct clopt_batch *batch = &stage->batch;
    if (clopt_sweeps_use_device(&schedule->sweeps, batch))
        return CLOPT_OK;
    enum clopt_status status = CLOPT_OK;
    bool checked = true;
    if (batch->final && batch->count)
        status = go_on_checking(schedule, &checked, error);
    if (status || !checked)
        return status;
    bool enough = batch->final && stage->sweeps >= FINAL_SWEEPS;
    if (!enough && clopt_sweep_is_needed(batch))
        return clopt_sweeps_open(&schedule->sweeps, batch, error);
    return end_batch(schedule, error);
}

/* Chooses the batch to measure next: the finalists of a group whose batches are all measured, or
 * the batch that is prepared. */
static enum clopt_status choose_next(struct clopt_schedule *schedule, struct clopt_error *error)
{
    struct clopt_schedule_stage *preparing = &schedule->preparing, *next = &schedule->measuring;
    enum clopt_status status = CLOPT_OK;
    if (schedule->closing)
        status = clopt_batch_fill_finalists(&next->batch, &schedule->groups_context,
                                            schedule->closing, error);
    else if (is_prepared(preparing)) {
        *next = *preparing;
        *preparing = (struct clopt_schedule_stage){0};
    }
    for (size_t i = 0; !status && i < CLOPT_RECHECKS; i++)
        clopt_recheck_init(&schedule->rechecks[i], &schedule->task_context, &next->batch, i);
    return status;
}

/* ---- the whole ---- */

void clopt_schedule_show(const struct clopt_schedule *schedule)
{
    const struct clopt_schedule_stage *preparing = &schedule->preparing,
                                      *measuring = &schedule->measuring;
    double done = (double)schedule->looked_at;
    const char *doing = "starting";
    if (!is_empty(preparing)) {
        size_t all;
        double prepared = (double)count_prepared(&preparing->batch, &all) / (double)(all ? all : 1);
        done -= (double)preparing->batch.count * (1 - 0.3 * prepared);
        doing = preparing->batch.filling ? "looking at what is known" : "building and verifying";
    }
    if (!is_empty(measuring)) {
        double share = (double)measuring->sweeps / (double)schedule->study->measure.processes;
        if (!measuring->batch.final)
            done -= 0.7 * (double)measuring->batch.count * (1 - fmin(share, 1));
        doing = measuring->batch.final ? "measuring the best once more" : "measuring";
    }
    clopt_progress_show(schedule->progress, fmax(done, 0), doing);
}

/* Whether contenders may be built now: not while a CPU is measured, or about to be. */
static bool may_build(const struct clopt_schedule *schedule)
{
    if (is_empty(&schedule->preparing) || schedule->preparing.batch.filling)
        return false;
    if (is_empty(&schedule->measuring))
        return !schedule->closing;
    return !on_cpu(schedule, &schedule->measuring) && !on_cpu(schedule, &schedule->preparing) &&
           !is_to_go_slow(&schedule->measuring);
}

enum clopt_status clopt_schedule_advance(struct clopt_schedule *schedule, bool *over,
                                         struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    if (is_empty(&schedule->preparing) || schedule->preparing.batch.filling)
        status = fill_next(schedule, error);
    if (!status)
        status = collect_sweeps(schedule, error);
    if (!status && is_empty(&schedule->measuring))
        status = choose_next(schedule, error);
    if (!status && !is_empty(&schedule->measuring))
        status = go_on_measuring(schedule, error);
    if (!status)
        status = get_ready(schedule, &schedule->measuring, error);
    if (!status && is_prepared(&schedule->preparing))
        status = get_ready(schedule, &schedule->preparing, error);
    if (!status && may_build(schedule))
        status = hand_out(schedule, error);
    *over = is_empty(&schedule->preparing) && is_empty(&schedule->measuring) &&
            !schedule->filling && !schedule->closing && all_groups_begun(schedule);
    return status;
}
