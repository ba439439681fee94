/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds a kernel's profile against guidelines. */
#include "commands/advise/guideline.h"

#include "number/number.h"
#include "shared/device_class.h"

/* Tells whether a kernel is one that a guideline pays on; false where the profile lacks its
 * feature. */
static bool find_fit(const json_t *row, const struct clopt_profile *profile, bool *fits)
{
    const char *feature = clopt_json_string(row, "feature");
    double threshold = json_number_value(json_object_get(row, "threshold"));
    for (size_t i = 0; i < CLOPT_PROFILE_COUNT; i++)
        if (strcmp(clopt_profile_names[i], feature) == 0) {
            *fits = (profile->values[i] > threshold) == json_is_true(json_object_get(row, "above"));
            return true;
        }
    return false;
}

json_t *clopt_guidelines_of(const json_t *document, const struct clopt_device_info *device,
                            const struct clopt_profile *profile)
{
    const char *class =
        clopt_device_class_names[clopt_device_class(device->type, device->vendor, device->name)];
    const json_t *row;
    json_t *list = json_array();
    size_t i;
    json_array_foreach(json_object_get(document, "guidelines"), i, row)
    {
        bool fits;
        if (json_is_null(json_object_get(row, "device")) &&
            json_is_true(json_object_get(row, "holds")) &&
            strcmp(clopt_json_string(row, "class"), class) == 0 && find_fit(row, profile, &fits)) {
            json_t *copy = json_copy((json_t *)row);
            json_object_set_new(copy, "fits", json_boolean(fits));
            clopt_json_append(&list, copy);
        }
    }
    return list;
}

static void say_row(struct clopt_text *text, const json_t *row, bool first)
{
    const char *parameter = clopt_json_string(row, "parameter");
    bool named = *parameter, fits = json_is_true(json_object_get(row, "fits"));
    clopt_text_printf(text, "%s%s%s%s%s %s ", first ? "" : "; ",
                      clopt_json_string(row, "optimization"), named ? "(" : "", parameter,
                      named ? "=...)" : "", fits ? "pays" : "does not pay: it does");
    clopt_text_append(text, clopt_json_string(row, "where"));
    if (fits)
        clopt_text_printf(
            text, ", as here, %s times as fast",
            clopt_number_text(json_number_value(json_object_get(row, "gain")), 3).text);
}

void clopt_guidelines_say(struct clopt_text *text, const json_t *list)
{
    const json_t *row;
    size_t i, count = 0;
    for (int fits = 1; fits >= 0; fits--)
        json_array_foreach(list, i, row)
        {
            if (json_is_true(json_object_get(row, "fits")) != (bool)fits)
                continue;
            if (!count)
                clopt_text_printf(text, "As a rule, on %s: ", clopt_json_string(row, "class"));
            say_row(text, row, !count++);
        }
    if (count)
        clopt_text_append_char(text, '.');
}
