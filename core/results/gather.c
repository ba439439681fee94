/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a run of a store into memory. */
#include "results/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/array.h"
#include "text/text.h"

struct gathering {
    struct clopt_store *store;
    struct clopt_results *results;
};

/* Copies a text that may be NULL. */
static enum clopt_status copy(char **copy_of, const char *text, struct clopt_error *error)
{
    *copy_of = text ? strdup(text) : NULL;
    return text && !*copy_of ? clopt_fail_memory(error) : CLOPT_OK;
}

static enum clopt_status gather_run(void *user, const struct clopt_store_run *run,
                                    struct clopt_error *error)
{
    struct gathering *gathering = user;
    struct clopt_results *results = gathering->results;
    results->has_run = true;
    results->run = run->id;
    results->written = run->newest && clopt_store_is_written(gathering->store);
    results->seed = run->seed;
    results->not_chosen = run->not_chosen;
    results->not_feasible = run->not_feasible;
    results->not_reached = run->not_reached;
    results->disturbed = run->disturbed;
    results->started_s = run->started_s;
    results->ended_s = run->ended_s;
    results->objective = clopt_objective_of(run->config);
    enum clopt_status status = copy(&results->title, run->title, error);
    if (!status)
        status = copy(&results->config, run->config, error);
    if (!status)
        status = copy(&results->version, run->version, error);
    if (!status)
        status = copy(&results->status, run->status, error);
    if (!status)
        status = clopt_store_get_shards(gathering->store, &results->shards, error);
    return status ? status
                  : clopt_store_count_samples(gathering->store, &results->samples,
                                              &results->processes, error);
}

static enum clopt_status gather_device(void *user, const struct clopt_store_device *from,
                                       struct clopt_error *error)
{
    struct gathering *gathering = user;
    struct clopt_results *results = gathering->results;
    struct clopt_results_device *device =
        clopt_array_add(&results->devices, &results->device_count, sizeof *device);
    if (!device)
        return clopt_fail_memory(error);
    device->id = from->id;
    enum clopt_status status = copy(&device->label, from->label, error);
    if (!status)
        status = copy(&device->platform, from->platform, error);
    if (!status)
        status = copy(&device->name, from->name, error);
    if (!status)
        status = copy(&device->driver_version, from->driver_version, error);
    if (!status)
        status = copy(&device->type, from->type, error);
    device->compute_units = from->compute_units;
    if (!status)
        status = clopt_store_get_access(gathering->store, device->id, &device->access, error);
    return status ? status
                  : clopt_store_get_peaks(gathering->store, device->id, &device->peaks, error);
}

/* Under which name the store has samples and noise of a kernel, or of the whole run. */
static const char *sampled_as(const char *kernel)
{
    return strcmp(kernel, CLOPT_WHOLE_RUN) == 0 ? "" : kernel;
}

static enum clopt_status gather_noise(const struct gathering *gathering, int64_t problem,
                                      const char *kernel, struct clopt_results_noise **noise,
                                      struct clopt_error *error)
{
    const struct clopt_results *results = gathering->results;
    enum clopt_status status = CLOPT_OK;
    *noise = calloc(results->device_count + 1, sizeof **noise);
    if (!*noise)
        return clopt_fail_memory(error);
    for (size_t i = 0; i < results->device_count && !status; i++)
        status = clopt_store_get_noise(gathering->store, results->devices[i].id, problem,
                                       sampled_as(kernel), &(*noise)[i].noise, &(*noise)[i].drift,
                                       error);
    for (size_t i = 0; i < results->device_count && !status; i++)
        status = clopt_store_get_named(gathering->store, results->devices[i].id, problem,
                                       sampled_as(kernel), &(*noise)[i].named, error);
    return status;
}

static enum clopt_status gather_problem(void *user, const struct clopt_store_problem *from,
                                        struct clopt_error *error)
{
    struct gathering *gathering = user;
    struct clopt_results *results = gathering->results;
    struct clopt_results_problem *problem =
        clopt_array_add(&results->problems, &results->problem_count, sizeof *problem);
    if (!problem)
        return clopt_fail_memory(error);
    problem->id = from->id;
    enum clopt_status status = copy(&problem->app, from->app, error);
    if (!status)
        status = copy(&problem->label, from->label, error);
    problem->inputs = json_loads(from->inputs_json, 0, NULL);
    return status ? status : gather_noise(gathering, problem->id, "", &problem->noise, error);
}

static enum clopt_status gather_stage(void *user, const char *name, double seconds,
                                      struct clopt_error *error)
{
    struct clopt_results *results = ((struct gathering *)user)->results;
    struct clopt_results_stage *stage =
        clopt_array_add(&results->stages, &results->stage_count, sizeof *stage);
    if (!stage)
        return clopt_fail_memory(error);
    stage->seconds = seconds;
    return copy(&stage->name, name, error);
}

static enum clopt_status gather_member(void *user, int64_t process, size_t number, const char *name,
                                       bool several_hosts, struct clopt_error *error)
{
    struct clopt_results *results = ((struct gathering *)user)->results;
    struct clopt_results_member *member =
        clopt_array_add(&results->members, &results->member_count, sizeof *member);
    if (!member)
        return clopt_fail_memory(error);
    member->process = (uint32_t)process;
    member->member = number;
    results->several_hosts = several_hosts;
    return copy(&member->name, name, error);
}

static enum clopt_status gather_activity(void *user, const struct clopt_store_activity *from,
                                         struct clopt_error *error)
{
    struct clopt_results *results = ((struct gathering *)user)->results;
    struct clopt_results_activity *activity =
        clopt_array_add(&results->activities, &results->activity_count, sizeof *activity);
    if (!activity)
        return clopt_fail_memory(error);
    activity->worker = (size_t)from->worker;
    activity->began_s = from->began_s;
    activity->ended_s = from->ended_s;
    snprintf(activity->stage, sizeof activity->stage, "%s", from->stage);
    return CLOPT_OK;
}

/* Reads how a kernel accesses memory. */
static enum clopt_status gather_patterns(const struct gathering *gathering, int64_t problem,
                                         struct clopt_results_table *table,
                                         struct clopt_error *error)
{
    char *text = NULL;
    enum clopt_status status =
        clopt_store_get_patterns(gathering->store, problem, table->kernel, &text, error);
    table->patterns = text ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;
    free(text);
    return status;
}

/* Fills a table that is all zero. */
static enum clopt_status init_table(struct gathering *gathering, size_t problem, const char *kernel,
                                    struct clopt_results_table *table, struct clopt_error *error)
{
    int64_t id = gathering->results->problems[problem].id;
    table->problem = problem;
    table->initial = CLOPT_NO_ROW;
    enum clopt_status status = copy(&table->kernel, kernel, error);
    if (!status)
        status = clopt_store_get_work(gathering->store, id, kernel, &table->work, error);
    if (!status)
        status = gather_noise(gathering, id, kernel, &table->noise, error);
    return status ? status : gather_patterns(gathering, id, table, error);
}

/* Finds or makes the table of a kernel, or of rivals; rows of one problem come together. */
static struct clopt_results_table *find_table(struct gathering *gathering, size_t problem,
                                              const char *kernel, struct clopt_error *error)
{
    struct clopt_results *results = gathering->results;
    struct clopt_results_table *table = &results->problems[problem].rivals;
    if (!*kernel && table->kernel)
        return table;
    for (size_t i = results->table_count; i > 0 && results->tables[i - 1].problem == problem; i--)
        if (strcmp(results->tables[i - 1].kernel, kernel) == 0)
            return &results->tables[i - 1];
    if (*kernel)
        table = clopt_array_add(&results->tables, &results->table_count, sizeof *table);
    if (!table) {
        clopt_fail_memory(error);
        return NULL;
    }
    return init_table(gathering, problem, kernel, table, error) ? NULL : table;
}

/* Finds or makes the row of a variant; the devices of one variant come together. */
static struct clopt_results_row *find_row(struct clopt_results_table *table, size_t device_count,
                                          const struct clopt_store_variant *variant,
                                          struct clopt_error *error)
{
    const char *name = variant->name;
    if (table->row_count && strcmp(table->rows[table->row_count - 1].name, name) == 0)
        return &table->rows[table->row_count - 1];
    struct clopt_results_row *row = clopt_array_add(&table->rows, &table->row_count, sizeof *row);
    if (!row || copy(&row->name, name, error) ||
        copy(&row->description, variant->trial_json, error) ||
        !(row->cells = calloc(device_count, sizeof *row->cells))) {
        clopt_fail_memory(error);
        return NULL;
    }
    if (strcmp(name, "initial code") == 0)
        table->initial = table->row_count - 1;
    return row;
}

static enum clopt_status gather_time(struct clopt_store *store, int64_t trial, const char *kernel,
                                     struct clopt_result_time *time, struct clopt_medians *medians,
                                     struct clopt_error *error)
{
    double *times_ns = NULL;
    uint32_t *process = NULL;
    size_t count = 0;
    enum clopt_status status = CLOPT_OK;
    if (trial)
        status = clopt_store_get_samples(store, trial, sampled_as(kernel), &times_ns, &process,
                                         &count, error);
    time->interval = clopt_interval_estimate(times_ns, process, count);
    time->speedup = time->efficiency = clopt_interval_estimate(NULL, NULL, 0);
    if (!status && !clopt_medians_init(medians, times_ns, process, count))
        status = clopt_fail_memory(error);
    time->quartiles = clopt_quartiles_find(times_ns, count);
    free(times_ns);
    free(process);
    return status;
}

/* Whether a text of anybody's store is one that a terminal only shows. */
static bool is_plain(const char *text)
{
    while (*text >= ' ' && *text <= '~')
        text++;
    return !*text;
}

/* A cell that gets its counters: those of one kernel. */
struct counted {
    const char *kernel;
    json_t **counters;
};

static enum clopt_status gather_counter(void *user, const struct clopt_store_counter *counter,
                                        struct clopt_error *error)
{
    struct counted *counted = user;
    if (strcmp(counter->kernel, counted->kernel) != 0 || !is_plain(counter->name) ||
        !is_plain(counter->source))
        return CLOPT_OK;
    if (!*counted->counters)
        *counted->counters = json_object();
    return json_object_set_new(
               *counted->counters, counter->name,
               json_pack("[f,s,s]", counter->value, counter->unit, counter->source)) == 0
               ? CLOPT_OK
               : clopt_fail(error, CLOPT_FAILED, "counter %s cannot be read", counter->name);
}

static enum clopt_status fill_cell(struct gathering *gathering, struct clopt_result *cell,
                                   const struct clopt_store_variant *variant,
                                   const struct clopt_store_trial *trial, struct clopt_error *error)
{
    const struct {
        char **copy_of;
        const char *text;
    } texts[] = {
        {&cell->trial.reason, variant->reason ? variant->reason : trial->reason},
        {&cell->trial.stage, trial->stage},
        {&cell->trial.verify_text, trial->verify_text},
        {&cell->trial.fingerprint, trial->fingerprint},
    };
    cell->present = true;
    cell->alias = CLOPT_NO_ROW;
    cell->trial = *trial;
    cell->trial.reason = cell->trial.stage = NULL;
    cell->trial.verify_text = cell->trial.fingerprint = NULL;
    cell->outcome = trial->id         ? trial->outcome
                    : variant->reason ? CLOPT_OUTCOME_INFEASIBLE
                                      : CLOPT_OUTCOME_PENDING;
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; i < sizeof texts / sizeof *texts && !status; i++)
        status = copy(texts[i].copy_of, texts[i].text, error);
    if (!status)
        status = gather_time(gathering->store, trial->id, variant->kernel,
                             &cell->times[CLOPT_SCOPE_KERNEL], &cell->medians[CLOPT_SCOPE_KERNEL],
                             error);
    if (!status)
        status = gather_time(gathering->store, trial->id, "", &cell->times[CLOPT_SCOPE_RUN],
                             &cell->medians[CLOPT_SCOPE_RUN], error);
    struct counted counted = {variant->kernel, &cell->counters};
    if (!status && trial->id)
        status =
            clopt_store_read_counters(gathering->store, trial->id, gather_counter, &counted, error);
    return status;
}

static enum clopt_status gather_variant(void *user, const struct clopt_store_variant *variant,
                                        const struct clopt_store_trial *trial,
                                        struct clopt_error *error)
{
    struct gathering *gathering = user;
    struct clopt_results *results = gathering->results;
    size_t device = 0;
    size_t number = 0;
    while (device < results->device_count && results->devices[device].id != variant->device)
        device++;
    while (number < results->problem_count && results->problems[number].id != variant->problem)
        number++;
    if (device == results->device_count || number == results->problem_count)
        return CLOPT_OK; /* put by a running study since the lists were read */
    struct clopt_results_table *table = find_table(gathering, number, variant->kernel, error);
    struct clopt_results_row *row =
        table ? find_row(table, results->device_count, variant, error) : NULL;
    if (!row)
        return CLOPT_FAILED;
    struct clopt_results_problem *problem = &results->problems[number];
    struct clopt_result *cell = &row->cells[device];
    enum clopt_status status = fill_cell(gathering, cell, variant, trial, error);
    if (!status && *variant->kernel && !problem->several_kernels &&
        cell->times[CLOPT_SCOPE_RUN].interval.samples) {
        size_t kernels;
        status = clopt_store_count_kernels(gathering->store, trial->id, &kernels, error);
        problem->several_kernels = kernels > 1;
    }
    return status;
}

enum clopt_status clopt_results_gather(struct clopt_store *store, struct clopt_results **results,
                                       struct clopt_error *error)
{
    struct gathering gathering = {store, calloc(1, sizeof *gathering.results)};
    *results = gathering.results;
    if (!gathering.results)
        return clopt_fail_memory(error);
    enum clopt_status status = clopt_store_read_run(store, gather_run, &gathering, error);
    if (!status)
        status = clopt_store_read_devices(store, gather_device, &gathering, error);
    if (!status)
        status = clopt_store_read_problems(store, gather_problem, &gathering, error);
    if (!status)
        status = clopt_store_read_variants(store, gather_variant, &gathering, error);
    if (!status)
        status = clopt_store_read_stages(store, gather_stage, &gathering, error);
    if (!status)
        status = clopt_store_read_activities(store, gather_activity, &gathering, error);
    if (!status)
        status = clopt_store_read_members(store, gather_member, &gathering, error);
    if (!status)
        status = clopt_results_rank(*results, error);
    if (!status)
        status = clopt_results_gather_published(*results, store, error);
    if (!status)
        return CLOPT_OK;
    clopt_results_destroy(*results);
    *results = NULL;
    return status;
}

size_t clopt_results_problem_end(const struct clopt_results *results, size_t first)
{
    size_t end = first;
    while (end < results->table_count &&
           results->tables[end].problem == results->tables[first].problem)
        end++;
    return end;
}

struct clopt_rates clopt_results_rates(const struct clopt_results *results,
                                       const struct clopt_results_table *table, size_t row,
                                       size_t device)
{
    const struct clopt_result_time *time =
        &table->rows[row].cells[device].times[CLOPT_SCOPE_KERNEL];
    bool timed = results->objective == CLOPT_OBJECTIVE_TIME;
    return clopt_rates_compute(table->work.arithmetic, table->work.operations, table->work.bytes,
                               timed ? time->interval.median : NAN,
                               &results->devices[device].peaks);
}

static void destroy_noise(struct clopt_results_noise *noise, size_t device_count)
{
    for (size_t d = 0; d < device_count && noise; d++)
        free(noise[d].named.ending);
    free(noise);
}

static void destroy_table(struct clopt_results_table *table, size_t device_count)
{
    for (size_t i = 0; i < table->row_count; i++) {
        for (size_t d = 0; table->rows[i].cells && d < device_count; d++) {
            clopt_store_trial_fini(&table->rows[i].cells[d].trial);
            json_decref(table->rows[i].cells[d].counters);
            for (int scope = 0; scope < CLOPT_SCOPE_COUNT; scope++)
                clopt_medians_fini(&table->rows[i].cells[d].medians[scope]);
        }
        for (size_t d = 0; d < table->rows[i].published_count; d++) {
            free(table->rows[i].published[d].figure);
            free(table->rows[i].published[d].outcome);
        }
        free(table->rows[i].published);
        free(table->rows[i].cells);
        free(table->rows[i].description);
        free(table->rows[i].name);
    }
    free(table->rows);
    free(table->kernel);
    destroy_noise(table->noise, device_count);
    json_decref(table->patterns);
}

void clopt_results_destroy(struct clopt_results *results)
{
    if (!results)
        return;
    for (size_t i = 0; i < results->table_count; i++)
        destroy_table(&results->tables[i], results->device_count);
    for (size_t i = 0; i < results->device_count; i++) {
        free(results->devices[i].label);
        free(results->devices[i].platform);
        free(results->devices[i].name);
        free(results->devices[i].driver_version);
        free(results->devices[i].type);
    }
    for (size_t i = 0; i < results->problem_count; i++) {
        free(results->problems[i].app);
        free(results->problems[i].label);
        destroy_noise(results->problems[i].noise, results->device_count);
        destroy_table(&results->problems[i].rivals, results->device_count);
        json_decref(results->problems[i].inputs);
    }
    for (size_t i = 0; i < results->published_count; i++) {
        free(results->published[i].source);
        free(results->published[i].device);
        free(results->published[i].label);
    }
    free(results->published);
    for (size_t i = 0; i < results->stage_count; i++)
        free(results->stages[i].name);
    free(results->activities);
    for (size_t i = 0; i < results->member_count; i++)
        free(results->members[i].name);
    free(results->members);
    free(results->tables);
    free(results->devices);
    free(results->problems);
    free(results->stages);
    free(results->title);
    free(results->shards);
    free(results->config);
    free(results->version);
    free(results->status);
    free(results);
}
