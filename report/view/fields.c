/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns results into named values, so that CSV and JSON cannot disagree. */
#include "view/view.h"

#include <math.h>

#include "text/json.h"

/* After a %s, "_ns", unless what is measured is no time. */
#define FIELD_NAMES                                                                                \
    "app problem kernel variant device platform device_name driver_version trial key outcome "     \
    "reason stage signal verified verify_error verify_bound complete abandoned ranked alias_of "   \
    "samples processes median%s low%s high%s attained speedup speedup_low speedup_high "           \
    "speedup_attained speedup_processes efficiency efficiency_low efficiency_high "                \
    "efficiency_attained efficiency_processes different verdict best tied arithmetic "             \
    "goperations_per_s peak_goperations_per_s operations_of_peak gbytes_per_s "                    \
    "peak_gbytes_per_s bytes_of_peak bound run_samples run_processes run_median%s run_low%s "      \
    "run_high%s run_attained run_speedup run_speedup_low run_speedup_high "                        \
    "run_speedup_attained run_speedup_processes run_efficiency run_efficiency_low "                \
    "run_efficiency_high run_efficiency_attained run_efficiency_processes run_different "          \
    "run_verdict run_best run_tied build_ns build_kept deferred_ns lines_changed fingerprint "     \
    "noise drift run_noise run_drift access_patterns counters published figure objective unit "    \
    "member speedup_by_clock run_speedup_by_clock%s"

/* What depends on no measurement. */
static void add_identity(const struct clopt_results *results, const struct clopt_result *result,
                         struct clopt_document *document)
{
    const struct clopt_results_table *table = result->row->table;
    const struct clopt_results_problem *problem = &results->problems[table->problem];
    const struct clopt_results_device *on = &results->devices[result->device];
    clopt_document_row(document, "ssssssss", problem->app, problem->label, table->kernel,
                       result->row->name, on->label, on->platform, on->name, on->driver_version);
}

static void add_outcome(const struct clopt_result *result, struct clopt_document *document)
{
    const struct clopt_results_row *other = clopt_result_same_code(result);
    const struct clopt_store_trial *trial = &result->trial;
    clopt_document_values(document, "issssibddbbbs", trial->id, *trial->key ? trial->key : NULL,
                          clopt_outcome_name(result->outcome), trial->reason, trial->stage,
                          (int64_t)trial->signal, trial->verdict.right,
                          trial->verdict.right ? trial->verdict.error : NAN,
                          trial->verdict.right ? trial->verdict.bound : NAN, trial->complete,
                          trial->abandoned, result->ranked, other ? other->name : NULL);
}

static void add_interval(const struct clopt_interval *interval, struct clopt_document *document)
{
    clopt_document_values(document, "dddb", interval->median, interval->low, interval->high,
                          interval->attained);
}

static void add_samples(const struct clopt_interval *interval, struct clopt_document *document)
{
    clopt_document_values(document, "ii", (int64_t)interval->samples, (int64_t)interval->processes);
    add_interval(interval, document);
}

static void add_ratios(const struct clopt_result_time *time, struct clopt_document *document)
{
    add_interval(&time->speedup, document);
    clopt_document_values(document, "i", (int64_t)time->speedup.processes);
    add_interval(&time->efficiency, document);
    clopt_document_values(document, "ibsbb", (int64_t)time->efficiency.processes, time->different,
                          clopt_verdict_names[time->verdict], time->best, time->tied);
}

static void add_rates(const struct clopt_results *results, const struct clopt_result *result,
                      struct clopt_document *document)
{
    const struct clopt_results_table *table = result->row->table;
    enum clopt_arithmetic arithmetic =
        table->work.operations > 0 ? table->work.arithmetic : CLOPT_ARITHMETIC_COUNT;
    const struct clopt_peaks *peaks = &results->devices[result->device].peaks;
    bool known = arithmetic < CLOPT_ARITHMETIC_COUNT;
    struct clopt_rates rates = clopt_results_rates(results, result);
    clopt_document_values(document, "sdddddds", clopt_arithmetic_name(arithmetic),
                          rates.goperations_per_s,
                          known ? peaks->goperations_per_s[arithmetic] : NAN,
                          rates.operations_of_peak, rates.gbytes_per_s, peaks->gbytes_per_s,
                          rates.bytes_of_peak, clopt_bound_name(rates.bound));
}

/* What the clock says of a speed-up that load bounds; NaN: it says the same. */
static double by_clock(const struct clopt_result *result, enum clopt_scope scope)
{
    double speedup = result->times[scope].by_clock;
    return speedup > 0 ? speedup : NAN;
}

/* Returns the store that has a result, where there are several; else NULL. */
static const char *find_store(const struct clopt_results *results,
                              const struct clopt_result *result)
{
    const struct clopt_results_origin *origin = results->origins;
    for (size_t i = 0; i < results->origin_count; i++, origin++)
        if (origin->device == results->devices[result->device].id &&
            origin->problem == results->problems[result->row->table->problem].id &&
            strcmp(origin->kernel, result->row->table->kernel) == 0)
            return origin->store;
    return NULL;
}

static void add_result(const struct clopt_results *results, const struct clopt_result *result,
                       struct clopt_document *document)
{
    const struct clopt_results_table *table = result->row->table;
    const struct clopt_results_noise *noise = &table->noise[result->device];
    const struct clopt_results_noise *run_noise =
        &results->problems[table->problem].noise[result->device];
    const struct clopt_objective_words *words = clopt_objective_words(results->objective);
    CLOPT_OWNED(clopt_text) members = {0};
    CLOPT_FREED char *patterns = clopt_patterns_label(table, "; ");
    clopt_members_append(&members, results, clopt_result_measured(result));
    add_identity(results, result, document);
    add_outcome(result, document);
    add_samples(&result->times[CLOPT_SCOPE_KERNEL].interval, document);
    add_ratios(&result->times[CLOPT_SCOPE_KERNEL], document);
    add_rates(results, result, document);
    add_samples(&result->times[CLOPT_SCOPE_RUN].interval, document);
    add_ratios(&result->times[CLOPT_SCOPE_RUN], document);
    clopt_document_values(
        document, results->origin_count ? "ibiisddddso--sssdds" : "ibiisddddso--sssdd",
        result->trial.build.ns, result->trial.build.kept, result->trial.build.deferred_ns,
        (int64_t)result->trial.lines_changed, result->trial.fingerprint, noise->noise, noise->drift,
        run_noise->noise, run_noise->drift, *patterns ? patterns : NULL,
        result->counters ? json_incref(result->counters) : json_null(), words->name, words->unit,
        members.data, by_clock(result, CLOPT_SCOPE_KERNEL), by_clock(result, CLOPT_SCOPE_RUN),
        find_store(results, result));
}

/* A published time is a row like the others, in which most is not known. */
static void add_published(const struct clopt_results *results, const struct clopt_results_row *row,
                          size_t device, struct clopt_document *document)
{
    const struct clopt_published_time *time = &row->published[device];
    const struct clopt_results_table *table = row->table;
    const struct clopt_results_problem *problem = &results->problems[table->problem];
    const struct clopt_results_published *published = &results->published[device];
    const struct clopt_objective_words *words = clopt_objective_words(results->objective);
    clopt_document_row(document, "sssss-s", problem->app, problem->label, table->kernel, row->name,
                       published->label, published->device);
    clopt_document_skip_to(document, "outcome");
    clopt_document_values(document, "s", time->outcome);
    clopt_document_skip_to(document, "median_ns"); /* others have no published times */
    clopt_document_values(document, "d", time->time_ns);
    clopt_document_skip_to(document, "speedup");
    clopt_document_values(document, "d", time->speedup);
    clopt_document_skip_to(document, "published");
    clopt_document_values(document, results->origin_count ? "ssss----" : "ssss---",
                          published->source, time->figure, words->name, words->unit);
}

static void add_table(const struct clopt_results *results, const struct clopt_results_table *table,
                      struct clopt_document *document)
{
    for (size_t i = 0; i < table->row_count; i++) {
        const struct clopt_results_row *row = &table->rows[i];
        for (size_t d = 0; d < results->device_count; d++)
            if (row->cells[d].present)
                add_result(results, &row->cells[d], document);
        for (size_t d = 0; d < row->published_count; d++)
            if (row->published[d].figure)
                add_published(results, row, d, document);
    }
}

static void add_rows(const struct clopt_results *results, struct clopt_document *document)
{
    const char *ns = results->objective == CLOPT_OBJECTIVE_TIME ? "_ns" : "";
    clopt_document_rows(document, "results", FIELD_NAMES, ns, ns, ns, ns, ns, ns,
                        results->origin_count ? " store" : "");
    for (size_t t = 0; t < results->table_count; t++)
        add_table(results, &results->tables[t], document);
    for (size_t p = 0; p < results->problem_count; p++)
        add_table(results, &results->problems[p].rivals, document);
}

/* ---- the run ---- */

json_t *clopt_results_run_to_json(const struct clopt_results *results)
{
    const struct clopt_objective_words *words = clopt_objective_words(results->objective);
    char seed[24]; /* a text, since JSON's readers round large numbers */
    if (!results->run.there)
        return json_null();
    snprintf(seed, sizeof seed, "%" PRIu64, results->run.seed);
    return clopt_json_object(
        "title:s clopt_version:s objective:s unit:s seed:s not_chosen:i not_feasible:i "
        "not_reached:i disturbed_processes:i started_s:d ended_s:d status:s shards:s",
        results->run.title, results->run.version, words->name, words->unit, seed,
        results->run.not_chosen, results->run.not_feasible, results->run.not_reached,
        results->run.disturbed, results->run.started_s, results->run.ended_s, results->run.status,
        results->run.shards);
}

static json_t *devices_to_json(const struct clopt_results *results)
{
    json_t *devices = json_array();
    for (size_t i = 0; i < results->device_count; i++) {
        const struct clopt_results_device *device = &results->devices[i];
        const struct clopt_clock clock = clopt_results_clock(device);
        json_t *json =
            clopt_json_object("label:s platform:s name:s type:s driver_version:s peaks:o",
                              device->label, device->platform, device->name, device->type,
                              device->driver_version, clopt_peaks_to_json(&device->peaks));
        if (clock.source)
            json_object_set_new(json, "clock", clopt_clock_to_json(&clock));
        clopt_json_append(&devices, json);
    }
    return devices;
}

static json_t *stages_to_json(const struct clopt_results *results)
{
    json_t *stages = json_object();
    for (size_t i = 0; i < results->work.stage_count; i++)
        json_object_set_new(stages, results->work.stages[i].name,
                            json_real(results->work.stages[i].seconds));
    return stages;
}

void clopt_results_add_data(const struct clopt_results *results, struct clopt_document *document)
{
    clopt_document_data(document, "run", clopt_results_run_to_json(results));
    clopt_document_data(document, "devices", devices_to_json(results));
    clopt_document_data(document, "stages_s", stages_to_json(results));
    clopt_document_data(document, "portability", clopt_portability_to_json(results));
    add_rows(results, document);
}
