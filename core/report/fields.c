/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns results into named values, so that CSV and JSON cannot disagree. */
#include "report/view.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/json.h"
#include "text/text.h"

static const char field_names[] =
    "app problem kernel variant device platform device_name driver_version trial key outcome "
    "reason stage signal verified verify_error verify_bound complete abandoned ranked alias_of "
    "samples processes median_ns low_ns high_ns attained speedup speedup_low speedup_high "
    "speedup_attained speedup_processes efficiency efficiency_low efficiency_high "
    "efficiency_attained efficiency_processes different verdict best tied arithmetic "
    "goperations_per_s peak_goperations_per_s operations_of_peak gbytes_per_s "
    "peak_gbytes_per_s bytes_of_peak bound run_samples run_processes run_median_ns run_low_ns "
    "run_high_ns run_attained run_speedup run_speedup_low run_speedup_high "
    "run_speedup_attained run_speedup_processes run_efficiency run_efficiency_low "
    "run_efficiency_high run_efficiency_attained run_efficiency_processes run_different "
    "run_verdict run_best run_tied build_ns build_kept deferred_ns lines_changed fingerprint "
    "noise drift run_noise run_drift access_patterns counters published figure objective unit "
    "member";

/* Whether a name is of a sample: it says ns, unless the objective is another. */
static bool is_sample(const char *name, size_t length)
{
    static const char *const names[] = {"median_ns", "low_ns", "high_ns"};
    size_t run = strncmp(name, "run_", strlen("run_")) == 0 ? strlen("run_") : 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (length - run == strlen(names[i]) && strncmp(name + run, names[i], length - run) == 0)
            return true;
    return false;
}

static void append_names(struct clopt_text *text, const struct clopt_results *results)
{
    for (const char *at = field_names; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        bool cut = results->objective != CLOPT_OBJECTIVE_TIME && is_sample(at, length);
        clopt_text_append(text, text->length ? " " : "");
        clopt_text_append_bytes(text, at, length - (cut ? strlen("_ns") : 0));
        at += length;
    }
}

/* The row that is being written. */
struct row {
    json_t *values[CLOPT_FIELD_COUNT];
    size_t count;
};

static void add_text(struct row *row, const char *text)
{
    row->values[row->count++] = clopt_json_text(text);
}

static void add_real(struct row *row, double value)
{
    row->values[row->count++] = clopt_json_real(value);
}

static void add_integer(struct row *row, int64_t value)
{
    row->values[row->count++] = json_integer(value);
}

static void add_truth(struct row *row, bool value)
{
    row->values[row->count++] = json_boolean(value);
}

/* What depends on no measurement. */
static void add_identity(struct row *row, const struct clopt_results *results,
                         const struct clopt_results_table *table,
                         const struct clopt_results_row *variant, size_t device)
{
    const struct clopt_results_problem *problem = &results->problems[table->problem];
    add_text(row, problem->app);
    add_text(row, problem->label);
    add_text(row, table->kernel);
    add_text(row, variant->name);
    add_text(row, results->devices[device].label);
    add_text(row, results->devices[device].platform);
    add_text(row, results->devices[device].name);
    add_text(row, results->devices[device].driver_version);
}

static void add_outcome(struct row *row, const struct clopt_results_table *table,
                        const struct clopt_result *result)
{
    const struct clopt_store_trial *trial = &result->trial;
    add_integer(row, trial->id);
    add_text(row, *trial->key ? trial->key : NULL);
    add_text(row, clopt_outcome_name(result->outcome));
    add_text(row, trial->reason);
    add_text(row, trial->stage);
    add_integer(row, trial->signal);
    add_truth(row, trial->verified);
    add_real(row, trial->verified ? trial->verify_error : NAN);
    add_real(row, trial->verified ? trial->verify_bound : NAN);
    add_truth(row, trial->complete);
    add_truth(row, trial->abandoned);
    add_truth(row, result->ranked);
    add_text(row, result->alias == CLOPT_NO_ROW ? NULL : table->rows[result->alias].name);
}

static void add_interval(struct row *row, const struct clopt_interval *interval)
{
    add_real(row, interval->median);
    add_real(row, interval->low);
    add_real(row, interval->high);
    add_truth(row, interval->attained);
}

static void add_ratios(struct row *row, const struct clopt_result_time *time)
{
    add_interval(row, &time->speedup);
    add_integer(row, (int64_t)time->speedup.processes);
    add_interval(row, &time->efficiency);
    add_integer(row, (int64_t)time->efficiency.processes);
    add_truth(row, time->different);
    add_text(row, clopt_verdict_names[time->verdict]);
    add_truth(row, time->best);
    add_truth(row, time->tied);
}

static void add_rates(struct row *row, const struct clopt_results *results,
                      const struct clopt_results_table *table, size_t number, size_t device)
{
    enum clopt_arithmetic arithmetic =
        table->work.operations > 0 ? table->work.arithmetic : CLOPT_ARITHMETIC_COUNT;
    const struct clopt_peaks *peaks = &results->devices[device].peaks;
    bool known = arithmetic < CLOPT_ARITHMETIC_COUNT;
    struct clopt_rates rates = clopt_results_rates(results, table, number, device);
    add_text(row, clopt_arithmetic_name(arithmetic));
    add_real(row, rates.goperations_per_s);
    add_real(row, known ? peaks->goperations_per_s[arithmetic] : NAN);
    add_real(row, rates.operations_of_peak);
    add_real(row, rates.gbytes_per_s);
    add_real(row, peaks->gbytes_per_s);
    add_real(row, rates.bytes_of_peak);
    add_text(row, clopt_bound_name(rates.bound));
}

static void add_times(struct row *row, const struct clopt_results *results,
                      const struct clopt_results_table *table, size_t number, size_t device)
{
    const struct clopt_result *result = &table->rows[number].cells[device];
    const struct clopt_result_time *kernel = &result->times[CLOPT_SCOPE_KERNEL];
    const struct clopt_result_time *run = &result->times[CLOPT_SCOPE_RUN];
    add_integer(row, (int64_t)kernel->interval.samples);
    add_integer(row, (int64_t)kernel->interval.processes);
    add_interval(row, &kernel->interval);
    add_ratios(row, kernel);
    add_rates(row, results, table, number, device);
    add_integer(row, (int64_t)run->interval.samples);
    add_integer(row, (int64_t)run->interval.processes);
    add_interval(row, &run->interval);
    add_ratios(row, run);
}

static void add_patterns(struct row *row, const struct clopt_results_table *table)
{
    char *label = clopt_patterns_label(table, "; ");
    row->values[row->count++] = label ? clopt_json_text(*label ? label : NULL) : NULL;
    free(label);
}

/* Put a value under its name, where the row is full of nulls. */
static void put_value(struct row *row, const char *name, json_t *value)
{
    size_t number = 0, length = strlen(name);
    for (const char *at = field_names; strncmp(at, name, length) != 0 || at[length] != ' '; at++)
        number += *at == ' ';
    row->values[number] = value;
}

static void put_text(struct row *row, const char *name, const char *text)
{
    put_value(row, name, clopt_json_text(text));
}

static void put_real(struct row *row, const char *name, double value)
{
    put_value(row, name, clopt_json_real(value));
}

/* Hands a row to its visitor, and gives up its values. */
static void hand_out(const struct row *row, struct clopt_document *document)
{
    json_t *values = json_array();
    for (size_t i = 0; i < row->count; i++)
        clopt_json_append(&values, row->values[i]);
    clopt_document_row(document, values);
}

static void add_result(const struct clopt_results *results, const struct clopt_results_table *table,
                       size_t number, size_t device, struct clopt_document *document)
{
    const struct clopt_result *result = &table->rows[number].cells[device];
    const struct clopt_results_noise *noise = &table->noise[device];
    const struct clopt_results_noise *run_noise = &results->problems[table->problem].noise[device];
    struct row row = {.count = 0};
    add_identity(&row, results, table, &table->rows[number], device);
    add_outcome(&row, table, result);
    add_times(&row, results, table, number, device);
    add_integer(&row, result->trial.build_ns);
    add_truth(&row, result->trial.build_kept);
    add_integer(&row, result->trial.deferred_ns);
    add_integer(&row, result->trial.lines_changed);
    add_text(&row, result->trial.fingerprint);
    add_real(&row, noise->noise);
    add_real(&row, noise->drift);
    add_real(&row, run_noise->noise);
    add_real(&row, run_noise->drift);
    add_patterns(&row, table);
    row.values[row.count++] = result->counters ? json_incref(result->counters) : json_null();
    add_text(&row, NULL);
    add_text(&row, NULL);
    add_text(&row, clopt_objective_words(results->objective)->name);
    add_text(&row, clopt_objective_words(results->objective)->unit);
    struct clopt_text members = {0};
    clopt_members_append(&members, results,
                         result->borrowed ? &table->rows[result->alias].cells[device] : result);
    add_text(&row, members.data);
    clopt_text_fini(&members);
    hand_out(&row, document);
}

/* A published time is a row like the others, in which most is not known. */
static void add_published(const struct clopt_results *results,
                          const struct clopt_results_table *table, size_t number, size_t device,
                          struct clopt_document *document)
{
    const struct clopt_published_time *time = &table->rows[number].published[device];
    const struct clopt_results_problem *problem = &results->problems[table->problem];
    struct row row = {.count = CLOPT_FIELD_COUNT};
    for (size_t i = 0; i < CLOPT_FIELD_COUNT; i++)
        row.values[i] = json_null();
    put_text(&row, "app", problem->app);
    put_text(&row, "problem", problem->label);
    put_text(&row, "kernel", table->kernel);
    put_text(&row, "variant", table->rows[number].name);
    put_text(&row, "device", results->published[device].label);
    put_text(&row, "device_name", results->published[device].device);
    put_text(&row, "outcome", time->outcome);
    put_real(&row, "median_ns", time->time_ns);
    put_real(&row, "speedup", time->speedup);
    put_text(&row, "published", results->published[device].source);
    put_text(&row, "figure", time->figure);
    put_text(&row, "objective", clopt_objective_words(results->objective)->name);
    put_text(&row, "unit", clopt_objective_words(results->objective)->unit);
    hand_out(&row, document);
}

static void add_table(const struct clopt_results *results, const struct clopt_results_table *table,
                      struct clopt_document *document)
{
    for (size_t i = 0; i < table->row_count; i++) {
        for (size_t d = 0; d < results->device_count; d++)
            if (table->rows[i].cells[d].present)
                add_result(results, table, i, d, document);
        for (size_t d = 0; d < table->rows[i].published_count; d++)
            if (table->rows[i].published[d].figure)
                add_published(results, table, i, d, document);
    }
}

static void add_rows(const struct clopt_results *results, struct clopt_document *document)
{
    struct clopt_text names = {0};
    append_names(&names, results);
    clopt_document_rows(document, "results", clopt_text_string(&names));
    document->failed |= names.failed;
    clopt_text_fini(&names);
    for (size_t t = 0; t < results->table_count; t++)
        add_table(results, &results->tables[t], document);
    for (size_t p = 0; p < results->problem_count; p++)
        add_table(results, &results->problems[p].rivals, document);
}

/* ---- the run ---- */

json_t *clopt_results_run_to_json(const struct clopt_results *results)
{
    char seed[24]; /* a text, since JSON's readers round large numbers */
    if (!results->has_run)
        return json_null();
    snprintf(seed, sizeof seed, "%" PRIu64, results->seed);
    return json_pack(
        "{s:o, s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:o, s:o, s:s?, s:s?}", "title",
        clopt_json_text(results->title), "clopt_version", results->version, "objective",
        clopt_objective_words(results->objective)->name, "unit",
        clopt_objective_words(results->objective)->unit, "seed", seed, "not_chosen",
        (json_int_t)results->not_chosen, "not_feasible", (json_int_t)results->not_feasible,
        "not_reached", (json_int_t)results->not_reached, "disturbed_processes",
        (json_int_t)results->disturbed, "started_s", clopt_json_real(results->started_s), "ended_s",
        clopt_json_real(results->ended_s), "status", results->status, "shards", results->shards);
}

static json_t *devices_to_json(const struct clopt_results *results)
{
    json_t *devices = json_array();
    for (size_t i = 0; devices && i < results->device_count; i++) {
        const struct clopt_results_device *device = &results->devices[i];
        clopt_json_append(&devices,
                          json_pack("{s:o, s:o, s:o, s:s, s:o, s:o}", "label",
                                    clopt_json_text(device->label), "platform",
                                    clopt_json_text(device->platform), "name",
                                    clopt_json_text(device->name), "type", device->type,
                                    "driver_version", clopt_json_text(device->driver_version),
                                    "peaks", clopt_peaks_to_json(&device->peaks)));
    }
    return devices;
}

static json_t *stages_to_json(const struct clopt_results *results)
{
    json_t *stages = json_object();
    for (size_t i = 0; stages && i < results->stage_count; i++)
        json_object_set_new(stages, results->stages[i].name, json_real(results->stages[i].seconds));
    return stages;
}

void clopt_results_add_data(const struct clopt_results *results, struct clopt_document *document,
                            struct clopt_error *error)
{
    clopt_document_data(document, "run", clopt_results_run_to_json(results));
    clopt_document_data(document, "devices", devices_to_json(results));
    clopt_document_data(document, "stages_s", stages_to_json(results));
    clopt_document_data(document, "portability", clopt_portability_to_json(results, error));
    add_rows(results, document);
}
