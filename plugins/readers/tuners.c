/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the variants in Kernel Tuner's cache files and in T4 documents. */
#include <math.h>

#include <clopt/memory.h>

#include "readers/readers.h"

#define MS_PER_S 1e3

/* Returns a time; 0 where there is none. */
static double read_ms(const json_t *object, const char *key)
{
    double value = json_number_value(json_object_get(object, key));
    return value > 0 ? value : 0;
}

static double sum_ms(const json_t *times)
{
    size_t index;
    const json_t *time;
    double sum = 0;
    json_array_foreach(times, index, time) sum += json_number_value(time);
    return sum > 0 ? sum : 0;
}

/* ---- Kernel Tuner: what is infeasible is no part of a space ---- */

/* A variant that failed has a word instead of its time. */
static struct clopt_recorded read_record(const json_t *record)
{
    const json_t *time = json_object_get(record, "time");
    double measured_ms = json_object_get(record, "benchmark_time")
                             ? read_ms(record, "benchmark_time")
                             : sum_ms(json_object_get(record, "times"));
    double cost_ms =
        read_ms(record, "compile_time") + read_ms(record, "verification_time") + measured_ms;
    bool right = json_is_number(time) && !json_object_get(record, "__error__");
    return (struct clopt_recorded){right ? json_number_value(time) : NAN, cost_ms / MS_PER_S};
}

static enum clopt_status read_cache(const json_t *document, struct clopt_recording_entries *entries,
                                    struct clopt_error *error)
{
    const json_t *cache = json_object_get(document, "cache");
    const char *name;
    json_t *record;
    entries->items = clopt_calloc(json_object_size(cache) + 1, sizeof *entries->items);
    entries->keys = json_deep_copy(json_object_get(document, "tune_params_keys"));
    if (!json_is_array(entries->keys))
        return clopt_fail(error, CLOPT_INVALID, "it has no array \"tune_params_keys\"");
    json_object_foreach((json_t *)cache, name, record)
    {
        const char *word = json_string_value(json_object_get(record, "time"));
        if (!word || strcmp(word, "InvalidConfig") != 0)
            entries->items[entries->count++] =
                (struct clopt_recording_entry){record, read_record(record)};
    }
    return CLOPT_OK;
}

/* ---- T4 ---- */

static double find_measurement(const json_t *result, const char *wanted)
{
    size_t index;
    const json_t *measurement;
    json_array_foreach(json_object_get(result, "measurements"), index, measurement)
    {
        const char *name = json_string_value(json_object_get(measurement, "name"));
        const json_t *value = json_object_get(measurement, "value");
        if (name && strcmp(name, wanted) == 0 && json_is_number(value))
            return json_number_value(value);
    }
    return NAN;
}

static struct clopt_recorded read_result(const json_t *result)
{
    const char *invalidity = json_string_value(json_object_get(result, "invalidity"));
    const json_t *times = json_object_get(result, "times");
    const char *compilation =
        json_object_get(times, "compilation") ? "compilation" : "compilation_time";
    bool right = invalidity && strcmp(invalidity, "correct") == 0;
    return (struct clopt_recorded){right ? find_measurement(result, "time") : NAN,
                                   (read_ms(times, compilation) + read_ms(times, "validation") +
                                    sum_ms(json_object_get(times, "runtimes"))) /
                                       MS_PER_S};
}

static enum clopt_status read_results(const json_t *document,
                                      struct clopt_recording_entries *entries,
                                      struct clopt_error *error)
{
    (void)error; /* what is missing is seen by who reads the entries */
    const json_t *results = json_object_get(document, "results");
    size_t index;
    const json_t *result;
    const char *key;
    json_t *value;
    entries->items = clopt_calloc(json_array_size(results) + 1, sizeof *entries->items);
    entries->keys = json_array();
    json_array_foreach(results, index, result)
    {
        const char *word = json_string_value(json_object_get(result, "invalidity"));
        if (!word || strcmp(word, "constraints") != 0)
            entries->items[entries->count++] = (struct clopt_recording_entry){
                json_object_get(result, "configuration"), read_result(result)};
    }
    const json_t *first = entries->count ? entries->items[0].configuration : NULL;
    json_object_foreach((json_t *)first, key, value)
        json_array_append_new(entries->keys, json_string(key));
    return CLOPT_OK;
}

/* ---- both ---- */

static bool is_cache(const json_t *document)
{
    return json_is_object(json_object_get(document, "cache"));
}

static bool is_t4(const json_t *document)
{
    return json_is_array(json_object_get(document, "results"));
}

const struct clopt_reader clopt_reader_kernel_tuner = {
    .form = "a cache file of Kernel Tuner (object \"cache\")",
    .knows = is_cache,
    .space = read_cache};
const struct clopt_reader clopt_reader_t4 = {
    .form = "a T4 document (array \"results\")", .knows = is_t4, .space = read_results};
