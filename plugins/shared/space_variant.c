/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads variants of clopt's own recorded spaces. */
#include "shared/space_variant.h"

#include <math.h>

#define VERSION 2

/* The items of a variant. */
enum { STEPS, TIME_MS, COST_S, PROFILE };

bool clopt_space_is(const json_t *document)
{
    return json_is_array(json_object_get(document, "variants"));
}

enum clopt_status clopt_space_check(const json_t *document, struct clopt_error *error)
{
    if (!clopt_space_is(document))
        return clopt_fail(error, CLOPT_INVALID,
                          "it is not a recorded space of clopt: it has no array \"variants\"");
    return json_integer_value(json_object_get(document, "version")) == VERSION
               ? CLOPT_OK
               : clopt_fail(error, CLOPT_INVALID,
                            "it is a recorded space of another version than %d", VERSION);
}

/* Returns an item that numbers something; SIZE_MAX: it does not. */
static size_t number_of(const json_t *item)
{
    return json_is_integer(item) && json_integer_value(item) >= 0 ? (size_t)json_integer_value(item)
                                                                  : SIZE_MAX;
}

enum clopt_status clopt_space_variant_read(const json_t *document, size_t index,
                                           struct clopt_space_variant *variant,
                                           struct clopt_error *error)
{
    const json_t *known = json_object_get(document, "steps"), *number;
    const json_t *item = json_array_get(json_object_get(document, "variants"), index);
    const json_t *numbers = json_array_get(item, STEPS), *time = json_array_get(item, TIME_MS);
    bool good = json_is_array(numbers);
    size_t i;
    *variant = (struct clopt_space_variant){
        .steps = json_array(),
        .time_ms = json_is_number(time) ? json_number_value(time) : NAN,
        .cost_s = fmax(json_number_value(json_array_get(item, COST_S)), 0),
        .profile = number_of(json_array_get(item, PROFILE))};
    json_array_foreach(numbers, i, number)
    {
        json_t *step = json_array_get(known, number_of(number));
        good = good && json_is_string(step) && json_array_append(variant->steps, step) == 0;
    }
    return good ? CLOPT_OK
                : clopt_fail(error, CLOPT_INVALID,
                             "its variant number %zu is not [[number of a step, ...], ms, s, "
                             "number of a profile]",
                             index + 1);
}

void clopt_space_variant_fini(struct clopt_space_variant *variant)
{
    json_decref(variant->steps);
    variant->steps = NULL;
}
