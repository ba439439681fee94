/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the variants in clopt's own recorded spaces, which `clopt report --space` prints. */
#include <math.h>

#include "search/recording.h"
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

/* Makes the configuration of a variant; NULL where it is none. */
static json_t *read_configuration(const json_t *document, const json_t *numbers)
{
    json_t *configuration = json_copy(json_object_get(document, "initial"));
    CLOPT_OWNED(clopt_text) product = {0};
    size_t index;
    const json_t *number;
    bool good = configuration && json_is_array(numbers);
    json_array_foreach(numbers, index, number)
    {
        json_int_t wanted = json_is_integer(number) ? json_integer_value(number) : -1;
        const char *step = wanted < 0 ? NULL
                                      : json_string_value(json_array_get(
                                            json_object_get(document, "steps"), (size_t)wanted));
        good = good && step && take_step(configuration, &product, step);
    }
    if (good && json_object_get(configuration, ORDER))
        json_object_set_new(configuration, ORDER, json_string(clopt_text_string(&product)));
    if (good)
        return configuration;
    json_decref(configuration);
    return NULL;
}

enum clopt_status clopt_recording_read_space(const json_t *document,
                                             struct clopt_recording_entries *entries,
                                             struct clopt_error *error)
{
    const json_t *variants = json_object_get(document, "variants"), *variant, *initial;
    size_t index;
    const char *name;
    json_t *value;
    if (json_integer_value(json_object_get(document, "version")) != 2)
        return clopt_fail(error, CLOPT_INVALID, "it is a recorded space of another version than 2");
    entries->items = clopt_calloc(json_array_size(variants) + 1, sizeof *entries->items);
    entries->keys = json_array();
    entries->owned = json_array();
    initial = json_object_get(document, "initial");
    json_object_foreach((json_t *)initial, name, value)
        json_array_append_new(entries->keys, json_string(name));
    json_array_foreach(variants, index, variant)
    {
        json_t *configuration = read_configuration(document, json_array_get(variant, 0));
        const json_t *time = json_array_get(variant, 1);
        if (!configuration)
            return clopt_fail(error, CLOPT_INVALID,
                              "its variant number %zu is not [[number of a step, ...], ms, s, "
                              "number of a profile]",
                              index + 1);
        json_array_append_new(entries->owned, configuration);
        entries->items[entries->count++] = (struct clopt_recording_entry){
            configuration,
            {json_is_number(time) ? json_number_value(time) : NAN,
             fmax(json_number_value(json_array_get(variant, 2)), 0)}};
    }
    return CLOPT_OK;
}
