/* SPDX-License-Identifier: BSD-3-Clause */
/* What the formats of other auto-tuners tell of a variant, and of all of them. */
#include <math.h>

#include "exchange/exchange.h"
#include "text/json.h"

#define NS_PER_MS 1e6

enum clopt_exchange_state clopt_exchange_state(const struct clopt_result *result)
{
    bool measured = !isnan(result->times[CLOPT_SCOPE_KERNEL].interval.median);
    if (!result->present)
        return CLOPT_EXCHANGE_ABSENT;
    if (result->outcome != CLOPT_OUTCOME_OK && result->outcome != CLOPT_OUTCOME_PENDING)
        return CLOPT_EXCHANGE_FAILED;
    if (!measured)
        return CLOPT_EXCHANGE_UNMEASURED;
    return result->ranked ? CLOPT_EXCHANGE_RIGHT : CLOPT_EXCHANGE_UNVERIFIED;
}

json_t *clopt_exchange_origin(const struct clopt_exchange *exchange)
{
    const struct clopt_results *results = exchange->results;
    const struct clopt_results_problem *problem = exchange->problem;
    const struct clopt_results_device *device = exchange->device;
    char seed[24]; /* a text, since JSON's readers round large numbers */
    snprintf(seed, sizeof seed, "%" PRIu64, results->run.seed);
    return clopt_json_object(
        "program:s version:s title:s started_s:d seed:s app:s problem:s inputs:o kernel:s device:s "
        "device_name:s device_type:s platform:s driver_version:s",
        "clopt", results->run.version, results->run.title, results->run.started_s, seed,
        problem->app, problem->label, problem->inputs ? json_incref(problem->inputs) : json_null(),
        exchange->table->kernel, device->label, device->name, device->type, device->platform,
        device->driver_version);
}

bool clopt_exchange_failed_to_build(const struct clopt_exchange_entry *entry)
{
    const char *stage = entry->result->trial.stage;
    return stage && strcmp(stage, "build") == 0;
}

/* Reads the samples, which may be those of the variant that is the same program. */
static enum clopt_status read_times(const struct clopt_exchange *exchange,
                                    struct clopt_exchange_entry *entry, struct clopt_error *error)
{
    const struct clopt_result *measured = clopt_result_measured(entry->result);
    CLOPT_FREED double *times_ns = NULL;
    CLOPT_FREED uint32_t *process = NULL;
    size_t count = 0;
    CLOPT_TRY(clopt_store_get_samples(exchange->store, measured->trial.id, exchange->table->kernel,
                                      &times_ns, &process, &count, error));
    for (size_t i = 0; i < count; i++)
        json_array_append_new(entry->times_ms, json_real(times_ns[i] / NS_PER_MS));
    return CLOPT_OK;
}

static enum clopt_status visit_row(const struct clopt_exchange *exchange, size_t number,
                                   clopt_exchange_visit_entry visit, void *user,
                                   struct clopt_error *error)
{
    const struct clopt_results_row *row = &exchange->table->rows[number];
    const struct clopt_result *result = &row->cells[exchange->device_number];
    const struct clopt_store_trial *trial = &result->trial;
    const struct clopt_store_work *work = &exchange->table->work;
    const struct clopt_results_row *other = clopt_result_same_code(result);
    json_auto_t *times_ms = json_array();
    struct clopt_exchange_entry entry = {
        .exchange = exchange,
        .row = row,
        .alias = other ? other->name : NULL,
        .result = result,
        .configuration = exchange->tunables.rows[number],
        .right = clopt_exchange_state(result) == CLOPT_EXCHANGE_RIGHT,
        .times_ms = times_ms,
        .time_ms = NAN,
        .run_ms = NAN,
        .compile_ms = trial->build.ns
                          ? (double)(trial->build.ns + trial->build.deferred_ns) / NS_PER_MS
                          : NAN,
    };
    if (entry.right) {
        entry.time_ms = result->times[CLOPT_SCOPE_KERNEL].interval.median / NS_PER_MS;
        if (exchange->problem->several_kernels)
            entry.run_ms = result->times[CLOPT_SCOPE_RUN].interval.median / NS_PER_MS;
        CLOPT_TRY(read_times(exchange, &entry, error));
    }
    entry.rates = clopt_rates_compute(work->arithmetic, work->operations, work->bytes,
                                      entry.time_ms * NS_PER_MS, &exchange->device->peaks);
    return visit(user, &entry, error);
}

enum clopt_status clopt_exchange_visit(const struct clopt_exchange *exchange,
                                       clopt_exchange_visit_entry visit, void *user,
                                       struct clopt_error *error)
{
    for (size_t i = 0; i < exchange->table->row_count; i++) {
        enum clopt_exchange_state state =
            clopt_exchange_state(&exchange->table->rows[i].cells[exchange->device_number]);
        if (state == CLOPT_EXCHANGE_RIGHT || state == CLOPT_EXCHANGE_FAILED)
            CLOPT_TRY(visit_row(exchange, i, visit, user, error));
    }
    return CLOPT_OK;
}
