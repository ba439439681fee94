/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints results as a cache file of Kernel Tuner, which its simulations and dashboards read. */
#include <math.h>

#include "formats/formats.h"
#include "text/json.h"

/* What is put instead of a time where there is none. */
static const char *failure(const struct clopt_exchange_entry *entry)
{
    enum clopt_outcome outcome = entry->result->outcome;
    if (outcome == CLOPT_OUTCOME_INFEASIBLE)
        return "InvalidConfig";
    bool compiler = outcome == CLOPT_OUTCOME_BUILD_FAILED || clopt_exchange_failed_to_build(entry);
    return compiler ? "CompilationFailedConfig" : "RuntimeFailedConfig";
}

/* Makes what is told of a variant besides its parameters. */
static json_t *make_results(const struct clopt_exchange_entry *entry)
{
    const struct clopt_result *result = entry->result;
    bool right = entry->right;
    char names[160];
    snprintf(names, sizeof names,
             "time:o times:O compile_time:D run_time:D speedup:D %s:D GB/s:D variant:s outcome:s "
             "reason:S alias_of:S",
             clopt_arithmetic_unit(entry->exchange->table->work.arithmetic));
    return clopt_json_object(
        names, right ? json_real(entry->time_ms) : json_string(failure(entry)),
        right ? json_incref(entry->times_ms) : json_null(), entry->compile_ms, entry->run_ms,
        right ? result->times[CLOPT_SCOPE_KERNEL].speedup.median : NAN,
        right ? entry->rates.goperations_per_s : NAN, right ? entry->rates.gbytes_per_s : NAN,
        entry->row->name, clopt_outcome_name(result->outcome), result->trial.reason, entry->alias);
}

/* Adds it to the parameters, of which one with such a name is in the way. */
static enum clopt_status add_results(const struct clopt_exchange_entry *entry, json_t *record,
                                     struct clopt_error *error)
{
    json_auto_t *results = make_results(entry);
    json_t *value;
    const char *key;
    json_object_foreach(results, key, value)
    {
        if (json_object_get(record, key))
            return clopt_fail(error, CLOPT_FAILED,
                              "a parameter is called %s, as a result is in a cache file of "
                              "Kernel Tuner: rename the parameter",
                              key);
    }
    json_object_update(record, results);
    return CLOPT_OK;
}

/* Appends a value as Python writes it. */
static void append_value(struct clopt_text *name, const json_t *value)
{
    CLOPT_FREED char *number = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
    clopt_text_append(name, json_is_string(value) ? json_string_value(value)
                            : json_is_null(value) ? "None"
                                                  : number);
}

/* The name of a record: its values. For the caller to free. */
static char *name_record(const json_t *configuration)
{
    struct clopt_text name = {0};
    const char *separator = "";
    const char *key;
    json_t *value;
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
    json_t *cache = user;
    json_auto_t *record = json_copy(entry->configuration);
    CLOPT_FREED char *name = name_record(entry->configuration);
    CLOPT_TRY(add_results(entry, record, error));
    if (json_object_get(cache, name))
        return clopt_fail(error, CLOPT_FAILED,
                          "Kernel Tuner cannot tell %s from another variant: both would be "
                          "called %s",
                          entry->row->name, name);
    json_object_set(cache, name, record);
    return CLOPT_OK;
}

/* Whether the label of a problem, "rows=512, columns=64", names an input with this value. */
static bool is_in_label(const char *label, const char *name, const char *value)
{
    CLOPT_FREED char *wanted = clopt_text_format("%s=%s", name, value);
    size_t length = strlen(name) + 1 + strlen(value);
    bool found = false;
    for (const char *at = label; !found && (at = strstr(at, wanted)); at++)
        found = (at == label || at[-1] == ' ') && (!at[length] || at[length] == ',');
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
    json_t *values = exchange->tunables.values, *value;
    json_t *keys = json_array(), *cache = json_object();
    const char *key;
    enum clopt_status status = clopt_exchange_visit(exchange, append_record, cache, error);
    json_object_foreach(values, key, value) clopt_json_append(&keys, json_string(key));
    /* The cache comes last, since Kernel Tuner appends to a file. */
    *document = clopt_json_object(
        "device_name:s kernel_name:s problem_size:o tune_params_keys:o tune_params:o objective:s "
        "clopt:o cache:o",
        exchange->device->name, exchange->table->kernel, make_problem_size(exchange->problem), keys,
        json_incref(values), "time", clopt_exchange_origin(exchange), cache);
    return status;
}

const struct clopt_exchange_format clopt_exchange_kernel_tuner = {
    .name = "a cache file of Kernel Tuner",
    .option = "kernel-tuner",
    .ending = "kernel-tuner.json",
    .make = make_document};
