/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns a variant into JSON and back, so that another process need not make it again. */
#include <string.h>

#include "base/text.h"
#include "trial/variant.h"

static json_t *sizes_to_json(const size_t sizes[3])
{
    return json_pack("[I,I,I]", (json_int_t)sizes[0], (json_int_t)sizes[1], (json_int_t)sizes[2]);
}

static void sizes_from_json(const json_t *json, size_t sizes[3])
{
    for (size_t d = 0; d < 3; d++)
        sizes[d] = (size_t)json_integer_value(json_array_get(json, d));
}

static json_t *added_to_json(const struct clopt_ndrange_change *change)
{
    json_t *json = json_array();
    for (size_t i = 0; i < change->added_count; i++)
        json_array_append_new(json, json_pack("[b,i,I]", change->added[i].local,
                                              (int)change->added[i].number,
                                              (json_int_t)change->added[i].merged));
    return json;
}

static enum clopt_status added_from_json(const json_t *json, struct clopt_ndrange_change *change,
                                         struct clopt_error *error)
{
    size_t count = json_array_size(json);
    for (size_t i = 0; i < count; i++) {
        int local = 0, number = 0;
        json_int_t merged = 0;
        if (i == CLOPT_MOST_ADDED ||
            json_unpack(json_array_get(json, i), "[b,i,I]", &local, &number, &merged) ||
            number < 0 || (!local && number > 2) || merged < 1)
            return clopt_fail(error, CLOPT_FAILED, "a variant with a wrong additional argument");
        change->added[i] =
            (struct clopt_added_argument){local != 0, (unsigned)number, (size_t)merged};
        change->added_count = i + 1;
    }
    return CLOPT_OK;
}

json_t *clopt_variant_to_json(const struct clopt_variant *variant)
{
    return json_pack(
        "{s:s,s:s,s:s,s:i,s:o,s:o,s:o,s:o,s:[b,b,b],s:b,s:b,s:o}", "source", variant->source,
        "options", variant->options, "fingerprint", variant->fingerprint, "lines_changed",
        (int)variant->lines_changed, "local_size", sizes_to_json(variant->change.local_size),
        "merged_items", sizes_to_json(variant->change.merged_items), "merged_groups",
        sizes_to_json(variant->change.merged_groups), "local_multiple",
        sizes_to_json(variant->change.local_multiple), "local_only", variant->change.local_only[0],
        variant->change.local_only[1], variant->change.local_only[2], "whole_groups",
        variant->change.whole_groups, "distinct_buffers", variant->change.distinct_buffers, "added",
        added_to_json(&variant->change));
}

enum clopt_status clopt_variant_from_json(const json_t *json, const struct clopt_trial *trial,
                                          struct clopt_variant *variant, struct clopt_error *error)
{
    *variant = (struct clopt_variant){0};
    const char *source = json_string_value(json_object_get(json, "source"));
    const char *options = json_string_value(json_object_get(json, "options"));
    const char *fingerprint = json_string_value(json_object_get(json, "fingerprint"));
    if (!source || !options || !fingerprint || strlen(fingerprint) >= CLOPT_HASH_SIZE)
        return clopt_fail(error, CLOPT_FAILED, "a variant without source, options or fingerprint");
    enum clopt_status status = clopt_trial_knobs(trial, &variant->knobs, error);
    if (status == CLOPT_OK)
        status = clopt_trial_parameters(trial, &variant->parameters, error);
    if (status) {
        clopt_variant_fini(variant);
        return status;
    }
    variant->source = strdup(source);
    variant->options = strdup(options);
    memcpy(variant->fingerprint, fingerprint, strlen(fingerprint) + 1);
    variant->lines_changed = (unsigned)json_integer_value(json_object_get(json, "lines_changed"));
    sizes_from_json(json_object_get(json, "local_size"), variant->change.local_size);
    sizes_from_json(json_object_get(json, "merged_items"), variant->change.merged_items);
    sizes_from_json(json_object_get(json, "merged_groups"), variant->change.merged_groups);
    sizes_from_json(json_object_get(json, "local_multiple"), variant->change.local_multiple);
    for (size_t d = 0; d < 3; d++)
        variant->change.local_only[d] =
            json_is_true(json_array_get(json_object_get(json, "local_only"), d));
    variant->change.whole_groups = json_is_true(json_object_get(json, "whole_groups"));
    variant->change.distinct_buffers = json_is_true(json_object_get(json, "distinct_buffers"));
    status = added_from_json(json_object_get(json, "added"), &variant->change, error);
    if (!status && (!variant->source || !variant->options))
        status = clopt_fail_memory(error);
    if (status)
        clopt_variant_fini(variant);
    return status;
}
