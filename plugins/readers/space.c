/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the variants in clopt's own recorded spaces, which `clopt report --space` prints. */
#include <math.h>

#include "exchange/space_variant.h"
#include "readers/readers.h"
#include "text/variant_name.h"

#define ORDER "combine.products"

/* Makes a number of a text that is one. */
static json_t *read_value(const char *text)
{
    char *end;
    char again[32];
    long long integer = strtoll(text, NULL, 10);
    double real = strtod(text, &end);
    snprintf(again, sizeof again, "%lld", integer);
    if (strcmp(again, text) == 0)
        return json_integer(integer);
    return end > text && !*end && isfinite(real) ? json_real(real) : json_string(text);
}

/* Names an optimization, and one that is applied a second time "geometry.2". */
static void name_step(struct clopt_text *name, const struct clopt_text *product,
                      struct clopt_piece optimization)
{
    CLOPT_OWNED(clopt_text) wanted = {0};
    size_t before = 0;
    clopt_text_append_bytes(&wanted, optimization.text, optimization.length);
    for (const char *at = clopt_text_string(product); *at;) {
        size_t length = strcspn(at, "+");
        before += strcspn(at, ".+") == wanted.length &&
                  strncmp(at, clopt_text_string(&wanted), wanted.length) == 0;
        at += length + (at[length] == '+');
    }
    clopt_text_append(name, clopt_text_string(&wanted));
    if (before)
        clopt_text_printf(name, ".%zu", before + 1);
}

static void set_value(json_t *configuration, const struct clopt_text *step,
                      const struct clopt_name_value *value)
{
    CLOPT_OWNED(clopt_text) key = {0}, text = {0};
    clopt_text_printf(&key, "%s%s%.*s", clopt_text_string(step), step->length ? "." : "",
                      (int)value->name.length, value->name.text);
    clopt_text_append_bytes(&text, value->value.text, value->value.length);
    /* What all variants have in common is no parameter of the space. */
    if (json_object_get(configuration, clopt_text_string(&key)))
        json_object_set_new(configuration, clopt_text_string(&key),
                            read_value(clopt_text_string(&text)));
}

/* Sets what a step says, and appends it to the product of optimizations; false: it is no step. */
static bool take_step(json_t *configuration, struct clopt_text *product, const char *text)
{
    struct clopt_name_value value = clopt_name_begin(text);
    CLOPT_OWNED(clopt_text) step = {0};
    size_t count = 0;
    for (; clopt_name_next(&value); count++) {
        if (!count && value.optimization.length)
            name_step(&step, product, value.optimization);
        set_value(configuration, &step, &value);
    }
    if (step.length)
        clopt_text_printf(product, "%s%s", product->length ? "+" : "", clopt_text_string(&step));
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
    if (json_object_get(configuration, ORDER))
        json_object_set_new(configuration, ORDER, json_string(clopt_text_string(&product)));
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
