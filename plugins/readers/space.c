/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the variants in clopt's own recorded spaces, which `clopt report --space` prints. */
#include <math.h>

#include "readers/readers.h"
#include "results/tunables.h"
#include "shared/space_variant.h"

/* Makes a number of a text that is one. */
static json_t *read_value(const char *text)
{
    char *end;
    double real = strtod(text, &end);
    json_t *value = clopt_tunable_value(text);
    if (!json_is_string(value) || end == text || *end || !isfinite(real))
        return value;
    json_decref(value);
    return json_real(real);
}

/* Sets a value of a step, which is called `step`; "": it is a macro. */
static void set_value(json_t *configuration, const char *step, const struct clopt_name_value *value)
{
    CLOPT_FREED char *key = clopt_text_format("%s%s%.*s", step, *step ? "." : "",
                                              (int)value->name.length, value->name.text);
    CLOPT_FREED char *text = clopt_strndup(value->value.text, value->value.length);
    /* What all variants have in common is no parameter of the space. */
    if (json_object_get(configuration, key))
        json_object_set_new(configuration, key, read_value(text));
}

/* Sets what a step says, and appends it to the product of optimizations; false: it is no step. */
static bool take_step(json_t *configuration, struct clopt_text *product, const char *text)
{
    struct clopt_name_value value = clopt_name_begin(text);
    const char *step = "";
    size_t count = 0;
    for (; clopt_name_next(&value); count++) {
        if (!count && value.optimization.length) {
            size_t name = clopt_tunable_step(product, value.optimization);
            step = product->data + name;
        }
        set_value(configuration, step, &value);
    }
    return count && value.number == 0 && !value.expected;
}

/* Makes the configuration of a variant. */
static enum clopt_status read_configuration(const json_t *document, size_t index,
                                            struct clopt_recording_entry *entry,
                                            struct clopt_error *error)
{
    CLOPT_OWNED(clopt_space_variant) variant = {0};
    CLOPT_OWNED(clopt_text) product = {0};
    size_t i;
    const json_t *step;
    json_t *configuration = json_copy(json_object_get(document, "initial"));
    entry->configuration = configuration;
    CLOPT_TRY(clopt_space_variant_read(document, index, &variant, error));
    json_array_foreach(variant.steps, i, step)
    {
        if (!take_step(configuration, &product, json_string_value(step)))
            return clopt_fail(error, CLOPT_INVALID, "its variant number %zu: %.80s is no step",
                              index + 1, json_string_value(step));
    }
    if (json_object_get(configuration, CLOPT_TUNABLE_ORDER))
        json_object_set_new(configuration, CLOPT_TUNABLE_ORDER,
                            json_string(clopt_text_string(&product)));
    entry->result = (struct clopt_recorded){variant.time_ms, variant.cost_s};
    return CLOPT_OK;
}

static enum clopt_status read_space(const json_t *document, struct clopt_recording_entries *entries,
                                    struct clopt_error *error)
{
    size_t count = json_array_size(json_object_get(document, "variants"));
    const json_t *initial = json_object_get(document, "initial");
    const char *name;
    json_t *value;
    CLOPT_TRY(clopt_space_check(document, error));
    if (!json_is_object(initial))
        return clopt_fail(error, CLOPT_INVALID, "it has no object \"initial\"");
    entries->items = clopt_calloc(count + 1, sizeof *entries->items);
    entries->keys = json_array();
    entries->owned = json_array();
    json_object_foreach((json_t *)initial, name, value)
        json_array_append_new(entries->keys, json_string(name));
    for (; entries->count < count; entries->count++) {
        struct clopt_recording_entry *entry = &entries->items[entries->count];
        enum clopt_status status = read_configuration(document, entries->count, entry, error);
        json_array_append_new(entries->owned, (json_t *)entry->configuration);
        CLOPT_TRY(status);
    }
    return CLOPT_OK;
}

const struct clopt_reader clopt_reader_space = {
    .form = "a recorded space of clopt (array \"variants\")",
    .knows = clopt_space_is,
    .space = read_space};
