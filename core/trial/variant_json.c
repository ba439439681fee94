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
        json_array_append_new(
            json, json_pack("[b,i,I,b]", change->added[i].local, (int)change->added[i].number,
                            (json_int_t)change->added[i].merged, change->added[i].rows));
    return json;
}

static enum clopt_status added_from_json(const json_t *json, struct clopt_ndrange_change *change,
                                         struct clopt_error *error)
{
    size_t count = json_array_size(json);
    for (size_t i = 0; i < count; i++) {
        int local = 0, number = 0, rows = 0;
        json_int_t merged = 0;
        if (i == CLOPT_MOST_ADDED ||
            json_unpack(json_array_get(json, i), "[b,i,I,b]", &local, &number, &merged, &rows) ||
            number < 0 || (rows && (size_t)number >= change->layout_count) ||
            (!local && !rows && number > 2) || merged < 1)
            return clopt_fail(error, CLOPT_FAILED, "a variant with a wrong additional argument");
        change->added[i] =
            (struct clopt_added_argument){local != 0, (unsigned)number, (size_t)merged, rows != 0};
        change->added_count = i + 1;
    }
    return CLOPT_OK;
}

static json_t *form_to_json(const struct clopt_launch_form *form)
{
    json_t *terms = json_array();
    for (unsigned i = 0; i < form->count; i++)
        json_array_append_new(terms, json_pack("[I,i,i,i]", (json_int_t)form->terms[i].factor,
                                               (int)form->terms[i].symbols[0],
                                               (int)form->terms[i].symbols[1],
                                               (int)form->terms[i].symbols[2]));
    return json_pack("[i,o]", (int)form->multiple, terms);
}

static bool form_from_json(const json_t *json, struct clopt_launch_form *form)
{
    const json_t *terms = json_array_get(json, 1);
    *form = (struct clopt_launch_form){.multiple =
                                           (unsigned)json_integer_value(json_array_get(json, 0)),
                                       .count = (unsigned)json_array_size(terms)};
    bool right = json_is_array(terms) && form->count <= CLOPT_LAUNCH_TERMS;
    for (unsigned i = 0; i < form->count && right; i++) {
        json_int_t factor;
        int symbols[CLOPT_LAUNCH_SYMBOLS];
        right = json_unpack(json_array_get(terms, i), "[I,i,i,i]", &factor, &symbols[0],
                            &symbols[1], &symbols[2]) == 0;
        form->terms[i].factor = factor;
        for (unsigned k = 0; k < CLOPT_LAUNCH_SYMBOLS && right; k++)
            form->terms[i].symbols[k] = (unsigned)symbols[k];
    }
    return right;
}

static json_t *layouts_to_json(const struct clopt_ndrange_change *change)
{
    json_t *json = json_array();
    for (size_t i = 0; i < change->layout_count; i++) {
        const struct clopt_layout *layout = &change->layouts[i];
        json_t *needs = json_array();
        for (unsigned k = 0; k < layout->need_count; k++)
            json_array_append_new(needs, form_to_json(&layout->needs[k]));
        json_array_append_new(json, json_pack("[i,i,i,o,o]", (int)layout->argument,
                                              (int)layout->element_bytes, (int)layout->block,
                                              form_to_json(&layout->row), needs));
    }
    return json;
}

static enum clopt_status layouts_from_json(const json_t *json, struct clopt_ndrange_change *change,
                                           struct clopt_error *error)
{
    bool right = json_array_size(json) <= CLOPT_MOST_LAYOUTS;
    change->layout_count = right ? json_array_size(json) : 0;
    for (size_t i = 0; i < change->layout_count && right; i++) {
        struct clopt_layout *layout = &change->layouts[i];
        json_t *row, *needs;
        int argument, bytes, block;
        right = json_unpack(json_array_get(json, i), "[i,i,i,o,o]", &argument, &bytes, &block, &row,
                            &needs) == 0 &&
                form_from_json(row, &layout->row) && json_array_size(needs) <= CLOPT_LAYOUT_NEEDS;
        if (!right)
            break;
        layout->argument = (unsigned)argument;
        layout->element_bytes = (unsigned)bytes;
        layout->block = (unsigned)block;
        layout->need_count = (unsigned)json_array_size(needs);
        for (unsigned k = 0; k < layout->need_count && right; k++)
            right = form_from_json(json_array_get(needs, k), &layout->needs[k]);
    }
    return right ? CLOPT_OK : clopt_fail(error, CLOPT_FAILED, "a variant with a wrong layout");
}

json_t *clopt_variant_to_json(const struct clopt_variant *variant)
{
    return json_pack(
        "{s:s,s:s,s:s,s:i,s:o,s:o,s:o,s:o,s:[b,b,b],s:b,s:b,s:o,s:o}", "source", variant->source,
        "options", variant->options, "fingerprint", variant->fingerprint, "lines_changed",
        (int)variant->lines_changed, "local_size", sizes_to_json(variant->change.local_size),
        "merged_items", sizes_to_json(variant->change.merged_items), "merged_groups",
        sizes_to_json(variant->change.merged_groups), "local_multiple",
        sizes_to_json(variant->change.local_multiple), "local_only", variant->change.local_only[0],
        variant->change.local_only[1], variant->change.local_only[2], "whole_groups",
        variant->change.whole_groups, "distinct_buffers", variant->change.distinct_buffers, "added",
        added_to_json(&variant->change), "layouts", layouts_to_json(&variant->change));
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
    status = layouts_from_json(json_object_get(json, "layouts"), &variant->change, error);
    if (!status)
        status = added_from_json(json_object_get(json, "added"), &variant->change, error);
    if (!status && (!variant->source || !variant->options))
        status = clopt_fail_memory(error);
    if (status)
        clopt_variant_fini(variant);
    return status;
}
