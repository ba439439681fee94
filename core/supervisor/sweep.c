/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes samples of many contenders in one process, interleaved, so that whatever disturbs the
 * machine or favours the process meets all of them alike. */
#include <math.h>
#include <stdlib.h>

#include <clopt/random.h>

#include "base/text.h"
#include "supervisor/tasks.h"

enum { MAKE, MADE, BUILT, WAIT, VERIFIED, SAMPLED };

#define TURN_S               10e-3 /* a turn takes one sample, and more within this time */
#define LONGEST_TURN         16    /* samples */
#define FEWEST_FOR_PRECISION 10    /* fewer of each process say too little about all of them */

static enum clopt_stage stage_of(int step)
{
    static const enum clopt_stage stages[] = {CLOPT_STAGE_MAKE,   CLOPT_STAGE_MAKE,
                                              CLOPT_STAGE_BUILD,  CLOPT_STAGE_BUILD,
                                              CLOPT_STAGE_VERIFY, CLOPT_STAGE_SAMPLE};
    return stages[step];
}

static struct clopt_sweep_entry *current(struct clopt_sweep *sweep)
{
    return &sweep->entries[sweep->sampling ? sweep->order[sweep->place] : sweep->place];
}

/* Whether a contender takes no part: it failed, or it needs no more samples. */
static bool is_out(const struct clopt_contender *contender, bool final)
{
    bool failed = contender->row.complete && contender->row.outcome != CLOPT_OUTCOME_OK;
    bool reference = contender->is_initial || contender->is_again;
    return failed || contender->is_alias || (contender->decided && !reference && !final);
}

/* Hands the samples that the store has not got yet over to it. */
static void store_samples(struct clopt_sweep *sweep, struct clopt_sweep_entry *entry)
{
    const struct clopt_contender *contender = entry->contender;
    const struct clopt_kernel *kernels = clopt_entry_app(sweep->group->app)->kernels;
    const char *names[65];
    for (size_t column = 0; column < contender->columns; column++)
        names[column] = column + 1 < contender->columns ? kernels[column].name : "";
    struct clopt_store_samples samples = {
        .trial = contender->row.id,
        .process = sweep->process,
        .kernels = names,
        .kernel_count = contender->columns,
        .times_ns = contender->times_ns + entry->stored * contender->columns,
        .count = contender->count - entry->stored,
    };
    struct clopt_error error = {0};
    if (samples.count && clopt_store_put_samples(sweep->context->store, &samples, &error))
        *sweep->context->error = error;
    entry->stored = contender->count;
}

/* Lowers the bound of what is known to be reachable. */
static void note_best(struct clopt_sweep *sweep, const struct clopt_contender *contender)
{
    for (size_t k = 0; k < sweep->group->kernel_count; k++) {
        double high = clopt_contender_interval(contender, k, UINT32_MAX).high;
        if (high < sweep->group->best_ns[k])
            sweep->group->best_ns[k] = high;
    }
}

/* How many samples a contender takes in one process at most. */
static size_t most_samples(const struct clopt_measure *measure)
{
    return (measure->max_samples + measure->processes - 1) / measure->processes;
}

/* Whether a contender needs no more samples from this process. */
static bool has_enough(const struct clopt_sweep *sweep, const struct clopt_sweep_entry *entry)
{
    const struct clopt_measure *measure = sweep->context->measure;
    size_t least = measure->min_samples;
    if (entry->count < least)
        return entry->seconds > measure->max_time_s / (double)measure->processes && entry->count;
    if (entry->count >= most_samples(measure) ||
        entry->seconds > measure->max_time_s / (double)measure->processes)
        return true;
    return entry->count >= FEWEST_FOR_PRECISION &&
           clopt_contender_is_precise(entry->contender, measure->precision,
                                      (uint32_t)sweep->process);
}

/* Ends a contender's part in this process. */
static void leave(struct clopt_sweep *sweep, struct clopt_sweep_entry *entry)
{
    entry->over = true;
    if (!entry->ready || entry->count == 0)
        return;
    store_samples(sweep, entry);
    entry->contender->sweeps++;
    note_best(sweep, entry->contender);
}

static void fail(struct clopt_sweep *sweep, const struct clopt_error *cause, enum clopt_stage stage,
                 int signal_number)
{
    struct clopt_sweep_entry *entry = current(sweep);
    entry->over = true;
    if (entry->ready)
        store_samples(sweep, entry);
    /* While this process built, others may have taken all the samples that are needed. */
    if (!is_out(entry->contender, sweep->final))
        clopt_task_fail_contender(sweep->context, entry->contender, cause, stage, signal_number);
}

/* Mixes the order of a new round (Fisher and Yates); false where nobody is left. */
static bool new_round(struct clopt_sweep *sweep)
{
    size_t left = 0;
    for (size_t i = 0; i < sweep->count; i++) {
        struct clopt_sweep_entry *entry = &sweep->entries[i];
        entry->over = entry->over || is_out(entry->contender, sweep->final);
        if (entry->ready && !entry->over)
            sweep->order[left++] = i;
    }
    for (size_t i = left; i < sweep->count; i++)
        sweep->order[i] = SIZE_MAX;
    for (size_t i = left; i > 1; i--) {
        size_t j = (size_t)clopt_random_below(&sweep->random, i);
        size_t swapped = sweep->order[i - 1];
        sweep->order[i - 1] = sweep->order[j];
        sweep->order[j] = swapped;
    }
    sweep->place = 0;
    return left > 0;
}

static json_t *request_samples(struct clopt_sweep *sweep)
{
    const struct clopt_sweep_entry *entry = current(sweep);
    const struct clopt_measure *measure = sweep->context->measure;
    double left_s = measure->max_time_s / (double)measure->processes - entry->seconds;
    size_t most = most_samples(measure);
    most = most > entry->count ? most - entry->count : 1;
    size_t count = most < LONGEST_TURN ? most : LONGEST_TURN;
    sweep->step = SAMPLED;
    return json_pack("{s:s,s:i,s:I,s:I}", "op", "sample", "id", (int)(entry - sweep->entries),
                     "count", (json_int_t)count, "max_ns",
                     (json_int_t)(fmax(fmin(left_s, TURN_S), 0) * 1e9));
}

static json_t *end(struct clopt_sweep *sweep)
{
    sweep->active = false;
    return NULL;
}

/* Goes to the next contender of the round, or to the next round. */
static json_t *next_turn(struct clopt_sweep *sweep)
{
    sweep->place++;
    if (sweep->place < sweep->count && sweep->order[sweep->place] != SIZE_MAX)
        return request_samples(sweep);
    return new_round(sweep) ? request_samples(sweep) : end(sweep);
}

/* Verifies the contender at `place`, or the next one that is built; after the last one sampling
 * begins. */
static json_t *verify_from(struct clopt_sweep *sweep, size_t place)
{
    sweep->step = VERIFIED;
    for (sweep->place = place; sweep->place < sweep->count; sweep->place++) {
        struct clopt_sweep_entry *entry = current(sweep);
        entry->over = entry->over || !entry->built || is_out(entry->contender, sweep->final);
        entry->stored = entry->contender->count;
        if (!entry->over)
            return clopt_request_verify((unsigned)sweep->place, entry->contender);
    }
    sweep->sampling = true;
    return new_round(sweep) ? request_samples(sweep) : end(sweep);
}

/* Builds the contender at `place`, or the next one that still takes part; after the last one the
 * sweep waits for the device. */
static json_t *build_from(struct clopt_sweep *sweep, size_t place)
{
    sweep->step = MADE;
    for (; place < sweep->count; place++) {
        sweep->place = place;
        struct clopt_sweep_entry *entry = current(sweep);
        entry->over = is_out(entry->contender, sweep->final);
        if (!entry->over)
            return clopt_request_make((unsigned)place, &entry->contender->trial,
                                      entry->contender->variant);
    }
    sweep->step = WAIT;
    if (sweep->open)
        return verify_from(sweep, 0);
    sweep->task.waiting = true;
    return NULL;
}

/* Reads the samples of an answer into the contender. */
static enum clopt_status take_samples(struct clopt_sweep *sweep, const json_t *answer,
                                      struct clopt_error *error)
{
    struct clopt_sweep_entry *entry = current(sweep);
    struct clopt_contender *contender = entry->contender;
    enum clopt_status status = clopt_message_get_error(answer, error);
    const json_t *rows = json_object_get(answer, "times_ns");
    double *row = calloc(contender->columns, sizeof *row);
    if (!row)
        return clopt_fail_memory(error);
    for (size_t r = 0; r < json_array_size(rows) && !status; r++) {
        const json_t *cells = json_array_get(rows, r);
        for (size_t column = 0; column < contender->columns; column++)
            row[column] = json_number_value(json_array_get(cells, column));
        status = clopt_contender_add(contender, (uint32_t)sweep->process, row, 1, error);
        double seconds = row[contender->columns - 1] * 1e-9;
        entry->seconds += seconds;
        contender->sampled_s += seconds;
        entry->count++;
    }
    free(row);
    return status;
}

/* After enough samples for a judgement, drops a contender that cannot win. */
static void judge(struct clopt_sweep *sweep)
{
    struct clopt_sweep_entry *entry = current(sweep);
    struct clopt_contender *contender = entry->contender;
    const struct clopt_measure *measure = sweep->context->measure;
    if (entry->count >= measure->min_samples &&
        clopt_contender_is_hopeless(contender, measure->abandon, sweep->group->best_ns)) {
        contender->row.abandoned = true;
        contender->decided = true;
        leave(sweep, entry);
    } else if (has_enough(sweep, entry)) {
        leave(sweep, entry);
    }
}

/* Writes what a worker says of the work that the kernels do. */
static void keep_work(struct clopt_sweep *sweep, const json_t *answer)
{
    const char *kernel;
    json_t *work;
    json_object_foreach(json_object_get(answer, "work"), kernel, work)
    {
        struct clopt_error error = {0};
        const char *arithmetic = json_string_value(json_array_get(work, 0));
        struct clopt_store_work row = {
            .arithmetic = clopt_arithmetic_find(arithmetic ? arithmetic : ""),
            .operations = json_number_value(json_array_get(work, 1)),
            .bytes = json_number_value(json_array_get(work, 2)),
        };
        if (clopt_store_put_work(sweep->context->store, sweep->group->problem_row, kernel, &row,
                                 &error))
            *sweep->context->error = error;
    }
}

/* Deals with an answer that is a failure: the contender is out, and the worker, where it may have
 * suffered; the others go on in another one. */
static json_t *go_on_without(struct clopt_sweep *sweep, const struct clopt_error *cause)
{
    fail(sweep, cause, clopt_task_stage(&sweep->task, stage_of(sweep->step)), 0);
    if (clopt_failure_spoils(cause->status))
        return end(sweep);
    if (sweep->sampling)
        return next_turn(sweep);
    return sweep->step == VERIFIED ? verify_from(sweep, sweep->place + 1)
                                   : build_from(sweep, sweep->place + 1);
}

static json_t *next(struct clopt_task *task, const json_t *answer)
{
    struct clopt_sweep *sweep = (struct clopt_sweep *)task;
    struct clopt_error cause = {0};
    if (sweep->step == MAKE)
        return build_from(sweep, 0);
    if (sweep->step == WAIT)
        return verify_from(sweep, 0);
    struct clopt_sweep_entry *entry = current(sweep);
    switch (sweep->step) {
    case MADE:
        if (clopt_take_make(entry->contender, answer, &cause))
            return go_on_without(sweep, &cause);
        sweep->step = BUILT;
        return clopt_request_simple("build", (unsigned)sweep->place);
    case BUILT:
        if (clopt_take_build(entry->contender, answer, &cause))
            return go_on_without(sweep, &cause);
        entry->built = true;
        return build_from(sweep, sweep->place + 1);
    case VERIFIED:
        if (clopt_take_verify(entry->contender, answer, &cause))
            return go_on_without(sweep, &cause);
        if (entry->contender->is_initial)
            keep_work(sweep, answer);
        entry->ready = true;
        return verify_from(sweep, sweep->place + 1);
    default:
        if (take_samples(sweep, answer, &cause))
            return go_on_without(sweep, &cause);
        judge(sweep);
        return next_turn(sweep);
    }
}

static void died(struct clopt_task *task, const struct clopt_error *error, enum clopt_stage stage,
                 int signal_number)
{
    struct clopt_sweep *sweep = (struct clopt_sweep *)task;
    if (!clopt_contender_excuses_death(current(sweep)->contender, stage, error, signal_number))
        fail(sweep, error, stage, signal_number);
    sweep->active = false;
}

bool clopt_sweep_is_needed(const struct clopt_batch *batch)
{
    const struct clopt_contender *references[] = {&batch->group->initial, &batch->group->again};
    for (size_t i = 0; i < 2; i++)
        if (!batch->final && !references[i]->decided && !is_out(references[i], false))
            return true;
    for (size_t i = 0; i < batch->count; i++)
        if (!is_out(&batch->items[i], batch->final))
            return true;
    return false;
}

/* Lets a contender take part, if it is not out of it. */
static void admit(struct clopt_sweep *sweep, struct clopt_contender *contender)
{
    if (!is_out(contender, sweep->final))
        sweep->entries[sweep->count++] = (struct clopt_sweep_entry){.contender = contender};
}

enum clopt_status clopt_sweep_init(struct clopt_sweep *sweep,
                                   const struct clopt_task_context *context,
                                   const struct clopt_batch *batch, uint64_t seed,
                                   struct clopt_error *error)
{
    *sweep = (struct clopt_sweep){.task = {.next = next, .died = died, .fresh = true},
                                  .context = context,
                                  .group = batch->group,
                                  .items = batch->items,
                                  .final = batch->final};
    enum clopt_status status = clopt_store_next_process(context->store, &sweep->process, error);
    if (status)
        return status;
    sweep->random = clopt_random_seed(seed, (uint64_t)sweep->process);
    sweep->entries = calloc(batch->count + 2, sizeof *sweep->entries);
    sweep->order = calloc(batch->count + 2, sizeof *sweep->order);
    if (!sweep->entries || !sweep->order) {
        clopt_sweep_fini(sweep);
        return clopt_fail_memory(error);
    }
    admit(sweep, &batch->group->initial);
    admit(sweep, &batch->group->again);
    for (size_t i = 0; i < batch->count; i++)
        admit(sweep, &batch->items[i]);
    sweep->active = true;
    return CLOPT_OK;
}

void clopt_sweep_fini(struct clopt_sweep *sweep)
{
    /* Samples of contenders that were still under way when the process ended count, too. */
    for (size_t i = 0; i < sweep->count; i++)
        if (!sweep->entries[i].over)
            leave(sweep, &sweep->entries[i]);
    free(sweep->entries);
    free(sweep->order);
    *sweep = (struct clopt_sweep){0};
}
