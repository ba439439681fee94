/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints results as T4, the auto-tuning community's format of results (schema 1.0.0). */
#include <math.h>
#include <string.h>

#include "report/exchange.h"
#include "text/json.h"
#include "text/text.h"

#define SCHEMA "1.0.0"

struct making {
    const struct clopt_exchange *exchange;
    json_t *results;
};

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

/* The schema calls the time to compile otherwise than the programs that write and read T4. */
static json_t *make_times(const struct clopt_exchange_entry *entry)
{
    json_t *times = json_pack("{s:O}", "runtimes", entry->times_ms);
    if (times && !isnan(entry->compile_ms) &&
        (json_object_set_new(times, "compilation_time", json_real(entry->compile_ms)) != 0 ||
         json_object_set_new(times, "compilation", json_real(entry->compile_ms)) != 0)) {
        json_decref(times);
        return NULL;
    }
    return times;
}

static json_t *make_measurements(const struct clopt_exchange *exchange,
                                 const struct clopt_exchange_entry *entry)
{
    const char *unit = clopt_arithmetic_unit(exchange->table->work.arithmetic);
    struct clopt_rates rates = clopt_exchange_rates(exchange, entry);
    const struct {
        const char *name;
        double value;
        const char *unit;
    } known[] = {
        {"time", entry->time_ms, "ms"},
        {"run_time", entry->run_ms, "ms"},
        {"speedup", entry->result->times[CLOPT_SCOPE_KERNEL].speedup.median, ""},
        {unit, rates.goperations_per_s, unit},
        {"GB/s", rates.gbytes_per_s, "GB/s"},
    };
    json_t *measurements = json_array();
    for (size_t i = 0; i < sizeof known / sizeof *known && measurements; i++)
        if (entry->right && isfinite(known[i].value) &&
            json_array_append_new(measurements,
                                  json_pack("{s:s, s:f, s:s}", "name", known[i].name, "value",
                                            known[i].value, "unit", known[i].unit)) != 0) {
            json_decref(measurements);
            return NULL;
        }
    return measurements;
}

/* What only clopt tells. */
static json_t *make_own(const struct clopt_exchange *exchange,
                        const struct clopt_exchange_entry *entry)
{
    const struct clopt_store_trial *trial = &entry->result->trial;
    const char *alias = clopt_exchange_alias(exchange, entry);
    return json_pack("{s:o, s:I, s:s, s:o, s:o, s:b}", "variant", clopt_json_text(entry->row->name),
                     "trial", (json_int_t)trial->id, "outcome",
                     clopt_outcome_name(entry->result->outcome), "reason",
                     clopt_json_text(trial->reason), "alias_of", clopt_json_text(alias),
                     "abandoned", trial->abandoned);
}

static enum clopt_status append_result(void *user, const struct clopt_exchange_entry *entry,
                                       struct clopt_error *error)
{
    struct making *making = user;
    json_t *result =
        json_pack("{s:O, s:o, s:s, s:i, s:o, s:[s], s:o}", "configuration", entry->configuration,
                  "times", make_times(entry), "invalidity", invalidity(entry), "correctness",
                  entry->right ? 1 : 0, "measurements", make_measurements(making->exchange, entry),
                  "objectives", "time", "clopt", make_own(making->exchange, entry));
    return json_array_append_new(making->results, result) == 0 ? CLOPT_OK
                                                               : clopt_fail_memory(error);
}

static enum clopt_status make_document(const struct clopt_exchange *exchange, json_t **document,
                                       struct clopt_error *error)
{
    const struct clopt_results_device *device = exchange->device;
    struct making making = {exchange, json_array()};
    enum clopt_status status = making.results
                                   ? clopt_exchange_visit(exchange, append_result, &making, error)
                                   : clopt_fail_memory(error);
    json_t *hardware =
        json_pack("{s:o, s:o, s:o, s:o}", "device", clopt_json_text(device->name), "type",
                  clopt_json_text(device->type), "platform", clopt_json_text(device->platform),
                  "driver_version", clopt_json_text(device->driver_version));
    *document =
        json_pack("{s:s, s:{s:s, s:{s:[o]}, s:o}, s:o}", "schema_version", SCHEMA, "metadata",
                  "timeunit", "milliseconds", "hardware", "hardware_description", hardware, "clopt",
                  clopt_exchange_origin(exchange), "results", making.results);
    return status ? status : *document ? CLOPT_OK : clopt_fail_memory(error);
}

enum clopt_status clopt_report_t4(struct clopt_store *store,
                                  const struct clopt_report_exchange *request,
                                  struct clopt_error *error)
{
    static const struct clopt_exchange_format format = {
        .name = "a T4 document", .option = "--t4", .ending = "t4.json", .make = make_document};
    return clopt_exchange_write(store, &format, request, error);
}
