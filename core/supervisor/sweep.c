/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes samples of many contenders in one process, interleaved. */
#include "supervisor/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "supervisor/job.h"
#include "supervisor/standing.h"

#define TURN_S               10e-3 /* a turn takes one sample, and more within this time */
#define LONGEST_TURN         16    /* samples */
#define FEWEST_FOR_PRECISION 10    /* fewer of each process say too little about all of them */

static bool is_reference(const struct clopt_contender *contender)
{
    return contender->is_initial || contender->is_again;
}

/* Whether a contender takes part: it has not failed, and needs more samples. */
static bool is_in(const struct clopt_contender *contender)
{
    return !clopt_contender_has_failed(contender) && !contender->is_alias &&
           (is_reference(contender)
                ? contender->phase != CLOPT_PHASE_CHECK && contender->phase != CLOPT_PHASE_BUILD
                : contender->phase == CLOPT_PHASE_MEASURE);
}

/* ---- samples ---- */

/* Hands the samples that the store has not got yet over to it. */
static void store_samples(const struct clopt_sweep *sweep, const struct clopt_sweep_entry *entry)
{
    struct clopt_contender *contender = entry->contender;
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
    if (samples.count)
        clopt_store_put_samples(sweep->group->run->store, &samples, &error);
    clopt_run_note(sweep->group->run, &error);
    contender->unstored = false;
}

/* Reads the samples of an answer into the current contender. */
static enum clopt_status take_samples(struct clopt_sweep *sweep, const json_t *answer,
                                      struct clopt_error *error)
{
    struct clopt_sweep_entry *entry = sweep->current;
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

/* How many samples a contender takes in one process at most. */
static size_t most_samples(const struct clopt_measure *measure)
{
    return (measure->max_samples + measure->processes - 1) / measure->processes;
}

/* Whether a contender needs no more samples from this process. */
static bool has_enough(const struct clopt_sweep *sweep, const struct clopt_sweep_entry *entry)
{
    const struct clopt_measure *measure = &sweep->group->run->study->measure;
    struct clopt_contender *contender = entry->contender;
    if (entry->count == 0)
        return false;
    if (entry->count >= most_samples(measure) ||
        entry->seconds > measure->max_time_s / (double)measure->processes)
        return true;
    if (is_reference(contender) && measure->winner_only)
        return entry->count >= measure->min_samples;
    if (!is_reference(contender) && !contender->places &&
        (clopt_standing_is_hopeless(sweep->group, contender) ||
         clopt_standing_is_settled(sweep->group, contender)))
        return true;
    return entry->count >= measure->min_samples && entry->count >= FEWEST_FOR_PRECISION &&
           clopt_contender_is_precise(contender, measure->precision, (uint32_t)sweep->process);
}

/* ---- who takes part ---- */

/* Ends a contender's part in this process. */
static void leave(struct clopt_sweep *sweep, struct clopt_sweep_entry *entry)
{
    struct clopt_contender *contender = entry->contender;
    if (entry->ready)
        store_samples(sweep, entry);
    contender->sweeps += entry->count > 0;
    contender->users--;
    sweep->changed = true;
    *entry = (struct clopt_sweep_entry){0};
}

/* Whether a contender is in the sweep, or was. */
static bool has_seen(const struct clopt_sweep *sweep, const struct clopt_contender *contender)
{
    for (size_t i = 0; i < CLOPT_SWEEP_MOST; i++)
        if (sweep->entries[i].contender == contender)
            return true;
    return contender->count && contender->process[contender->count - 1] == sweep->process;
}

/* Whether a contender can join the sweep now. */
static bool can_join(const struct clopt_sweep *sweep, const struct clopt_contender *contender)
{
    return is_in(contender) && !has_seen(sweep, contender) &&
           (sweep->open || sweep->loads || contender->is_initial);
}

/* Lets those in that want samples and have none of this process. */
static void admit(struct clopt_sweep *sweep)
{
    struct clopt_contender *contender;
    size_t place = 0;
    for (size_t i = 0; (contender = clopt_group_contender(sweep->group, i)); i++) {
        if (!can_join(sweep, contender))
            continue;
        while (place < CLOPT_SWEEP_MOST && sweep->entries[place].contender)
            place++;
        if (place == CLOPT_SWEEP_MOST)
            return;
        sweep->entries[place] =
            (struct clopt_sweep_entry){.contender = contender, .stored = contender->count};
        contender->users++;
        sweep->rounds = 0;
    }
}

bool clopt_sweep_can_admit(const struct clopt_sweep *sweep)
{
    struct clopt_contender *contender;
    for (size_t i = 0; (contender = clopt_group_contender(sweep->group, i)); i++)
        if (can_join(sweep, contender))
            return true;
    return false;
}

size_t clopt_sweep_candidates(struct clopt_group *group)
{
    size_t count = 0;
    const struct clopt_contender *contender;
    for (size_t i = 0; (contender = clopt_group_contender(group, i)); i++)
        count += contender->phase == CLOPT_PHASE_MEASURE && is_in(contender);
    return count;
}

/* Whether the current contender fails with this, or may be tried once more. */
static void fail(struct clopt_sweep *sweep, const struct clopt_loss *loss)
{
    struct clopt_contender *contender = sweep->current->contender;
    /* While this process built, others may have taken all the samples that are needed. */
    bool fails = is_in(contender);
    leave(sweep, sweep->current);
    if (fails)
        clopt_contender_fail(contender, sweep->group->run, loss);
}

/* ---- requests ---- */

static json_t *end(struct clopt_sweep *sweep)
{
    sweep->current = NULL;
    sweep->over = true;
    return NULL;
}

/* Takes an entry as far as the sweep may go now. */
static json_t *request_ready(struct clopt_sweep *sweep, struct clopt_sweep_entry *entry)
{
    const struct clopt_contender *contender = entry->contender;
    unsigned id = (unsigned)(entry - sweep->entries);
    enum clopt_stage until = sweep->open ? CLOPT_STAGE_VERIFY : CLOPT_STAGE_BUILD;
    sweep->current = entry;
    sweep->verifies = sweep->open;
    json_t *request =
        entry->loaded
            ? json_pack("{s:s,s:i,s:s,s:s}", "op", "trial", "id", (int)id, "from",
                        clopt_stage_name(CLOPT_STAGE_VERIFY), "until", clopt_stage_name(until))
            : clopt_request_make(id, &contender->trial, contender->variant, until);
    clopt_group_tell_known(sweep->group, contender, request);
    if (request && !sweep->open)
        json_object_set_new(request, "set_up", json_true());
    return request;
}

static json_t *request_samples(struct clopt_sweep *sweep, struct clopt_sweep_entry *entry)
{
    const struct clopt_measure *measure = &sweep->group->run->study->measure;
    double left_s = measure->max_time_s / (double)measure->processes - entry->seconds;
    size_t most = most_samples(measure);
    most = most > entry->count ? most - entry->count : 1;
    sweep->current = entry;
    return json_pack("{s:s,s:i,s:s,s:s,s:I,s:I}", "op", "trial", "id",
                     (int)(entry - sweep->entries), "from", clopt_stage_name(CLOPT_STAGE_SAMPLE),
                     "until", clopt_stage_name(CLOPT_STAGE_SAMPLE), "count",
                     (json_int_t)(most < LONGEST_TURN ? most : LONGEST_TURN), "max_ns",
                     (json_int_t)(fmax(fmin(left_s, TURN_S), 0) * 1e9));
}

/* Finds an entry that has to be made ready yet; those that are out of it leave. */
static struct clopt_sweep_entry *find_unready(struct clopt_sweep *sweep)
{
    for (size_t i = 0; i < CLOPT_SWEEP_MOST; i++) {
        struct clopt_sweep_entry *entry = &sweep->entries[i];
        if (entry->contender && !is_in(entry->contender))
            leave(sweep, entry);
        else if (entry->contender && !(sweep->open ? entry->ready : entry->loaded))
            return entry;
    }
    return NULL;
}

/* Mixes the order of a new round (Fisher and Yates); false where nobody is left. */
static bool new_round(struct clopt_sweep *sweep)
{
    sweep->left = sweep->place = 0;
    for (size_t i = 0; i < CLOPT_SWEEP_MOST; i++)
        if (sweep->entries[i].contender)
            sweep->order[sweep->left++] = i;
    for (size_t i = sweep->left; i > 1; i--) {
        size_t j = (size_t)clopt_random_below(&sweep->random, i);
        size_t swapped = sweep->order[i - 1];
        sweep->order[i - 1] = sweep->order[j];
        sweep->order[j] = swapped;
    }
    return sweep->left > 0;
}

/* After a round: who has enough? Judged all together, so that nobody goes because it was its turn
 * while the machine was busy. */
static void judge_round(struct clopt_sweep *sweep)
{
    clopt_standing_find_leaders(sweep->group);
    bool enough[CLOPT_SWEEP_MOST] = {false};
    for (size_t i = 0; i < CLOPT_SWEEP_MOST; i++)
        enough[i] = sweep->entries[i].contender && has_enough(sweep, &sweep->entries[i]);
    for (size_t i = 0; i < CLOPT_SWEEP_MOST; i++)
        if (enough[i])
            leave(sweep, &sweep->entries[i]);
    sweep->changed = true;
    sweep->rounds++;
}

/* Returns what comes next; NULL where the sweep has to wait, or ends. */
static json_t *choose(struct clopt_sweep *sweep)
{
    struct clopt_sweep_entry *entry;
    while (sweep->open && sweep->place < sweep->left) {
        entry = &sweep->entries[sweep->order[sweep->place++]];
        if (entry->contender && is_in(entry->contender))
            return request_samples(sweep, entry);
    }
    if (sweep->open)
        judge_round(sweep);
    if (sweep->stops)
        return end(sweep);
    admit(sweep);
    entry = find_unready(sweep);
    if (entry)
        return request_ready(sweep, entry);
    sweep->current = NULL;
    if (sweep->open && new_round(sweep))
        return choose(sweep);
    if (sweep->open && !sweep->expects)
        return end(sweep);
    sweep->task.waiting = true;
    return NULL;
}

/* Writes what a worker says of the work that the kernels do. */
static void keep_work(const struct clopt_sweep *sweep, const json_t *answer)
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
        clopt_store_put_work(sweep->group->run->store, sweep->group->problem_row, kernel, &row,
                             &error);
        clopt_run_note(sweep->group->run, &error);
    }
}

/* Takes the answer to the request before. */
static enum clopt_status take(struct clopt_sweep *sweep, const json_t *answer,
                              struct clopt_error *error)
{
    struct clopt_sweep_entry *entry = sweep->current;
    if (entry->ready)
        return take_samples(sweep, answer, error);
    enum clopt_status status = clopt_group_take(sweep->group, entry->contender, answer, 0, error);
    if (status)
        return status;
    if (entry->contender->is_initial)
        keep_work(sweep, answer);
    entry->loaded = true;
    entry->ready = sweep->verifies;
    return CLOPT_OK;
}

static json_t *next(struct clopt_task *task, const json_t *answer)
{
    struct clopt_sweep *sweep = (struct clopt_sweep *)task;
    struct clopt_loss loss = {.stage = task->stage};
    if (answer && sweep->current && take(sweep, answer, &loss.error)) {
        /* The contender is out, and the worker, where it may have suffered. */
        fail(sweep, &loss);
        if (clopt_failure_spoils(loss.error.status))
            return end(sweep);
    }
    return choose(sweep);
}

static void lost(struct clopt_task *task, const json_t *parts, const struct clopt_loss *loss)
{
    struct clopt_sweep *sweep = (struct clopt_sweep *)task;
    struct clopt_error none;
    sweep->over = true;
    if (!sweep->current)
        return;
    struct clopt_contender *contender = sweep->current->contender;
    if (!sweep->current->ready)
        clopt_contender_take(contender, parts, 0, &none);
    if (!clopt_contender_excuses(contender, loss))
        fail(sweep, loss);
    sweep->current = NULL;
}

enum clopt_status clopt_sweep_init(struct clopt_sweep *sweep, struct clopt_group *group,
                                   struct clopt_error *error)
{
    *sweep = (struct clopt_sweep){.task = {.next = next, .lost = lost, .fresh = true}};
    enum clopt_status status = clopt_store_next_process(group->run->store, &sweep->process, error);
    if (status)
        return status;
    sweep->group = group;
    sweep->random = clopt_random_seed(group->run->study->seed, (uint64_t)sweep->process);
    return CLOPT_OK;
}

void clopt_sweep_open(struct clopt_sweep *sweep, const struct clopt_loop *loop)
{
    sweep->open = true;
    sweep->began = clopt_machine_time();
    sweep->used_s = clopt_loop_used_seconds(loop);
}

void clopt_sweep_put_load(const struct clopt_sweep *sweep, const struct clopt_loop *loop)
{
    struct clopt_machine_time now = clopt_machine_time();
    struct clopt_error error = {0};
    double all_s = now.all_s - sweep->began.all_s;
    double used_s = now.used_s - sweep->began.used_s;
    double own_s = clopt_loop_used_seconds(loop) - sweep->used_s;
    if (!sweep->open || !(all_s > 0))
        return;
    clopt_store_put_load(sweep->group->run->store, sweep->process, fmax(used_s - own_s, 0) / all_s,
                         &error);
    clopt_run_note(sweep->group->run, &error);
}

void clopt_sweep_fini(struct clopt_sweep *sweep)
{
    /* Samples of contenders that were still under way when the process ended count, too. */
    for (size_t i = 0; sweep->group && i < CLOPT_SWEEP_MOST; i++)
        if (sweep->entries[i].contender)
            leave(sweep, &sweep->entries[i]);
    *sweep = (struct clopt_sweep){0};
}
