/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a report as JSON. */
#include "report/report.h"

#include <inttypes.h>

#include "base/json.h"
#include "base/text.h"
#include "view/fields.h"
#include "view/portability.h"

#define SCHEMA 1

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

/* The rows of results. */
struct rows {
    const struct clopt_results *results;
    json_t *list;
};

static enum clopt_status append_row(void *user, json_t *const *values, struct clopt_error *error)
{
    const struct rows *rows = user;
    json_t *row = json_object();
    for (size_t i = 0; row && i < CLOPT_FIELD_COUNT; i++)
        if (json_object_set(row, clopt_field_name(rows->results, i), values[i]) != 0)
            return clopt_fail_memory(error);
    return json_array_append_new(rows->list, row) == 0 ? CLOPT_OK : clopt_fail_memory(error);
}

enum clopt_status clopt_report_json(struct clopt_store *store, FILE *stream,
                                    struct clopt_error *error)
{
    struct clopt_results *results;
    enum clopt_status status = clopt_results_gather(store, &results, error);
    if (status)
        return status;
    struct rows rows = {results, json_array()};
    status = rows.list ? clopt_results_visit(results, append_row, &rows, error)
                       : clopt_fail_memory(error);
    json_t *portability = clopt_portability_to_json(results, error);
    json_t *report = json_pack(
        "{s:s, s:i, s:o, s:o, s:o, s:o, s:O}", "format", "clopt report", "schema", SCHEMA, "run",
        clopt_results_run_to_json(results), "devices", devices_to_json(results), "stages_s",
        stages_to_json(results), "portability", portability, "results", rows.list);
    if (status)
        json_decref(report);
    else
        status = clopt_json_print(report, stream, "the report", error);
    json_decref(rows.list);
    clopt_results_destroy(results);
    return status;
}
