/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a space of the variants of a document. */
#include "commands/advise/recording.h"

#include <math.h>

#include "file/file.h"
#include "text/text.h"

#define MOST_VALUES 65535

/* A value that some variant has; as a number, where all values of its parameter are. */
struct value {
    const json_t *json;
    double number;
    size_t entry; /* which variant has it */
};

static int compare_values(const void *a, const void *b)
{
    const struct value *first = a, *second = b;
    const char *left = json_string_value(first->json), *right = json_string_value(second->json);
    if (!left != !right)
        return left ? 1 : -1;
    if (left)
        return strcmp(left, right);
    bool less = first->number<second->number, more = first->number> second->number;
    return json_is_null(first->json) != json_is_null(second->json)
               ? (json_is_null(first->json) ? -1 : 1)
               : more - less;
}

/* Collects what all variants have for a parameter. */
static enum clopt_status collect(const struct clopt_recording_entries *entries, const char *name,
                                 struct value *values, bool *numeric, struct clopt_error *error)
{
    *numeric = true;
    for (size_t i = 0; i < entries->count; i++) {
        const json_t *json = json_object_get(entries->items[i].configuration, name);
        double number = json_is_true(json) ? 1 : json_number_value(json);
        values[i] = (struct value){json, number, i};
        *numeric = *numeric && (json_is_number(json) || json_is_boolean(json));
        if (!json || json_is_array(json) || json_is_object(json))
            return clopt_fail(error, CLOPT_INVALID, "its variant number %zu has no value of %s",
                              i + 1, name);
    }
    return CLOPT_OK;
}

/* Numbers the different values of parameter number `index`, the smallest first, and gives each
 * variant the number of its own. */
static enum clopt_status make_domain(struct clopt_recording *recording,
                                     const struct clopt_recording_entries *entries, size_t index,
                                     struct value *values, size_t *points,
                                     struct clopt_error *error)
{
    struct clopt_domain *domain = &recording->domains[index];
    bool numeric;
    CLOPT_TRY(collect(entries, domain->name, values, &numeric, error));
    qsort(values, entries->count, sizeof *values, compare_values);
    struct clopt_number *numbers = clopt_calloc(entries->count, sizeof *numbers);
    for (size_t i = 0; i < entries->count; i++) {
        if (!i || compare_values(&values[i - 1], &values[i]) != 0)
            numbers[domain->count++] = clopt_number_real(values[i].number);
        points[values[i].entry * recording->width + index] = domain->count - 1;
    }
    if (numeric)
        domain->values = numbers;
    else
        free(numbers);
    return domain->count > MOST_VALUES
               ? clopt_fail(error, CLOPT_INVALID, "its parameter %s has more than %d values",
                            domain->name, MOST_VALUES)
               : CLOPT_OK;
}

static enum clopt_status make_domains(struct clopt_recording *recording,
                                      const struct clopt_recording_entries *entries, size_t *points,
                                      struct clopt_error *error)
{
    CLOPT_FREED struct value *values = clopt_calloc(entries->count, sizeof *values);
    for (size_t i = 0; i < recording->width; i++) {
        const char *name = json_string_value(json_array_get(entries->keys, i));
        if (!name)
            return clopt_fail(error, CLOPT_INVALID, "its parameter number %zu has no name", i + 1);
        recording->names[i] = clopt_strdup(name);
        recording->domains[i].name = recording->names[i];
        CLOPT_TRY(make_domain(recording, entries, i, values, points, error));
    }
    return CLOPT_OK;
}

static enum clopt_status add_variants(struct clopt_recording *recording,
                                      const struct clopt_recording_entries *entries,
                                      const size_t *points, struct clopt_error *error)
{
    recording->best_ms = INFINITY;
    for (size_t i = 0; i < entries->count; i++) {
        const size_t *point = points + i * recording->width;
        struct clopt_recorded result = entries->items[i].result;
        if (clopt_keys_find(&recording->points, point) != CLOPT_NO_KEY)
            return clopt_fail(error, CLOPT_INVALID, "its variant number %zu appears twice", i + 1);
        if (result.time_ms <= 0)
            return clopt_fail(error, CLOPT_INVALID, "its variant number %zu takes %g ms", i + 1,
                              result.time_ms);
        clopt_keys_add(&recording->points, point);
        recording->results[i] = result;
        recording->failed += isnan(result.time_ms);
        recording->best_ms = fmin(recording->best_ms, result.time_ms);
        recording->cost_s += result.cost_s / (double)entries->count;
    }
    return recording->failed < entries->count
               ? CLOPT_OK
               : clopt_fail(error, CLOPT_INVALID, "all of its variants failed");
}

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

/* Reads the variants, whichever format they are in. */
static enum clopt_status read_entries(const struct clopt_registry *registry, const json_t *document,
                                      struct clopt_recording_entries *entries,
                                      struct clopt_error *error)
{
    const struct clopt_reader *reader;
    CLOPT_TRY(clopt_reader_find(registry, document, false, &reader, error));
    CLOPT_TRY(reader->space(document, entries, error));
    if (!entries->count)
        return clopt_fail(error, CLOPT_INVALID, "it has no variant");
    for (size_t i = 0; i < entries->count; i++)
        if (!json_is_object(entries->items[i].configuration))
            return clopt_fail(error, CLOPT_INVALID, "its variant number %zu has no configuration",
                              i + 1);
    return CLOPT_OK;
}

static void clopt_recording_entries_fini(struct clopt_recording_entries *entries)
{
    free(entries->items);
    json_decref(entries->keys);
    json_decref(entries->owned);
}

enum clopt_status clopt_recording_init(struct clopt_recording *recording,
                                       const struct clopt_registry *registry,
                                       const json_t *document, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_recording_entries) entries = {0};
    *recording = (struct clopt_recording){0};
    CLOPT_TRY(read_entries(registry, document, &entries, error));
    json_int_t left_out = json_integer_value(json_object_get(document, "left_out"));
    size_t width = json_array_size(entries.keys);
    CLOPT_FREED size_t *points = clopt_calloc(entries.count * width + 1, sizeof *points);
    *recording = (struct clopt_recording){
        .name = read_name(document),
        .names = clopt_calloc(width + 1, sizeof *recording->names),
        .domains = clopt_calloc(width + 1, sizeof *recording->domains),
        .width = width,
        .points.bytes = width * sizeof(size_t),
        .results = clopt_calloc(entries.count, sizeof *recording->results),
        .left_out = left_out > 0 ? left_out : 0,
    };
    if (width > CLOPT_MOST_PARAMETERS)
        return clopt_fail(error, CLOPT_INVALID, "it has more than %d parameters",
                          CLOPT_MOST_PARAMETERS);
    CLOPT_TRY(make_domains(recording, &entries, points, error));
    return add_variants(recording, &entries, points, error);
}

void clopt_recording_fini(struct clopt_recording *recording)
{
    for (size_t i = 0; i < recording->width; i++) {
        free(recording->names[i]);
        free((void *)recording->domains[i].values);
    }
    free(recording->name);
    free(recording->names);
    free(recording->domains);
    free(recording->results);
    clopt_keys_fini(&recording->points);
    *recording = (struct clopt_recording){0};
}

/* ---- as a space ---- */

static void get(const void *user, uint64_t number, size_t *point)
{
    const struct clopt_recording *recording = user;
    const size_t *found = clopt_keys_at(&recording->points, (size_t)number);
    memcpy(point, found, recording->width * sizeof *point);
}

/* Returns the result of a point; NULL: it is not feasible. */
static bool is_feasible(const void *user, const size_t *point)
{
    const struct clopt_recording *recording = user;
    return clopt_keys_find(&recording->points, point) != CLOPT_NO_KEY;
}

/* Returns the space to search, which belongs to the recording. */
static struct clopt_search_space space_of(const struct clopt_recording *recording)
{
    return (struct clopt_search_space){
        .domains = recording->domains,
        .count = recording->width,
        .size = recording->points.count,
        .get = get,
        .is_feasible = is_feasible,
        .user = recording,
    };
}

/* ---- answers a search with what is recorded ---- */

size_t clopt_replay(const struct clopt_recording *recording, const struct clopt_strategy *strategy,
                    uint64_t seed, size_t budget, struct clopt_replayed *trials)
{
    const struct clopt_search_space space = space_of(recording);
    struct clopt_replayed now = {0};
    struct clopt_search *search = clopt_search_create(strategy, &space, seed);
    size_t trial, count = 0;
    while (count < budget && clopt_search_ask(search, &trial)) {
        const struct clopt_recorded *result =
            &recording
                 ->results[clopt_keys_find(&recording->points, clopt_search_point(search, trial))];
        now.fraction = fmax(now.fraction, recording->best_ms / result->time_ms);
        now.cost_s += result->cost_s;
        trials[count++] = now;
        clopt_search_tell(search, trial, result->time_ms, result->cost_s);
    }
    clopt_search_destroy(search);
    return count;
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
