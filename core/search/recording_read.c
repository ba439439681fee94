/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the variants in Kernel Tuner's cache files and in T4 documents. */
#include <math.h>

#include "file/file.h"
#include "search/recording.h"

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

static void read_results(const json_t *document, struct clopt_recording_entries *entries)
{
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
}

/* ---- both ---- */

/* Says what was tuned, where the document tells. */
static char *read_name(const json_t *document)
{
    const json_t *clopt = json_object_get(json_object_get(document, "metadata"), "clopt");
    const char *kernel = json_string_value(json_object_get(document, "kernel_name"));
    const char *device = json_string_value(json_object_get(document, "device_name"));
    struct clopt_text name = {0};
    kernel = kernel ? kernel : json_string_value(json_object_get(clopt, "kernel"));
    device = device ? device : json_string_value(json_object_get(clopt, "device_name"));
    clopt_text_append_printable(&name, kernel ? kernel : "");
    clopt_text_append(&name, kernel && device && *device ? " on " : "");
    clopt_text_append_printable(&name, device ? device : "");
    return clopt_text_take(&name);
}

enum clopt_status clopt_recording_read(const json_t *document,
                                       struct clopt_recording_entries *entries,
                                       struct clopt_error *error)
{
    *entries = (struct clopt_recording_entries){.name = read_name(document)};
    if (json_is_object(json_object_get(document, "cache")))
        CLOPT_TRY(read_cache(document, entries, error));
    else if (json_is_array(json_object_get(document, "results")))
        read_results(document, entries);
    else if (json_is_array(json_object_get(document, "variants")))
        CLOPT_TRY(clopt_recording_read_space(document, entries, error));
    else
        return clopt_fail(
            error, CLOPT_INVALID,
            "it is neither a recorded space of clopt (array \"variants\"), nor a cache file of "
            "Kernel Tuner (object \"cache\"), nor a T4 document (array \"results\")");
    if (!entries->count)
        return clopt_fail(error, CLOPT_INVALID, "it has no variant");
    for (size_t i = 0; i < entries->count; i++)
        if (!json_is_object(entries->items[i].configuration))
            return clopt_fail(error, CLOPT_INVALID, "its variant number %zu has no configuration",
                              i + 1);
    return CLOPT_OK;
}

void clopt_recording_entries_fini(struct clopt_recording_entries *entries)
{
    free(entries->items);
    json_decref(entries->keys);
    json_decref(entries->owned);
    free(entries->name);
    *entries = (struct clopt_recording_entries){0};
}

/* ---- tells by its first bytes what a file is that may hold a recorded space ---- */

enum clopt_status clopt_recording_read_file(const char *path, json_t **document,
                                            struct clopt_error *error)
{
    static const char sqlite[] = "SQLite format 3", gzip[] = "\x1f\x8b";
    char begin[sizeof sqlite] = "";
    CLOPT_CLOSED FILE *stream = NULL;
    CLOPT_FREED char *text = NULL;
    json_error_t mistake;
    *document = NULL;
    CLOPT_TRY(clopt_file_open(path, &stream, error));
    size_t size = fread(begin, 1, sizeof begin, stream);
    if (size == sizeof sqlite && memcmp(begin, sqlite, sizeof sqlite) == 0)
        return CLOPT_OK;
    if (memcmp(begin, gzip, sizeof gzip - 1) == 0)
        return clopt_fail(error, CLOPT_INVALID, "%s: it is compressed: unpack it with gunzip first",
                          path);
    CLOPT_TRY(clopt_text_read(path, &text, error));
    if (!(*document = json_loads(text, JSON_REJECT_DUPLICATES, &mistake)))
        return clopt_fail(error, CLOPT_INVALID, "%s:%d: this is not JSON: %s", path, mistake.line,
                          mistake.text);
    return CLOPT_OK;
}
