/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes samples of many contenders in one process, interleaved. */
#include <math.h>

#include "contest/standing.h"
#include "supervisor/job.h"

#define REQUEST_S      10e-3 /* a request takes one sample, and more within this time */
#define MOST_A_REQUEST 16

/* Whether a contender takes part: it has not failed, and needs more samples. The initial code, and
 * the same once more, do so as long as there are sweeps; but in a search, which has many, the
 * second as others do. */
static bool is_in(const struct clopt_job *sweep, const struct clopt_contender *contender)
{
    bool always = contender->role == CLOPT_ROLE_INITIAL ||
                  (contender->role == CLOPT_ROLE_AGAIN && !sweep->contest->tuning);
    return always ? !clopt_contender_has_failed(contender) && !clopt_contender_is_unbuilt(contender)
                  : clopt_contender_wants_samples(contender);
}

static bool is_open(const struct clopt_job *sweep)
{
    return sweep->kind == CLOPT_JOB_SWEEP;
}

/* ---- samples ---- */

/* Hands the samples of this process over to the store. */
static void store_samples(const struct clopt_job *sweep, struct clopt_contender *contender)
{
    const struct clopt_contest *contest = sweep->contest;
    const char *names[65];
    const double *columns[65];
    size_t begin, count = clopt_contender_find(contender, (uint32_t)sweep->process, &begin);
    size_t first = contender->role == CLOPT_ROLE_RIVAL ? contest->kernel_count : 0;
    for (size_t c = first; c < contender->column_count; c++) {
        names[c] = c < contest->kernel_count ? contest->kernels[c].name : "";
        columns[c] = contender->columns[c].times_ns + begin;
    }
    const struct clopt_store_samples samples = {.trial = contender->row.id,
                                                .process = sweep->process,
                                                .kernels = names + first,
                                                .kernel_count = contender->column_count - first,
                                                .times_ns = columns + first,
                                                .count = count};
    clopt_store_put_samples(contest->run->store, &samples, contest->run->failure);
    contender->stored += count;
}

/* Reads the samples of an answer into the current contender. */
static enum clopt_status take_samples(struct clopt_job *sweep, const json_t *answer,
                                      struct clopt_error *error)
{
    struct clopt_contender *contender = sweep->current->contender;
    enum clopt_status status = clopt_message_get_error(answer, error);
    const json_t *rows = json_object_get(answer, "times_ns");
    for (size_t r = 0; r < json_array_size(rows) && !status; r++) {
        const json_t *cells = json_array_get(rows, r);
        double row[65];
        for (size_t c = 0; c < contender->column_count; c++)
            row[c] = json_number_value(json_array_get(cells, c));
        status = clopt_contender_add(contender, (uint32_t)sweep->process, row, error);
    }
    return status;
}

/* How many samples of a contender come from this process by now. */
static size_t count_samples(const struct clopt_job *sweep, const struct clopt_contender *contender)
{
    size_t first;
    return clopt_contender_find(contender, (uint32_t)sweep->process, &first);
}

/* ---- who takes part ---- */

/* Ends a contender's part in this process. */
static void leave(struct clopt_job *sweep, struct clopt_sweep_entry *entry)
{
    struct clopt_contender *contender = entry->contender;
    if (entry->ready && count_samples(sweep, contender)) {
        store_samples(sweep, contender);
        contender->sweeps++;
    }
    contender->users--;
    sweep->changed = true;
    *entry = (struct clopt_sweep_entry){0};
}

/* Finds a contender that can join the sweep now; NULL: there is none. */
static struct clopt_contender *find_joining(const struct clopt_job *sweep)
{
    const struct clopt_contest *contest = sweep->contest;
    bool all = is_open(sweep) || sweep->loads;
    for (size_t i = 0; i < contest->count; i++) {
        struct clopt_contender *contender = contest->contenders[i];
        bool seen = count_samples(sweep, contender) > 0;
        for (size_t e = 0; e < CLOPT_SWEEP_MOST; e++)
            seen |= sweep->entries[e].contender == contender;
        if (!seen && is_in(sweep, contender) &&
            clopt_contest_is_for(contest, contender, sweep->member) &&
            (all || contender->role == CLOPT_ROLE_INITIAL))
            return contender;
    }
    return NULL;
}

bool clopt_sweep_can_admit(const struct clopt_job *sweep)
{
    return find_joining(sweep);
}

/* Lets those in that want samples and have none of this process. */
static void admit(struct clopt_job *sweep)
{
    for (size_t i = 0; i < CLOPT_SWEEP_MOST; i++) {
        struct clopt_contender *contender;
        if (sweep->entries[i].contender)
            continue;
        if (!(contender = find_joining(sweep)))
            return;
        sweep->entries[i] = (struct clopt_sweep_entry){.contender = contender};
        contender->users++;
        contender->member = sweep->member + 1;
        sweep->rounds = 0;
    }
}

void clopt_sweep_release(struct clopt_job *sweep)
{
    for (size_t i = 0; i < CLOPT_SWEEP_MOST; i++)
        if (sweep->entries[i].contender && !is_in(sweep, sweep->entries[i].contender))
            leave(sweep, &sweep->entries[i]);
}

/* Whether a member of the device may be to blame: then the next one tries, once. */
static bool blames_member(const struct clopt_job *sweep, struct clopt_contender *contender,
                          const struct clopt_loss *loss)
{
    const struct clopt_contest *contest = sweep->contest;
    size_t next = (sweep->member + 1) % contest->members;
    if (contest->members == 1 || loss->error.status != CLOPT_DEVICE_LOST || contender->losses++ ||
        contest->lost[next])
        return false;
    contender->member = next + 1;
    return true;
}

/* The current contender fails with this, unless it may be tried once more. */
static void fail(struct clopt_job *sweep, const struct clopt_loss *loss)
{
    struct clopt_contender *contender = sweep->current->contender;
    /* While this process built, others may have taken all the samples that are needed. */
    bool fails = is_in(sweep, contender);
    leave(sweep, sweep->current);
    if (fails && !blames_member(sweep, contender, loss))
        clopt_contender_fail(contender, sweep->contest->run, loss);
}

/* ---- requests ---- */

/* Takes an entry as far as the sweep may go now. */
static json_t *request_ready(struct clopt_job *sweep, struct clopt_sweep_entry *entry)
{
    const struct clopt_contender *contender = entry->contender;
    unsigned id = (unsigned)(entry - sweep->entries);
    enum clopt_stage until = is_open(sweep) ? CLOPT_STAGE_VERIFY : CLOPT_STAGE_BUILD;
    sweep->current = entry;
    sweep->verifies = is_open(sweep);
    json_t *request = entry->loaded
                          ? clopt_message_request(id, CLOPT_STAGE_VERIFY, until)
                          : clopt_job_request(id, &contender->trial, contender->variant, until);
    clopt_job_tell_known(sweep->contest, contender, request);
    if (!is_open(sweep))
        json_object_set_new(request, "set_up", json_true());
    if (contender->role == CLOPT_ROLE_INITIAL)
        json_object_set_new(request, "work", json_true());
    return request;
}

static json_t *request_samples(struct clopt_job *sweep, struct clopt_sweep_entry *entry)
{
    const struct clopt_measure *measure = &sweep->contest->run->study->measure;
    const struct clopt_contender *contender = entry->contender;
    size_t most = clopt_standing_most_samples(measure), count = count_samples(sweep, contender);
    most = most > count ? most - count : 1;
    double left_s =
        clopt_standing_seconds_left(sweep->contest, contender, (uint32_t)sweep->process);
    double most_s = fmax(fmin(left_s, REQUEST_S), 0);
    sweep->current = entry;
    entry->due = false;
    json_t *request = clopt_message_request((unsigned)(entry - sweep->entries), CLOPT_STAGE_SAMPLE,
                                            CLOPT_STAGE_SAMPLE);
    json_object_set_new(request, "count",
                        json_integer((json_int_t)(most < MOST_A_REQUEST ? most : MOST_A_REQUEST)));
    json_object_set_new(request, "max_ns", json_integer((json_int_t)(most_s * 1e9)));
    json_object_set_new(request, "objective",
                        json_string(clopt_objective_words(measure->objective)->name));
    return request;
}

/* Finds an entry that has to be made ready yet. */
static struct clopt_sweep_entry *find_unready(struct clopt_job *sweep)
{
    clopt_sweep_release(sweep);
    for (size_t i = 0; i < CLOPT_SWEEP_MOST; i++) {
        struct clopt_sweep_entry *entry = &sweep->entries[i];
        if (entry->contender && !(is_open(sweep) ? entry->ready : entry->loaded))
            return entry;
    }
    return NULL;
}

static bool is_due(const struct clopt_job *sweep, const struct clopt_sweep_entry *entry)
{
    return entry->due && is_in(sweep, entry->contender);
}

/* Chooses one of those that are left of the round, at random; NULL: none. */
static struct clopt_sweep_entry *draw(struct clopt_job *sweep)
{
    size_t left = 0, i = 0;
    for (size_t e = 0; e < CLOPT_SWEEP_MOST; e++)
        left += is_due(sweep, &sweep->entries[e]);
    if (!left)
        return NULL;
    size_t before = (size_t)clopt_random_below(&sweep->random, left);
    while (!is_due(sweep, &sweep->entries[i]) || before--)
        i++;
    return &sweep->entries[i];
}

/* After a round, finds those that have enough: all together, so that none of them leaves because it
 * was sampled while the machine was busy. */
static void judge_round(struct clopt_job *sweep)
{
    clopt_standing_find_leaders(sweep->contest);
    bool enough[CLOPT_SWEEP_MOST] = {false};
    for (size_t i = 0; i < CLOPT_SWEEP_MOST; i++)
        enough[i] = sweep->entries[i].contender &&
                    clopt_standing_has_enough(sweep->contest, sweep->entries[i].contender,
                                              (uint32_t)sweep->process);
    for (size_t i = 0; i < CLOPT_SWEEP_MOST; i++)
        if (enough[i])
            leave(sweep, &sweep->entries[i]);
    sweep->changed = true;
    sweep->in_round = false;
    sweep->rounds++;
}

/* Returns what comes next; NULL where the sweep has to wait, or ends. */
static json_t *choose(struct clopt_job *sweep)
{
    sweep->task.waiting = sweep->held && is_open(sweep);
    if (sweep->task.waiting) {
        sweep->current = NULL;
        return NULL;
    }
    struct clopt_sweep_entry *entry = draw(sweep);
    if (entry)
        return request_samples(sweep, entry);
    if (sweep->in_round)
        judge_round(sweep);
    sweep->current = NULL;
    if (sweep->stops)
        return NULL;
    admit(sweep);
    entry = find_unready(sweep);
    if (entry)
        return request_ready(sweep, entry);
    for (size_t i = 0; i < CLOPT_SWEEP_MOST && is_open(sweep); i++) { /* the next round */
        sweep->entries[i].due = sweep->entries[i].contender;
        sweep->in_round |= sweep->entries[i].due;
    }
    if (sweep->in_round)
        return choose(sweep);
    sweep->task.waiting = !is_open(sweep) || sweep->expects;
    return NULL;
}

/* Writes what a worker says of the work that the kernels do. */
static void put_work(const struct clopt_contest *contest, const json_t *answer)
{
    const char *kernel;
    json_t *work;
    json_object_foreach(json_object_get(answer, "work"), kernel, work)
    {
        const char *arithmetic = json_string_value(json_array_get(work, 0));
        const struct clopt_store_work row = {
            .arithmetic = clopt_arithmetic_find(arithmetic ? arithmetic : ""),
            .operations = json_number_value(json_array_get(work, 1)),
            .bytes = json_number_value(json_array_get(work, 2)),
        };
        clopt_store_put_work(contest->run->store, contest->problem_row, kernel, &row,
                             contest->run->failure);
    }
}

/* Takes the answer to the request before. */
static enum clopt_status take(struct clopt_job *sweep, const json_t *answer,
                              struct clopt_error *error)
{
    struct clopt_sweep_entry *entry = sweep->current;
    if (entry->ready)
        return take_samples(sweep, answer, error);
    enum clopt_status status =
        clopt_contest_take(sweep->contest, entry->contender, answer, 0, error);
    if (status)
        return status;
    put_work(sweep->contest, answer);
    entry->loaded = true;
    entry->ready = sweep->verifies;
    return CLOPT_OK;
}

static json_t *next(struct clopt_task *task, const json_t *answer)
{
    struct clopt_job *sweep = (struct clopt_job *)task;
    struct clopt_loss loss = {.stage = task->seat->process.stage};
    if (answer && sweep->current && take(sweep, answer, &loss.error)) {
        /* The contender is out, and the worker, where it may have suffered. */
        fail(sweep, &loss);
        sweep->current = NULL;
        if (clopt_failure_spoils(task->seat, answer, loss.error.status))
            return NULL;
    }
    return choose(sweep);
}

static void lost(struct clopt_task *task, const json_t *parts, const struct clopt_loss *loss)
{
    struct clopt_job *sweep = (struct clopt_job *)task;
    struct clopt_error none;
    if (!sweep->current)
        return;
    struct clopt_contender *contender = sweep->current->contender;
    if (!sweep->current->ready)
        clopt_contender_take(contender, parts, 0, &none);
    if (!clopt_contender_excuses(contender, loss))
        fail(sweep, loss);
    sweep->current = NULL;
}

bool clopt_sweep_init(struct clopt_job *sweep)
{
    const struct clopt_contest *contest = sweep->contest;
    const struct clopt_run *run = contest->run;
    sweep->task =
        (struct clopt_task){.next = next, .lost = lost, .untimed = !contest->on_cpu, .fresh = true};
    if (!clopt_store_next_process(run->store, &sweep->process, run->failure) &&
        contest->members > 1)
        clopt_store_put_member(run->store, sweep->process, sweep->member, run->failure);
    sweep->random = clopt_random_seed(run->study->seed, (uint64_t)sweep->process);
    return !run->failure->status;
}

void clopt_sweep_open(struct clopt_job *sweep)
{
    sweep->kind = CLOPT_JOB_SWEEP;
    sweep->began = clopt_pool_load(sweep->contest->run->pool);
}

void clopt_sweep_end(struct clopt_job *sweep)
{
    const struct clopt_run *run = sweep->contest->run;
    const struct clopt_load now = clopt_pool_load(run->pool);
    double all_s = now.machine.all_s - sweep->began.machine.all_s;
    if (is_open(sweep) && all_s > 0)
        clopt_store_put_load(run->store, sweep->process,
                             clopt_load_of_others(&sweep->began, &now) / all_s, run->failure);
    /* Samples of contenders that were still under way when the process ended count, too. */
    for (size_t i = 0; i < CLOPT_SWEEP_MOST; i++)
        if (sweep->entries[i].contender)
            leave(sweep, &sweep->entries[i]);
}
