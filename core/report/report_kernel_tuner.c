/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints results as a cache file of Kernel Tuner, which its simulations and dashboards read. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/exchange.h"
#include "text/json.h"
#include "text/text.h"

struct making {
    const struct clopt_exchange *exchange;
    json_t *cache;
};

/* What is put instead of a time where there is none. */
static const char *failure(const struct clopt_exchange_entry *entry)
{
    enum clopt_outcome outcome = entry->result->outcome;
    if (outcome == CLOPT_OUTCOME_INFEASIBLE)
        return "InvalidConfig";
    bool compiler = outcome == CLOPT_OUTCOME_BUILD_FAILED || clopt_exchange_failed_to_build(entry);
    return compiler ? "CompilationFailedConfig" : "RuntimeFailedConfig";
}

/* Adds a member to a record; a parameter of the same name is in the way. */
static enum clopt_status add(json_t *record, const char *key, json_t *value,
                             struct clopt_error *error)
{
    if (json_object_get(record, key)) {
        json_decref(value);
        return clopt_fail(error, CLOPT_FAILED,
                          "a parameter is called %s, as a result is in a cache file of Kernel "
                          "Tuner: rename the parameter",
                          key);
    }
    return json_object_set_new(record, key, value) == 0 ? CLOPT_OK : clopt_fail_memory(error);
}

static enum clopt_status add_number(json_t *record, const char *key, double value,
                                    struct clopt_error *error)
{
    return isfinite(value) ? add(record, key, json_real(value), error) : CLOPT_OK;
}

static enum clopt_status add_text(json_t *record, const char *key, const char *text,
                                  struct clopt_error *error)
{
    return text ? add(record, key, clopt_json_text(text), error) : CLOPT_OK;
}

static enum clopt_status add_results(const struct clopt_exchange *exchange,
                                     const struct clopt_exchange_entry *entry, json_t *record,
                                     struct clopt_error *error)
{
    const struct clopt_result_time *time = &entry->result->times[CLOPT_SCOPE_KERNEL];
    struct clopt_rates rates = clopt_exchange_rates(exchange, entry);
    enum clopt_status status = entry->right ? add_number(record, "time", entry->time_ms, error)
                                            : add_text(record, "time", failure(entry), error);
    if (!status && entry->right)
        status = add(record, "times", json_incref(entry->times_ms), error);
    if (!status)
        status = add_number(record, "compile_time", entry->compile_ms, error);
    if (!status)
        status = add_number(record, "run_time", entry->run_ms, error);
    if (!status && entry->right)
        status = add_number(record, "speedup", time->speedup.median, error);
    if (!status && entry->right)
        status = add_number(record, clopt_arithmetic_unit(exchange->table->work.arithmetic),
                            rates.goperations_per_s, error);
    if (!status && entry->right)
        status = add_number(record, "GB/s", rates.gbytes_per_s, error);
    return status;
}

/* Appends a value as Python writes it. */
static void append_value(struct clopt_text *name, const json_t *value)
{
    char *number = NULL;
    if (json_is_string(value))
        clopt_text_append(name, json_string_value(value));
    else if (json_is_null(value))
        clopt_text_append(name, "None");
    else if ((number = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15))))
        clopt_text_append(name, number);
    else
        name->failed = true;
    free(number);
}

/* The name of a record: its values. For the caller to free; NULL when memory runs out. */
static char *name_record(const json_t *configuration)
{
    struct clopt_text name = {0};
    const char *separator = "";
    const char *key;
    json_t *value;
    clopt_text_append(&name, "");
    json_object_foreach((json_t *)configuration, key, value)
    {
        clopt_text_append(&name, separator);
        append_value(&name, value);
        separator = ",";
    }
    return clopt_text_take(&name);
}

static enum clopt_status append_record(void *user, const struct clopt_exchange_entry *entry,
                                       struct clopt_error *error)
{
    struct making *making = user;
    json_t *record = json_object();
    char *name = name_record(entry->configuration);
    bool copied = record && json_object_update(record, entry->configuration) == 0;
    enum clopt_status status = copied && name ? add_results(making->exchange, entry, record, error)
                                              : clopt_fail_memory(error);
    if (!status)
        status = add_text(record, "variant", entry->row->name, error);
    if (!status)
        status = add_text(record, "outcome", clopt_outcome_name(entry->result->outcome), error);
    if (!status)
        status = add_text(record, "reason", entry->result->trial.reason, error);
    if (!status)
        status = add_text(record, "alias_of", clopt_exchange_alias(making->exchange, entry), error);
    if (!status && json_object_get(making->cache, name))
        status = clopt_fail(error, CLOPT_FAILED,
                            "Kernel Tuner cannot tell %s from another variant: both would be "
                            "called %s",
                            entry->row->name, name);
    if (!status && json_object_set(making->cache, name, record) != 0)
        status = clopt_fail_memory(error);
    json_decref(record);
    free(name);
    return status;
}

/* Whether the label of a problem, "rows=512, columns=64", names an input with this value. */
static bool is_in_label(const char *label, const char *name, const char *value)
{
    struct clopt_text wanted = {0};
    clopt_text_printf(&wanted, "%s=%s", name, value);
    size_t length = wanted.length;
    bool found = false;
    for (const char *at = label; !found && !wanted.failed && (at = strstr(at, wanted.data)); at++)
        found = (at == label || at[-1] == ' ') && (!at[length] || at[length] == ',');
    clopt_text_fini(&wanted);
    return found;
}

/* The integers that tell a problem. Kernel Tuner simulates no search where this is a text. */
static json_t *make_problem_size(const struct clopt_results_problem *problem)
{
    json_t *sizes = json_array();
    const char *name;
    json_t *input;
    json_object_foreach(problem->inputs, name, input)
    {
        const char *value = json_string_value(input);
        if (!value || !is_in_label(problem->label, name, value))
            continue;
        json_t *size = clopt_tunable_value(value);
        if (size && !json_is_integer(size))
            json_decref(size);
        else
            clopt_json_append(&sizes, size);
    }
    return sizes;
}

static enum clopt_status make_document(const struct clopt_exchange *exchange, json_t **document,
                                       struct clopt_error *error)
{
    json_t *values = exchange->tunables.values;
    json_t *keys = json_array();
    const char *key;
    json_t *value;
    struct making making = {exchange, json_object()};
    enum clopt_status status = making.cache
                                   ? clopt_exchange_visit(exchange, append_record, &making, error)
                                   : clopt_fail_memory(error);
    json_object_foreach(values, key, value)
    {
        if (json_array_append_new(keys, json_string(key)) != 0)
            status = clopt_fail_memory(error);
    }
    /* The cache comes last, since Kernel Tuner appends to a file. */
    *document = json_pack("{s:o, s:o, s:o, s:o, s:O, s:s, s:o, s:o}", "device_name",
                          clopt_json_text(exchange->device->name), "kernel_name",
                          clopt_json_text(exchange->table->kernel), "problem_size",
                          make_problem_size(exchange->problem), "tune_params_keys", keys,
                          "tune_params", values, "objective", "time", "clopt",
                          clopt_exchange_origin(exchange), "cache", making.cache);
    return status ? status : *document ? CLOPT_OK : clopt_fail_memory(error);
}

enum clopt_status clopt_report_kernel_tuner(struct clopt_store *store,
                                            const struct clopt_report_exchange *request,
                                            struct clopt_error *error)
{
    static const struct clopt_exchange_format format = {.name = "a cache file of Kernel Tuner",
                                                        .option = "--kernel-tuner",
                                                        .ending = "kernel-tuner.json",
                                                        .make = make_document};
    return clopt_exchange_write(store, &format, request, error);
}

/* ---- as a space to search ---- */

static size_t count_state(const struct clopt_exchange *exchange, enum clopt_exchange_state state)
{
    size_t count = 0;
    for (size_t i = 0; i < exchange->table->row_count; i++) {
        const struct clopt_results_row *row = &exchange->table->rows[i];
        count += clopt_exchange_state(&row->cells[exchange->device_number]) == state;
    }
    return count;
}

/* Refuses a space that has not been measured as a whole: a search would find less in it. */
static enum clopt_status make_space(const struct clopt_exchange *exchange, json_t **document,
                                    struct clopt_error *error)
{
    size_t missing = count_state(exchange, CLOPT_EXCHANGE_UNMEASURED) +
                     count_state(exchange, CLOPT_EXCHANGE_UNVERIFIED);
    int64_t left_out = exchange->results->not_chosen + exchange->results->not_reached;
    if (left_out)
        return clopt_fail(error, CLOPT_INVALID,
                          "its run left out %" PRId64 " trials of the study, as a sample or for "
                          "lack of time: a search is simulated where all variants were tried",
                          left_out);
    if (strstr(exchange->results->config, "\n[search]\n"))
        return clopt_fail(error, CLOPT_INVALID,
                          "its run has searched: another search is simulated where all variants "
                          "were tried");
    if (missing)
        return clopt_fail(error, CLOPT_INVALID,
                          "%zu of %zu variants are not measured, or not verified: a search is "
                          "simulated where all were; finish the study first",
                          missing, exchange->table->row_count);
    return make_document(exchange, document, error);
}

enum clopt_status clopt_report_space(struct clopt_store *store,
                                     const struct clopt_report_exchange *request,
                                     struct clopt_error *error)
{
    static const struct clopt_exchange_format format = {.name = "a simulated search",
                                                        .make = make_space};
    return clopt_exchange_write(store, &format, request, error);
}
