/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells what the kernels of a program do. */
#include "trial/patterns.h"

#include "analysis/pattern.h"

static bool is_there(const json_t *list, const json_t *pattern)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_equal(json_array_get(list, i), pattern))
            return true;
    return false;
}

/* Lists each pattern of an array once. */
static json_t *list_patterns(const struct clopt_patterns *patterns)
{
    json_t *list = json_array();
    for (size_t i = 0; i < patterns->count; i++) {
        const struct clopt_pattern *pattern = &patterns->items[i];
        json_t *entry = json_pack("{s:s, s:s, s:s, s:s?, s:s, s:s?}", "array", pattern->array,
                                  "access", clopt_access_name(pattern->access), "work_item",
                                  clopt_item_pattern_name(pattern->item), "work_item_distance",
                                  pattern->item_distance, "work_group",
                                  clopt_group_pattern_name(pattern->group), "work_group_distance",
                                  pattern->group_distance);
        if (!entry || is_there(list, entry))
            json_decref(entry);
        else
            json_array_append_new(list, entry);
    }
    return list;
}

static enum clopt_status describe(const struct clopt_variant *variant, const char *file,
                                  const struct clopt_kernel *kernel, json_t **json,
                                  struct clopt_error *error)
{
    CLOPT_HELD(clopt_source) tree = NULL;
    CLOPT_OWNED(clopt_patterns) patterns = {0};
    CLOPT_TRY(clopt_source_create(file, variant->source, NULL, variant->options, kernel->name,
                                  &tree, error));
    CLOPT_TRY(clopt_patterns_find(tree, 0, &patterns, error));
    *json = list_patterns(&patterns);
    return CLOPT_OK;
}

json_t *clopt_patterns_to_json(const struct clopt_trial *trial, const struct clopt_variant *variant,
                               const char *file)
{
    const struct clopt_kernel *kernel = trial->app->plugin->app->kernels;
    json_t *all = json_object();
    for (; all && kernel->name; kernel++) {
        struct clopt_error why = {0};
        json_t *json = NULL;
        if (describe(variant, file, kernel, &json, &why))
            json = json_string(why.message);
        json_object_set_new(all, kernel->name, json);
    }
    return all;
}

json_t *clopt_profiles_to_json(const struct clopt_trial *trial, const struct clopt_variant *variant,
                               const char *file)
{
    const struct clopt_kernel *kernel = trial->app->plugin->app->kernels;
    json_t *all = json_object();
    for (; all && kernel->name; kernel++) {
        struct clopt_profile profile;
        struct clopt_error why = {0};
        if (clopt_trial_is_of(trial, kernel) &&
            !clopt_variant_profile(trial, variant, file, kernel, &profile, &why))
            json_object_set_new(all, kernel->name, clopt_profile_to_json(&profile));
    }
    return all;
}
