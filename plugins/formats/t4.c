/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints results as T4, the auto-tuning community's format of results (schema 1.0.0). */
#include <math.h>

#include "formats/formats.h"
#include "text/json.h"

#define SCHEMA "1.0.0"

/* The word for how a variant ended. */
static const char *invalidity(const struct clopt_exchange_entry *entry)
{
    static const char *const words[] = {
        [CLOPT_OUTCOME_OK] = "correct",
        [CLOPT_OUTCOME_PENDING] = "correct", /* has not all of its samples */
        [CLOPT_OUTCOME_INFEASIBLE] = "constraints",
        [CLOPT_OUTCOME_BUILD_FAILED] = "compile",
        [CLOPT_OUTCOME_WRONG_RESULT] = "correctness",
        [CLOPT_OUTCOME_CRASHED] = "runtime",
        [CLOPT_OUTCOME_TIMEOUT] = "timeout",
        [CLOPT_OUTCOME_OUT_OF_RESOURCES] = "runtime",
        [CLOPT_OUTCOME_DEVICE_LOST] = "runtime",
    };
    const char *word = words[entry->result->outcome];
    return strcmp(word, "runtime") == 0 && clopt_exchange_failed_to_build(entry) ? "compile" : word;
}

/* Lists what is known of a variant that was right. */
static json_t *make_measurements(const struct clopt_exchange_entry *entry)
{
    const char *unit = clopt_arithmetic_unit(entry->exchange->table->work.arithmetic);
    const struct {
        const char *name;
        double value;
        const char *unit;
    } known[] = {
        {"time", entry->time_ms, "ms"},
        {"run_time", entry->run_ms, "ms"},
        {"speedup", entry->result->times[CLOPT_SCOPE_KERNEL].speedup.median, ""},
        {unit, entry->rates.goperations_per_s, unit},
        {"GB/s", entry->rates.gbytes_per_s, "GB/s"},
    };
    json_t *measurements = json_array();
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (entry->right && isfinite(known[i].value))
            clopt_json_append(&measurements,
                              clopt_json_object("name:s value:d unit:s", known[i].name,
                                                known[i].value, known[i].unit));
    return measurements;
}

/* Appends a variant to the results, with what only clopt tells. The schema calls the time to
 * compile otherwise than the programs that write and read T4. */
static enum clopt_status append_result(void *user, const struct clopt_exchange_entry *entry,
                                       struct clopt_error *error)
{
    (void)error;
    const struct clopt_store_trial *trial = &entry->result->trial;
    json_t *own = clopt_json_object(
        "variant:s trial:i outcome:s reason:s alias_of:s abandoned:b", entry->row->name, trial->id,
        clopt_outcome_name(entry->result->outcome), trial->reason, entry->alias, trial->abandoned);
    json_t *times =
        clopt_json_object("runtimes:o compilation_time:D compilation:D",
                          json_incref(entry->times_ms), entry->compile_ms, entry->compile_ms);
    json_t *result = clopt_json_object(
        "configuration:o times:o invalidity:s correctness:i measurements:o objectives:o clopt:o",
        json_incref(entry->configuration), times, invalidity(entry), (int64_t)entry->right,
        make_measurements(entry), json_pack("[s]", "time"), own);
    json_array_append_new(user, result);
    return CLOPT_OK;
}

static enum clopt_status make_document(const struct clopt_exchange *exchange, json_t **document,
                                       struct clopt_error *error)
{
    const struct clopt_results_device *device = exchange->device;
    json_t *results = json_array();
    enum clopt_status status = clopt_exchange_visit(exchange, append_result, results, error);
    json_t *hardware =
        clopt_json_object("device:s type:s platform:s driver_version:s", device->name, device->type,
                          device->platform, device->driver_version);
    json_t *metadata =
        clopt_json_object("timeunit:s hardware:o clopt:o", "milliseconds",
                          clopt_json_object("hardware_description:o", json_pack("[o]", hardware)),
                          clopt_exchange_origin(exchange));
    *document =
        clopt_json_object("schema_version:s metadata:o results:o", SCHEMA, metadata, results);
    return status;
}

const struct clopt_exchange_format clopt_exchange_t4 = {
    .name = "a T4 document", .option = "t4", .ending = "t4.json", .make = make_document};
