/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes samples of many candidates in one process, interleaved. */
#include <math.h>

#include "opencl/clock.h"
#include "race/ranking.h"
#include "store/cursor.h"
#include "supervisor/job.h"
#include "supervisor/planning.h"

#define REQUEST_S      10e-3 /* a request takes one sample, and more within this time */
#define MOST_A_REQUEST 16
#define MOST_WAITED    0.99 /* of a sample, whatever the worker says */

/* How many samples of a candidate come from this process by now. */
static size_t count_samples(const struct clopt_job *measurement,
                            const struct clopt_candidate *candidate)
{
    size_t first;
    return clopt_samples_find(&candidate->samples, (uint32_t)measurement->process, &first);
}

/* Whether a candidate takes part in the measurement, or has. */
static bool has_seen(const struct clopt_job *measurement, const struct clopt_candidate *candidate)
{
    bool seen = count_samples(measurement, candidate) > 0;
    for (size_t e = 0; e < CLOPT_MEASUREMENT_MOST; e++)
        seen |= measurement->entries[e].candidate == candidate;
    return seen;
}

/* Whether a candidate takes part: it has not failed, and needs more samples. The one that all are
 * measured beside, the initial code and the same once more do so as long as there are measurements;
 * but where the best alone is asked for, or searched, the last as others do, and the second where
 * it is needed. */
static bool is_in(const struct clopt_job *measurement, const struct clopt_candidate *candidate)
{
    const struct clopt_race *race = measurement->race;
    bool table = !race->tuning && !race->run->study->measure.winner_only;
    bool always =
        candidate->role == CLOPT_ROLE_INITIAL
            ? clopt_ranking_needs_initial(race, race->in_finals[measurement->member]) ||
                  has_seen(measurement, candidate)
            : candidate == race->reference || (candidate->role == CLOPT_ROLE_AGAIN && table);
    return always ? !clopt_candidate_has_failed(candidate) && !clopt_candidate_is_unbuilt(candidate)
                  : clopt_candidate_wants_samples(candidate);
}

/* The host that has it; NULL: this one. */
static const struct clopt_host *host_of(const struct clopt_job *measurement)
{
    return measurement->race->run->devices[measurement->device].host;
}

/* ---- samples ---- */

#define LEAST_WAITED 0.01 /* of a sample, that is kept */

/* Keeps for how much of its samples of this process a candidate's threads waited. */
static void store_waited(const struct clopt_job *measurement,
                         const struct clopt_candidate *candidate)
{
    const struct clopt_samples *known = &candidate->samples;
    const struct clopt_run *run = measurement->race->run;
    size_t whole = known->column_count - 1;
    uint32_t process = (uint32_t)measurement->process;
    double all = clopt_samples_interval(known, whole, process, true).median;
    double ran =
        clopt_samples_interval(known, clopt_samples_ran(known, whole), process, true).median;
    if (1 - ran / all > LEAST_WAITED)
        clopt_store_put(run->store, CLOPT_SQL_PUT_WAITED, run->failure, "iid", candidate->row.id,
                        measurement->process, 1 - ran / all);
}

/* Hands the samples of this process over to the store. */
static void store_samples(const struct clopt_job *measurement, struct clopt_candidate *candidate)
{
    const struct clopt_race *race = measurement->race;
    struct clopt_samples *known = &candidate->samples;
    const char *names[65];
    const double *columns[65];
    size_t begin, count = clopt_samples_find(known, (uint32_t)measurement->process, &begin);
    size_t first = candidate->role == CLOPT_ROLE_RIVAL ? race->kernel_count : 0;
    for (size_t c = first; c < known->column_count; c++) {
        names[c] = c < race->kernel_count ? race->kernels[c].name : "";
        columns[c] = known->columns[c].times_ns + begin;
    }
    const struct clopt_store_samples samples = {.trial = candidate->row.id,
                                                .process = measurement->process,
                                                .kernels = names + first,
                                                .kernel_count = known->column_count - first,
                                                .times_ns = columns + first,
                                                .count = count};
    clopt_store_put_samples(race->run->store, &samples, race->run->failure);
    store_waited(measurement, candidate);
    known->stored += count;
}

/* Reads the samples of an answer into the current candidate. */
static enum clopt_status take_samples(struct clopt_job *measurement, const json_t *answer,
                                      struct clopt_error *error)
{
    struct clopt_candidate *candidate = measurement->current->candidate;
    const json_t *rows = json_object_get(answer, "times_ns");
    measurement->race->run->pool->preempted_s +=
        1e-9 * json_number_value(json_object_get(answer, "waited_ns"));
    CLOPT_TRY(clopt_message_get_error(answer, error));
    for (size_t r = 0; r < json_array_size(rows); r++) {
        const json_t *cells = json_array_get(rows, r);
        size_t columns = candidate->samples.column_count;
        double row[65], waited = json_number_value(json_array_get(cells, columns));
        for (size_t c = 0; c < columns; c++)
            row[c] = json_number_value(json_array_get(cells, c));
        clopt_samples_add(&candidate->samples, (uint32_t)measurement->process, row,
                          fmin(fmax(waited, 0), MOST_WAITED));
    }
    return CLOPT_OK;
}

/* ---- who takes part ---- */

/* Ends a candidate's part in this process. */
static void leave(struct clopt_job *measurement, struct clopt_measurement_entry *entry)
{
    struct clopt_candidate *candidate = entry->candidate;
    if (entry->ready && count_samples(measurement, candidate)) {
        /* Samples without the verdict would be taken for unverified. */
        if (!candidate->samples.stored)
            clopt_candidate_put(candidate, measurement->race->run);
        store_samples(measurement, candidate);
        candidate->samples.measurements++;
    }
    candidate->users--;
    measurement->changed = true;
    *entry = (struct clopt_measurement_entry){0};
}

struct clopt_candidate *clopt_measurement_joining(const struct clopt_job *measurement)
{
    const struct clopt_race *race = measurement->race;
    bool all = !measurement->standby || measurement->told.loads;
    for (size_t i = 0; i <= race->count; i++) {
        struct clopt_candidate *candidate =
            i ? race->candidates[i - 1] : clopt_race_reference(race);
        if ((all || candidate == clopt_race_reference(race)) && is_in(measurement, candidate) &&
            clopt_race_is_for(race, candidate, measurement->member) &&
            !has_seen(measurement, candidate))
            return candidate;
    }
    return NULL;
}

/* Lets those in that want samples and have none of this process. */
static void admit(struct clopt_job *measurement)
{
    for (size_t i = 0; i < CLOPT_MEASUREMENT_MOST; i++) {
        struct clopt_candidate *candidate;
        if (measurement->entries[i].candidate)
            continue;
        if (!(candidate = clopt_measurement_joining(measurement)))
            return;
        measurement->entries[i] = (struct clopt_measurement_entry){.candidate = candidate};
        candidate->users++;
        clopt_race_assign(measurement->race, candidate, measurement->member);
        measurement->rounds.ended = 0;
    }
}

void clopt_measurement_release(struct clopt_job *measurement)
{
    for (size_t i = 0; i < CLOPT_MEASUREMENT_MOST; i++)
        if (measurement->entries[i].candidate &&
            !is_in(measurement, measurement->entries[i].candidate))
            leave(measurement, &measurement->entries[i]);
}

/* Whether a member of the device may be to blame: then the next one tries, once. */
static bool blames_member(const struct clopt_job *measurement, struct clopt_candidate *candidate,
                          const struct clopt_loss *loss)
{
    const struct clopt_race *race = measurement->race;
    size_t next = (measurement->member + 1) % race->members;
    if (race->members == 1 || loss->error.status != CLOPT_DEVICE_LOST ||
        candidate->losses.early++ || race->lost[next])
        return false;
    candidate->member = next + 1;
    return true;
}

/* The current candidate fails with this, of which an answer (NULL: none) tells, unless it may be
 * tried once more. */
static void fail(struct clopt_job *measurement, const json_t *answer, const struct clopt_loss *loss)
{
    struct clopt_candidate *candidate = measurement->current->candidate;
    /* While this process built, others may have taken all the samples that are needed. */
    bool fails = is_in(measurement, candidate), first = !measurement->current->ready;
    leave(measurement, measurement->current);
    if (!fails || blames_member(measurement, candidate, loss))
        return;
    if (first && !candidate->samples.count &&
        clopt_job_doubts(measurement, candidate, CLOPT_PHASE_BUILD, answer, &loss->error))
        candidate->phase = CLOPT_PHASE_BUILD;
    else
        clopt_job_blame(measurement->race, candidate, loss);
}

/* ---- requests ---- */

/* Takes an entry as far as the measurement may go now. */
static json_t *request_ready(struct clopt_job *measurement, struct clopt_measurement_entry *entry)
{
    const struct clopt_candidate *candidate = entry->candidate;
    unsigned id = (unsigned)(entry - measurement->entries);
    enum clopt_stage until = measurement->standby ? CLOPT_STAGE_BUILD : CLOPT_STAGE_VERIFY;
    measurement->current = entry;
    json_t *request = entry->loaded
                          ? clopt_message_request(id, CLOPT_STAGE_VERIFY, until)
                          : clopt_job_request(id, &candidate->trial, candidate->variant, until);
    clopt_job_tell_known(measurement->race, candidate, request);
    if (measurement->standby)
        json_object_set_new(request, "set_up", json_true());
    if (candidate->role == CLOPT_ROLE_INITIAL)
        json_object_set_new(request, "work", json_true());
    return request;
}

static json_t *request_samples(struct clopt_job *measurement, struct clopt_measurement_entry *entry)
{
    const struct clopt_measure *measure = &measurement->race->run->study->measure;
    const struct clopt_candidate *candidate = entry->candidate;
    size_t most = clopt_ranking_most_samples(measure),
           count = count_samples(measurement, candidate);
    most = most > count ? most - count : 1;
    double left_s =
        clopt_ranking_seconds_left(measurement->race, candidate, (uint32_t)measurement->process);
    double most_s = fmax(fmin(left_s, REQUEST_S), 0);
    measurement->current = entry;
    entry->due = false;
    json_t *request = clopt_message_request((unsigned)(entry - measurement->entries),
                                            CLOPT_STAGE_SAMPLE, CLOPT_STAGE_SAMPLE);
    json_object_set_new(request, "count",
                        json_integer((json_int_t)(most < MOST_A_REQUEST ? most : MOST_A_REQUEST)));
    json_object_set_new(request, "max_ns", json_integer((json_int_t)(most_s * 1e9)));
    json_object_set_new(request, "objective",
                        json_string(clopt_objective_words(measure->objective)->name));
    if (!measurement->race->run->study->rival_count && /* which others disturb, too */
        clopt_ranking_needs_quiet(measurement->race, candidate))
        json_object_set_new(request, "seek_quiet", json_true());
    if (measure->winner_only && !candidate->role && measurement->race->kernel_count == 1)
        json_object_set_new(request, "winner_only", json_true());
    if (candidate->role == CLOPT_ROLE_AGAIN || (candidate->role && candidate->samples.measurements))
        json_object_set_new(request, "reproducible", json_true());
    return request;
}

/* Finds an entry that has to be made ready yet. */
static struct clopt_measurement_entry *find_unready(struct clopt_job *measurement)
{
    clopt_measurement_release(measurement);
    for (size_t i = 0; i < CLOPT_MEASUREMENT_MOST; i++) {
        struct clopt_measurement_entry *entry = &measurement->entries[i];
        if (entry->candidate && !(measurement->standby ? entry->loaded : entry->ready))
            return entry;
    }
    return NULL;
}

static bool is_due(const struct clopt_job *measurement, const struct clopt_measurement_entry *entry)
{
    return entry->due && is_in(measurement, entry->candidate);
}

/* Chooses one of those that are left of the round, at random; NULL: none. */
static struct clopt_measurement_entry *draw(struct clopt_job *measurement)
{
    size_t left = 0, i = 0;
    for (size_t e = 0; e < CLOPT_MEASUREMENT_MOST; e++)
        left += is_due(measurement, &measurement->entries[e]);
    if (!left)
        return NULL;
    size_t before = (size_t)clopt_random_below(&measurement->random, left);
    while (!is_due(measurement, &measurement->entries[i]) || before--)
        i++;
    return &measurement->entries[i];
}

/* After a round, finds those that have enough: all together, so that none of them leaves because it
 * was sampled while the machine was busy. */
static void judge_round(struct clopt_job *measurement)
{
    if (!measurement->race->led) /* once a step is enough, however many measurements there are */
        clopt_ranking_find_leaders(measurement->race);
    measurement->race->led = true;
    bool enough[CLOPT_MEASUREMENT_MOST] = {false};
    for (size_t i = 0; i < CLOPT_MEASUREMENT_MOST; i++)
        enough[i] = measurement->entries[i].candidate &&
                    clopt_ranking_has_enough(measurement->race, measurement->entries[i].candidate,
                                             (uint32_t)measurement->process);
    for (size_t i = 0; i < CLOPT_MEASUREMENT_MOST; i++)
        if (enough[i])
            leave(measurement, &measurement->entries[i]);
    measurement->changed = true;
    measurement->rounds.under_way = false;
    measurement->rounds.any = true;
    measurement->rounds.ended++;
}

/* Returns what comes next; NULL where the measurement has to wait, or ends. */
static json_t *choose(struct clopt_job *measurement)
{
    measurement->task.waiting = measurement->told.held && !measurement->standby;
    if (measurement->task.waiting) {
        measurement->current = NULL;
        return NULL;
    }
    struct clopt_measurement_entry *entry = draw(measurement);
    if (entry)
        return request_samples(measurement, entry);
    if (measurement->rounds.under_way)
        judge_round(measurement);
    measurement->current = NULL;
    if (measurement->told.stops && measurement->rounds.any) /* else what is ready has one yet */
        return NULL;
    if (!measurement->told.stops)
        admit(measurement);
    entry = measurement->told.stops ? NULL : find_unready(measurement);
    if (entry)
        return request_ready(measurement, entry);
    for (size_t i = 0; i < CLOPT_MEASUREMENT_MOST && !measurement->standby;
         i++) { /* the next round */
        measurement->entries[i].due = measurement->entries[i].ready;
        measurement->rounds.under_way |= measurement->entries[i].due;
    }
    if (measurement->rounds.under_way)
        return choose(measurement);
    measurement->task.waiting = measurement->standby || measurement->told.expects;
    return NULL;
}

/* Writes what a worker says of the work that the kernels do. */
static void put_work(const struct clopt_race *race, const json_t *answer)
{
    const char *kernel;
    json_t *work;
    json_object_foreach(json_object_get(answer, "work"), kernel, work)
    {
        const char *arithmetic = json_string_value(json_array_get(work, 0));
        const char *known =
            clopt_arithmetic_name(clopt_arithmetic_find(arithmetic ? arithmetic : ""));
        clopt_store_put(race->run->store, CLOPT_SQL_PUT_WORK, race->run->failure, "issdd",
                        race->problem_row, kernel, known ? known : "",
                        json_number_value(json_array_get(work, 1)),
                        json_number_value(json_array_get(work, 2)));
    }
}

/* Stores the clock of a process, and says once where it is not that of events. */
static void put_clock(const struct clopt_job *measurement, const json_t *json)
{
    const struct clopt_run *run = measurement->race->run;
    struct clopt_pool_device *device = &run->devices[measurement->device];
    const struct clopt_clock clock = clopt_clock_from_json(json);
    CLOPT_OWNED(clopt_text) words = {0};
    if (!clock.source)
        return;
    clopt_store_put(run->store, CLOPT_SQL_PUT_CLOCK, run->failure, "iisddds", measurement->process,
                    run->device_rows[measurement->race->where.device],
                    clopt_clock_name(clock.source), clock.resolution_ns, clock.overhead_ns,
                    clock.agreement, clock.reason);
    if (clock.source == CLOPT_CLOCK_EVENTS || device->clock_told)
        return;
    device->clock_told = true;
    clopt_clock_say(&words, &clock);
    clopt_text_print(run->notices, "clopt: note: [device %s]: its clock is %s\n",
                     run->study->devices[measurement->race->where.device].label,
                     clopt_text_string(&words));
}

/* Takes the answer to the request before. */
static enum clopt_status take(struct clopt_job *measurement, const json_t *answer,
                              struct clopt_error *error)
{
    struct clopt_measurement_entry *entry = measurement->current;
    clopt_plan_cost(measurement->race, entry->candidate, json_object_get(answer, "seconds"));
    if (entry->ready)
        return take_samples(measurement, answer, error);
    CLOPT_TRY(clopt_race_take(measurement->race, entry->candidate, answer, 0, error));
    put_work(measurement->race, answer);
    entry->loaded = true;
    entry->ready = json_object_get(answer, "verified");
    if (!entry->ready)
        return CLOPT_OK;
    clopt_plan_candidate(measurement->race, entry->candidate);
    clopt_ranking_take_launch(measurement->race, entry->candidate, answer, 0);
    return CLOPT_OK;
}

static json_t *next(struct clopt_task *task, const json_t *answer)
{
    struct clopt_job *measurement = (struct clopt_job *)task;
    struct clopt_loss loss = {.stage = task->seat->process.stage};
    put_clock(measurement, json_object_get(answer, "clock"));
    if (answer && measurement->current && take(measurement, answer, &loss.error)) {
        /* The candidate is out, and the worker, where it may have suffered. */
        fail(measurement, answer, &loss);
        measurement->current = NULL;
        if (clopt_failure_spoils(task->seat, answer, loss.error.status))
            return NULL;
    }
    return choose(measurement);
}

static void lost(struct clopt_task *task, const json_t *parts, const struct clopt_loss *loss)
{
    struct clopt_job *measurement = (struct clopt_job *)task;
    struct clopt_error none;
    if (!measurement->current)
        return;
    struct clopt_candidate *candidate = measurement->current->candidate;
    if (!measurement->current->ready)
        clopt_candidate_take(candidate, parts, 0, &none);
    if (!clopt_candidate_excuses(candidate, loss))
        fail(measurement, NULL, loss);
    measurement->current = NULL;
}

bool clopt_measurement_init(struct clopt_job *measurement)
{
    const struct clopt_race *race = measurement->race;
    const struct clopt_run *run = race->run;
    const struct clopt_host *host = host_of(measurement);
    measurement->task =
        (struct clopt_task){.next = next, .lost = lost, .untimed = !race->on_cpu, .fresh = true};
    if (!clopt_store_next_process(run->store, host ? host->name : NULL, &measurement->process,
                                  run->failure) &&
        race->members > 1)
        clopt_store_put(run->store, CLOPT_SQL_PUT_MEMBER, run->failure, "ii", measurement->process,
                        (int64_t)measurement->member);
    measurement->random = clopt_random_seed(run->study->seed, (uint64_t)measurement->process);
    if (!measurement->standby)
        clopt_measurement_open(measurement);
    return !run->failure->status;
}

void clopt_measurement_open(struct clopt_job *measurement)
{
    struct clopt_pool *pool = measurement->race->run->pool;
    const struct clopt_host *host = host_of(measurement);
    measurement->standby = false;
    if (!host)
        measurement->began = clopt_pool_load(pool);
    if (measurement->race->on_cpu)
        clopt_pool_pause(pool, host, true);
    clopt_pool_wake(pool, &measurement->task);
}

/* Puts what share of the machine others used while it measured. */
static void put_load(const struct clopt_job *measurement)
{
    const struct clopt_run *run = measurement->race->run;
    const struct clopt_load now = clopt_pool_load(run->pool);
    double all_s = now.all_s - measurement->began.all_s;
    if (all_s > 0)
        clopt_store_put(run->store, CLOPT_SQL_PUT_LOAD, run->failure, "id", measurement->process,
                        clopt_load_of_others(&measurement->began, &now) / all_s);
}

void clopt_measurement_end(struct clopt_job *measurement)
{
    const struct clopt_race *race = measurement->race;
    if (!measurement->standby && !host_of(measurement))
        put_load(measurement);
    if (!measurement->standby && race->on_cpu)
        clopt_pool_pause(race->run->pool, host_of(measurement), false);
    /* Samples of candidates that were still under way when the process ended count, too. */
    for (size_t i = 0; i < CLOPT_MEASUREMENT_MOST; i++)
        if (measurement->entries[i].candidate)
            leave(measurement, &measurement->entries[i]);
}
