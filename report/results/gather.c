/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a run of a store into memory. */
#include "results/results.h"

#include <math.h>

#include "store/cursor.h"

struct gathering {
    struct clopt_store *store;
    struct clopt_results *results;
    enum clopt_status status;
    struct clopt_error *error;
};

/* Ends a query, and remembers whether it failed. */
static void end(struct gathering *gathering, struct clopt_cursor *rows)
{
    enum clopt_status status = clopt_cursor_end(rows);
    if (!gathering->status)
        gathering->status = status;
}

/* Takes each row of a query about the run. */
static void gather_rows(struct gathering *gathering, enum clopt_store_sql query,
                        void (*take)(struct gathering *gathering, struct clopt_cursor *rows))
{
    struct clopt_cursor rows = clopt_cursor_of_run(gathering->store, query, gathering->error);
    while (!gathering->status && clopt_cursor_next(&rows))
        take(gathering, &rows);
    end(gathering, &rows);
}

/* ---- texts, which are kept for as long as the results ---- */

/* Keep a column as it is, or as it is shown, or of several lines that may be shown the first. */
static char *take(struct gathering *gathering, const struct clopt_cursor *rows, const char *column)
{
    const char *text = clopt_cursor_text(rows, column);
    return text ? clopt_arena_copy(&gathering->results->arena, text, strlen(text)) : NULL;
}

static char *take_shown(struct gathering *gathering, const struct clopt_cursor *rows,
                        const char *column)
{
    return clopt_results_keep(gathering->results, clopt_cursor_text(rows, column));
}

static char *take_line(struct gathering *gathering, const struct clopt_cursor *rows,
                       const char *column)
{
    char *text = take(gathering, rows, column);
    if (text && gathering->results->printable)
        text[strcspn(text, "\n")] = '\0';
    return clopt_results_keep(gathering->results, text);
}

/* Keeps what a study says that is wrong in it: a value goes on in lines that begin with a blank,
 * and one of a single line has its origin after it. */
static char *take_found(struct gathering *gathering, const char *config)
{
    static const char key[] = "\nfound = ";
    CLOPT_OWNED(clopt_text) found = {0};
    const char *at = config ? strstr(config, key) : NULL;
    if (!at)
        return NULL;
    for (at += strlen(key); *at && strncmp(at, " ; ", 3) != 0; at++) {
        if (*at == '\n' && at[1] != ' ')
            break;
        if (*at == '\n')
            at += strspn(at + 1, " ");
        clopt_text_append_char(&found, *at == '\n' ? ' ' : *at);
    }
    return clopt_results_keep(gathering->results, clopt_text_string(&found));
}

/* Reads a column as JSON; NULL: it is none. */
static json_t *take_json(const struct clopt_cursor *rows, const char *column)
{
    const char *text = clopt_cursor_text(rows, column);
    return text ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;
}

/* ---- the run, devices and problems ---- */

static void gather_run(struct gathering *gathering, struct clopt_cursor *rows)
{
    struct clopt_results *results = gathering->results;
    results->run.there = true;
    results->run.number = clopt_cursor_integer(rows, "id");
    results->run.written =
        clopt_cursor_integer(rows, "newest") && clopt_store_is_written(gathering->store);
    results->run.seed = strtoull(clopt_cursor_text(rows, "seed"), NULL, 10);
    results->run.not_chosen = clopt_cursor_integer(rows, "not_chosen");
    results->run.not_feasible = clopt_cursor_integer(rows, "not_feasible");
    results->run.not_reached = clopt_cursor_integer(rows, "not_reached");
    results->run.disturbed = clopt_cursor_integer(rows, "disturbed");
    results->run.started_s = clopt_cursor_real(rows, "started");
    results->run.ended_s = clopt_cursor_real(rows, "ended");
    results->objective = clopt_objective_of(clopt_cursor_text(rows, "config"));
    results->run.title = take_shown(gathering, rows, "title");
    results->run.config = take(gathering, rows, "config");
    results->run.found = take_found(gathering, results->run.config);
    results->run.version = take_shown(gathering, rows, "version");
    results->run.status = take(gathering, rows, "status");
}

static void gather_shards(struct gathering *gathering, struct clopt_cursor *rows)
{
    gathering->results->run.shards = take(gathering, rows, "shards");
}

static void gather_origin(struct gathering *gathering, struct clopt_cursor *rows)
{
    struct clopt_results *results = gathering->results;
    struct clopt_results_origin *origin =
        clopt_array_add(&results->origins, &results->origin_count, sizeof *origin);
    *origin = (struct clopt_results_origin){
        clopt_cursor_integer(rows, "device"), clopt_cursor_integer(rows, "problem"),
        take_shown(gathering, rows, "kernel"), take_shown(gathering, rows, "store")};
}

static void gather_counts(struct gathering *gathering, struct clopt_cursor *rows)
{
    gathering->results->run.samples = clopt_cursor_integer(rows, "samples");
    gathering->results->run.processes = clopt_cursor_integer(rows, "processes");
}

static void gather_device(struct gathering *gathering, struct clopt_cursor *rows)
{
    struct clopt_results *results = gathering->results;
    struct clopt_results_device *device =
        clopt_array_add(&results->devices, &results->device_count, sizeof *device);
    device->id = clopt_cursor_integer(rows, "id");
    device->label = take_shown(gathering, rows, "label");
    device->platform = take_shown(gathering, rows, "platform");
    device->name = take_shown(gathering, rows, "name");
    device->vendor = take_shown(gathering, rows, "vendor");
    device->driver_version = take_shown(gathering, rows, "driver_version");
    device->type = take(gathering, rows, "type");
    device->compute_units = clopt_cursor_integer(rows, "compute_units");
    device->local_bytes = clopt_cursor_integer(rows, "local_memory_bytes");
    struct clopt_cursor access = clopt_cursor_begin(gathering->store, CLOPT_SQL_GET_ACCESS,
                                                    gathering->error, "i", device->id);
    clopt_cursor_next(&access);
    device->access = take(gathering, &access, "rates");
    end(gathering, &access);
    struct clopt_cursor expected =
        clopt_cursor_begin(gathering->store, CLOPT_SQL_GET_EXPECTED, gathering->error, "ii",
                           results->run.number, device->id);
    device->expected = clopt_cursor_next(&expected)
                           ? clopt_cursor_real(&expected, "deviation")
                           : clopt_spread_prior(device->type && strcmp(device->type, "cpu") == 0,
                                                &(struct clopt_spread){0});
    end(gathering, &expected);
    struct clopt_cursor clock = clopt_cursor_begin(gathering->store, CLOPT_SQL_GET_CLOCK,
                                                   gathering->error, "i", device->id);
    if (clopt_cursor_next(&clock)) {
        device->clock.source = take(gathering, &clock, "source");
        device->clock.reason = take_shown(gathering, &clock, "reason");
        device->clock.resolution_ns = clopt_cursor_real(&clock, "resolution_ns");
        device->clock.overhead_ns = clopt_cursor_real(&clock, "overhead_ns");
        device->clock.agreement = clopt_cursor_real(&clock, "agreement");
    }
    end(gathering, &clock);
    if (!gathering->status)
        gathering->status =
            clopt_store_get_peaks(gathering->store, device->id, &device->peaks, gathering->error);
}

/* Under which name the store has samples and noise of a kernel, or of the whole run. */
static const char *sampled_as(const char *kernel)
{
    return strcmp(kernel, CLOPT_WHOLE_RUN) == 0 ? "" : kernel;
}

/* Reads how far figures of a kernel can be trusted, and what was named as its best. */
static struct clopt_results_noise *gather_noise(struct gathering *gathering, int64_t problem,
                                                const char *kernel)
{
    struct clopt_results *results = gathering->results;
    struct clopt_results_noise *noise =
        clopt_arena_get(&results->arena, (results->device_count + 1) * sizeof *noise);
    for (size_t i = 0; i < results->device_count; i++) {
        struct clopt_cursor rows =
            clopt_cursor_begin(gathering->store, CLOPT_SQL_GET_NOISE, gathering->error, "iiis",
                               results->run.number, results->devices[i].id, problem, kernel);
        clopt_cursor_next(&rows);
        noise[i].noise = clopt_cursor_real(&rows, "noise");
        noise[i].drift = clopt_cursor_real(&rows, "drift");
        end(gathering, &rows);
        rows = clopt_cursor_begin(gathering->store, CLOPT_SQL_GET_NAMED, gathering->error, "iiis",
                                  results->run.number, results->devices[i].id, problem, kernel);
        bool named = clopt_cursor_next(&rows);
        noise[i].named = (struct clopt_store_named){
            .trial = clopt_cursor_integer(&rows, "trial"),
            .regret = {clopt_cursor_real(&rows, "expected_regret"),
                       clopt_cursor_real(&rows, "regret")},
            .ending = take_shown(gathering, &rows, "ending"),
            .earlier = named && !clopt_cursor_integer(&rows, "own"),
        };
        end(gathering, &rows);
    }
    return noise;
}

static void gather_problem(struct gathering *gathering, struct clopt_cursor *rows)
{
    struct clopt_results *results = gathering->results;
    struct clopt_results_problem *problem =
        clopt_array_add(&results->problems, &results->problem_count, sizeof *problem);
    problem->id = clopt_cursor_integer(rows, "id");
    problem->app = take_shown(gathering, rows, "app");
    problem->label = take_shown(gathering, rows, "label");
    problem->inputs = take_json(rows, "inputs");
    CLOPT_FREED char *title =
        clopt_text_format("%s%s%s", problem->app, *problem->label ? " " : "", problem->label);
    problem->title = clopt_arena_copy(&results->arena, title, strlen(title));
    problem->noise = gather_noise(gathering, problem->id, "");
}

/* ---- where the time went ---- */

static void gather_stage(struct gathering *gathering, struct clopt_cursor *rows)
{
    struct clopt_results *results = gathering->results;
    struct clopt_results_stage *stage =
        clopt_array_add(&results->work.stages, &results->work.stage_count, sizeof *stage);
    *stage = (struct clopt_results_stage){take_shown(gathering, rows, "stage"),
                                          clopt_cursor_real(rows, "seconds")};
}

static void gather_member(struct gathering *gathering, struct clopt_cursor *rows)
{
    struct clopt_results *results = gathering->results;
    struct clopt_results_member *member =
        clopt_array_add(&results->work.members, &results->work.member_count, sizeof *member);
    results->work.several_hosts = clopt_cursor_integer(rows, "several");
    *member = (struct clopt_results_member){(uint32_t)clopt_cursor_integer(rows, "process"),
                                            (size_t)clopt_cursor_integer(rows, "number"),
                                            take(gathering, rows, "name")};
}

static void gather_activity(struct gathering *gathering, struct clopt_cursor *rows)
{
    struct clopt_results *results = gathering->results;
    struct clopt_results_activity *activity =
        clopt_array_add(&results->work.activities, &results->work.activity_count, sizeof *activity);
    *activity = (struct clopt_results_activity){
        (size_t)clopt_cursor_integer(rows, "worker"), NULL, take(gathering, rows, "stage"),
        clopt_cursor_real(rows, "began_s"), clopt_cursor_real(rows, "ended_s")};
}

/* Says of the activities, which are there by worker, on which host they were. */
static void gather_worker(struct gathering *gathering, struct clopt_cursor *rows)
{
    struct clopt_results *results = gathering->results;
    size_t worker = (size_t)clopt_cursor_integer(rows, "worker");
    size_t first = 0, end = results->work.activity_count;
    char *host = take_shown(gathering, rows, "host");
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (results->work.activities[middle].worker < worker)
            first = middle + 1;
        else
            end = middle;
    }
    for (; first < results->work.activity_count && results->work.activities[first].worker == worker;
         first++)
        results->work.activities[first].host = host;
}

/* ---- variants ---- */

/* Fills a table that is all zero. `kernel` is as the store has it. */
static void fill_table(struct gathering *gathering, size_t problem, const char *kernel,
                       struct clopt_results_table *table)
{
    int64_t id = gathering->results->problems[problem].id;
    table->problem = problem;
    table->initial = CLOPT_NO_ROW;
    table->kernel = clopt_results_keep(gathering->results, kernel);
    table->noise = gather_noise(gathering, id, sampled_as(kernel));
    struct clopt_cursor rows = clopt_cursor_begin(gathering->store, CLOPT_SQL_GET_WORK,
                                                  gathering->error, "is", id, kernel);
    table->work.arithmetic = CLOPT_ARITHMETIC_COUNT;
    if (clopt_cursor_next(&rows))
        table->work = (struct clopt_store_work){
            clopt_arithmetic_find(clopt_cursor_text(&rows, "arithmetic")),
            clopt_cursor_real(&rows, "operations"), clopt_cursor_real(&rows, "bytes")};
    end(gathering, &rows);
    rows = clopt_cursor_begin(gathering->store, CLOPT_SQL_GET_PATTERNS, gathering->error, "is", id,
                              kernel);
    clopt_cursor_next(&rows);
    table->patterns = take_json(&rows, "patterns");
    end(gathering, &rows);
}

/* Finds or makes the table of a kernel, or of rivals; rows of one problem come together. */
static struct clopt_results_table *find_table(struct gathering *gathering, size_t problem,
                                              struct clopt_cursor *rows)
{
    struct clopt_results *results = gathering->results;
    const char *kernel = take_shown(gathering, rows, "kernel");
    struct clopt_results_table *table = &results->problems[problem].rivals;
    if (!*kernel && table->kernel)
        return table;
    for (size_t i = results->table_count; i > 0 && results->tables[i - 1].problem == problem; i--)
        if (strcmp(results->tables[i - 1].kernel, kernel) == 0)
            return &results->tables[i - 1];
    if (*kernel)
        table = clopt_array_add(&results->tables, &results->table_count, sizeof *table);
    fill_table(gathering, problem, clopt_cursor_text(rows, "kernel"), table);
    return table;
}

/* Finds or makes the row of a variant; the devices of one variant come together. */
static struct clopt_results_row *find_row(struct gathering *gathering,
                                          struct clopt_results_table *table, size_t device,
                                          struct clopt_cursor *rows)
{
    const size_t devices = gathering->results->device_count;
    char *name = take_shown(gathering, rows, "name");
    struct clopt_results_row *last = table->row_count ? &table->rows[table->row_count - 1] : NULL;
    if (last && strcmp(last->name, name) == 0 && !last->cells[device].present)
        return last;
    struct clopt_results_row *row = clopt_array_add(&table->rows, &table->row_count, sizeof *row);
    row->name = name;
    row->description = take(gathering, rows, "description");
    row->cells = clopt_arena_get(&gathering->results->arena, devices * sizeof *row->cells);
    if (strcmp(name, "initial code") == 0)
        table->initial = table->row_count - 1;
    return row;
}

static void gather_time(struct gathering *gathering, int64_t trial, const char *kernel,
                        struct clopt_result_time *time, struct clopt_medians *medians)
{
    CLOPT_FREED double *times_ns = NULL;
    CLOPT_FREED uint32_t *process = NULL;
    size_t count = 0;
    if (trial && !gathering->status)
        gathering->status = clopt_store_get_samples(gathering->store, trial, sampled_as(kernel),
                                                    &times_ns, &process, &count, gathering->error);
    time->interval = clopt_interval_estimate(times_ns, process, count);
    time->speedup = time->efficiency = clopt_interval_estimate(NULL, NULL, 0);
    clopt_medians_init(medians, times_ns, process, count);
    time->quartiles = clopt_quartiles_find(times_ns, count); /* it sorts them */
}

/* Whether a text of anybody's store is one that a terminal only shows. */
static bool is_plain(const char *text)
{
    while (text && *text >= ' ' && *text <= '~')
        text++;
    return text && !*text;
}

/* Reads the counters of a trial, or else of one that is the same program; NULL: there are none. */
static json_t *gather_counters(struct gathering *gathering, int64_t trial, const char *kernel)
{
    json_t *counters = NULL;
    struct clopt_cursor rows =
        clopt_cursor_begin(gathering->store, CLOPT_SQL_GET_COUNTERS, gathering->error, "i", trial);
    while (clopt_cursor_next(&rows)) {
        const char *of = clopt_cursor_text(&rows, "kernel"),
                   *name = clopt_cursor_text(&rows, "name");
        const char *source = clopt_cursor_text(&rows, "source");
        if (!of || strcmp(of, kernel) != 0 || !is_plain(name) || !is_plain(source))
            continue;
        counters = counters ? counters : json_object();
        if (json_object_set_new(counters, name,
                                json_pack("[f,s,s]", clopt_cursor_real(&rows, "value"),
                                          clopt_cursor_text(&rows, "unit"), source)) != 0)
            rows.status =
                clopt_fail(gathering->error, CLOPT_FAILED, "counter %s cannot be read", name);
    }
    end(gathering, &rows);
    return counters;
}

static void fill_cell(struct gathering *gathering, struct clopt_result *cell,
                      const struct clopt_cursor *rows)
{
    const char *kernel = clopt_cursor_text(rows, "kernel");
    bool refused = clopt_cursor_text(rows, "refusal");
    struct clopt_store_trial *trial = &cell->trial;
    clopt_cursor_trial(rows, trial);
    trial->reason = take_line(gathering, rows, refused ? "refusal" : "reason");
    trial->stage = take_shown(gathering, rows, "stage");
    trial->verdict.text = take_line(gathering, rows, "verify_text");
    trial->fingerprint = take(gathering, rows, "fingerprint");
    cell->present = true;
    cell->alias = CLOPT_NO_ROW;
    cell->outcome = trial->id ? trial->outcome
                    : refused ? CLOPT_OUTCOME_INFEASIBLE
                              : CLOPT_OUTCOME_PENDING;
    struct clopt_cursor tried =
        clopt_cursor_begin(gathering->store, CLOPT_SQL_GET_TRIED, gathering->error, "ii", trial->id,
                           gathering->results->run.number);
    clopt_cursor_next(&tried);
    cell->tried_s = clopt_cursor_real(&tried, "at_s");
    end(gathering, &tried);
    gather_time(gathering, trial->id, kernel, &cell->times[CLOPT_SCOPE_KERNEL],
                &cell->medians[CLOPT_SCOPE_KERNEL]);
    gather_time(gathering, trial->id, "", &cell->times[CLOPT_SCOPE_RUN],
                &cell->medians[CLOPT_SCOPE_RUN]);
    if (trial->id && !gathering->status)
        gathering->status = clopt_result_gather_waited(gathering->store, cell, gathering->error);
    if (trial->id)
        cell->counters = gather_counters(gathering, trial->id, kernel);
}

/* Whether a trial has samples of several kernels. */
static bool has_several_kernels(struct gathering *gathering, int64_t trial)
{
    struct clopt_cursor rows =
        clopt_cursor_begin(gathering->store, CLOPT_SQL_COUNT_KERNELS, gathering->error, "i", trial);
    clopt_cursor_next(&rows);
    bool several = clopt_cursor_integer(&rows, "kernels") > 1;
    end(gathering, &rows);
    return several;
}

static void gather_variant(struct gathering *gathering, struct clopt_cursor *rows)
{
    struct clopt_results *results = gathering->results;
    size_t device = 0, number = 0;
    while (device < results->device_count &&
           results->devices[device].id != clopt_cursor_integer(rows, "device"))
        device++;
    while (number < results->problem_count &&
           results->problems[number].id != clopt_cursor_integer(rows, "problem"))
        number++;
    if (device == results->device_count || number == results->problem_count)
        return; /* put by a running study since the lists were read */
    struct clopt_results_table *table = find_table(gathering, number, rows);
    struct clopt_results_problem *problem = &results->problems[number];
    struct clopt_result *cell = &find_row(gathering, table, device, rows)->cells[device];
    fill_cell(gathering, cell, rows);
    if (*table->kernel && !problem->several_kernels &&
        cell->times[CLOPT_SCOPE_RUN].interval.samples)
        problem->several_kernels = has_several_kernels(gathering, cell->trial.id);
}

/* ---- all of it ---- */

static void gather_all(struct gathering *gathering)
{
    static const struct {
        enum clopt_store_sql query;
        void (*take)(struct gathering *gathering, struct clopt_cursor *rows);
    } parts[] = {
        {CLOPT_SQL_GET_SHARDS, gather_shards},       {CLOPT_SQL_COUNT_SAMPLES, gather_counts},
        {CLOPT_SQL_GET_DEVICES, gather_device},      {CLOPT_SQL_GET_PROBLEMS, gather_problem},
        {CLOPT_SQL_GET_VARIANTS, gather_variant},    {CLOPT_SQL_GET_STAGES, gather_stage},
        {CLOPT_SQL_GET_ACTIVITIES, gather_activity}, {CLOPT_SQL_GET_WORKERS, gather_worker},
        {CLOPT_SQL_GET_MEMBERS, gather_member},      {CLOPT_SQL_GET_ORIGINS, gather_origin},
    };
    struct clopt_results *results = gathering->results;
    struct clopt_cursor run = clopt_store_find_run(gathering->store, gathering->error);
    if (run.there)
        gather_run(gathering, &run);
    end(gathering, &run);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && results->run.there; i++)
        gather_rows(gathering, parts[i].query, parts[i].take);
    clopt_results_name_devices(results);
    if (!gathering->status)
        clopt_results_rank(results);
    if (!gathering->status && results->run.there)
        gathering->status =
            clopt_results_gather_published(results, gathering->store, gathering->error);
}

enum clopt_status clopt_results_gather(struct clopt_store *store, bool printable,
                                       struct clopt_results **results, struct clopt_error *error)
{
    struct gathering gathering = {store, clopt_calloc(1, sizeof **results), CLOPT_OK, error};
    *results = gathering.results;
    gathering.results->printable = printable;
    gather_all(&gathering);
    if (gathering.status) {
        clopt_results_destroy(*results);
        *results = NULL;
    }
    return gathering.status;
}
