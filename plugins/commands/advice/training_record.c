/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads recorded spaces to learn from. */
#include "advice/training_record.h"

#include <math.h>

/* Writes the name of a variant from the numbers of its steps; NULL where they are none. */
static char *write_name(const json_t *document, const json_t *numbers)
{
    const json_t *steps = json_object_get(document, "steps");
    CLOPT_OWNED(clopt_text) name = {0};
    size_t index;
    const json_t *number;
    bool good = json_is_array(numbers), macro = false;
    json_array_foreach(numbers, index, number)
    {
        json_int_t wanted = json_is_integer(number) ? json_integer_value(number) : -1;
        const char *step =
            wanted < 0 ? NULL : json_string_value(json_array_get(steps, (size_t)wanted));
        bool next = step && !strchr(step, '(');
        clopt_text_append(&name, index ? (macro && next ? "," : "+") : "");
        clopt_text_append_printable(&name, step ? step : "");
        good = good && step;
        macro = next;
    }
    if (!name.length)
        clopt_text_append(&name, "initial code");
    return good ? clopt_text_take(&name) : NULL;
}

/* Returns the profile of a variant; NULL: it has none. */
static const struct clopt_profile *find_profile(const struct clopt_training_record *record,
                                                const json_t *variant)
{
    const json_t *number = json_array_get(variant, 3);
    json_int_t wanted = json_is_integer(number) ? json_integer_value(number) : -1;
    return wanted < 0 || (size_t)wanted >= record->profile_count ? NULL : &record->profiles[wanted];
}

/* Appends a variant, unless it has no time or no profile. Its gain is its time, still. */
static enum clopt_status add_variant(struct clopt_training_record *record, const json_t *document,
                                     const json_t *variant, size_t index, struct clopt_error *error)
{
    double time_ms = json_number_value(json_array_get(variant, 1));
    struct clopt_training_record_variant next = {write_name(document, json_array_get(variant, 0)),
                                                 find_profile(record, variant), time_ms};
    if (!next.name)
        return clopt_fail(error, CLOPT_INVALID,
                          "its variant number %zu is not [[number of a step, ...], ms, s, number "
                          "of a profile]",
                          index + 1);
    if (!(time_ms > 0) || !next.profile) {
        free(next.name);
        return CLOPT_OK;
    }
    if (!json_array_size(json_array_get(variant, 0)))
        record->initial = record->count;
    if (!record->count || next.gain < record->variants[record->best].gain)
        record->best = record->count;
    record->variants[record->count++] = next;
    return CLOPT_OK;
}

static enum clopt_status read_variants(struct clopt_training_record *record, const json_t *document,
                                       struct clopt_error *error)
{
    const json_t *variants = json_object_get(document, "variants"), *variant;
    size_t index;
    record->initial = SIZE_MAX;
    record->variants = clopt_calloc(json_array_size(variants) + 1, sizeof *record->variants);
    json_array_foreach(variants, index, variant)
    {
        CLOPT_TRY(add_variant(record, document, variant, index, error));
    }
    if (record->initial == SIZE_MAX)
        return clopt_fail(error, CLOPT_INVALID,
                          "its initial code has no time or no profile: run its study again");
    double initial_ms = record->variants[record->initial].gain;
    for (size_t i = 0; i < record->count; i++)
        record->variants[i].gain = log2(initial_ms / record->variants[i].gain);
    return CLOPT_OK;
}

/* Reads the profiles, whose features have names. */
static enum clopt_status read_profiles(struct clopt_training_record *record, const json_t *document,
                                       struct clopt_error *error)
{
    const json_t *features = json_object_get(document, "features");
    const json_t *profiles = json_object_get(document, "profiles"), *values, *name;
    size_t index, feature;
    record->profiles = clopt_calloc(json_array_size(profiles) + 1, sizeof *record->profiles);
    json_array_foreach(profiles, index, values)
    {
        json_auto_t *named = json_object();
        json_array_foreach(features, feature, name) if (json_is_string(name))
            json_object_set(named, json_string_value(name), json_array_get(values, feature));
        bool good = clopt_profile_from_json(named, &record->profiles[record->profile_count++]);
        if (!good)
            return clopt_fail(error, CLOPT_INVALID,
                              "its profile number %zu does not have all features: run its study "
                              "again",
                              index + 1);
    }
    return CLOPT_OK;
}

static char *read_text(const json_t *object, const char *key)
{
    struct clopt_text text = {0};
    const char *value = json_string_value(json_object_get(object, key));
    clopt_text_append_printable(&text, value ? value : "");
    return clopt_text_take(&text);
}

enum clopt_status clopt_training_record_init(struct clopt_training_record *record,
                                             const json_t *document, struct clopt_error *error)
{
    const json_t *version = json_object_get(document, "version");
    *record = (struct clopt_training_record){0};
    if (!json_is_array(json_object_get(document, "variants")))
        return clopt_fail(error, CLOPT_INVALID,
                          "it is not a recorded space of clopt: it has no array \"variants\"");
    if (json_integer_value(version) != 2)
        return clopt_fail(error, CLOPT_INVALID, "it is a recorded space of another version than 2");
    record->kernel = read_text(document, "kernel_name");
    record->app = read_text(document, "app");
    record->problem = read_text(document, "problem");
    record->device_name = read_text(document, "device_name");
    const json_t *json = json_object_get(document, "device");
    const char *type = json_string_value(json_object_get(json, "type"));
    snprintf(record->device.type, sizeof record->device.type, "%s", type ? type : "");
    record->device.compute_units =
        fmax(json_number_value(json_object_get(json, "compute_units")), 1);
    record->device.peaks = clopt_peaks_from_json(json_object_get(json, "peaks"));
    enum clopt_status status = read_profiles(record, document, error);
    if (!status)
        status = read_variants(record, document, error);
    if (status)
        clopt_training_record_fini(record);
    return status;
}

void clopt_training_record_fini(struct clopt_training_record *record)
{
    for (size_t i = 0; i < record->count; i++)
        free(record->variants[i].name);
    free(record->variants);
    free(record->profiles);
    free(record->kernel);
    free(record->app);
    free(record->problem);
    free(record->device_name);
    *record = (struct clopt_training_record){0};
}
