/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads recorded spaces to learn from. */
#include "commands/advise/training_record.h"

#include <math.h>

#include "shared/space_variant.h"

/* Writes the name of a variant from its steps. */
static char *write_name(const json_t *steps)
{
    struct clopt_text name = {0};
    size_t index;
    const json_t *item;
    bool macro = false;
    json_array_foreach(steps, index, item)
    {
        const char *step = json_string_value(item);
        bool next = !strchr(step, '(');
        clopt_text_append(&name, index ? (macro && next ? "," : "+") : "");
        clopt_text_append_printable(&name, step);
        macro = next;
    }
    if (!name.length)
        clopt_text_append(&name, "initial code");
    return clopt_text_take(&name);
}

/* Appends a variant, unless it has no time or no profile. Its gain is its time, still. */
static enum clopt_status add_variant(struct clopt_training_record *record, const json_t *document,
                                     size_t index, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_space_variant) variant = {0};
    CLOPT_TRY(clopt_space_variant_read(document, index, &variant, error));
    if (!(variant.time_ms > 0) || variant.profile >= record->profile_count)
        return CLOPT_OK;
    if (!json_array_size(variant.steps))
        record->initial = record->count;
    if (!record->count || variant.time_ms < record->variants[record->best].gain)
        record->best = record->count;
    record->variants[record->count++] = (struct clopt_training_record_variant){
        write_name(variant.steps), &record->profiles[variant.profile], variant.time_ms};
    return CLOPT_OK;
}

static enum clopt_status read_variants(struct clopt_training_record *record, const json_t *document,
                                       struct clopt_error *error)
{
    size_t count = json_array_size(json_object_get(document, "variants"));
    record->initial = SIZE_MAX;
    record->variants = clopt_calloc(count + 1, sizeof *record->variants);
    for (size_t i = 0; i < count; i++)
        CLOPT_TRY(add_variant(record, document, i, error));
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
    *record = (struct clopt_training_record){0};
    CLOPT_TRY(clopt_space_check(document, error));
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
