/* SPDX-License-Identifier: BSD-3-Clause */
/* How the kernels of a variant access global memory, and how often they do what. */
#include "analysis/pattern.h"
#include "analysis/profile.h"
#include "observers/observers.h"

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

/* What is told of one kernel of a variant; NULL: nothing. */
typedef json_t *(*tell_kernel)(const struct clopt_observed *observed,
                               const struct clopt_kernel *kernel);

/* Adds {"KERNEL": ..., ...} to the answer. */
static void tell_kernels(tell_kernel tell, const struct clopt_observed *observed, const char *key,
                         json_t *answer)
{
    const struct clopt_kernel *kernel = observed->trial->app->extension->app->kernels;
    json_t *all = json_object();
    for (; kernel->name; kernel++) {
        json_t *json = tell(observed, kernel);
        if (json)
            json_object_set_new(all, kernel->name, json);
    }
    json_object_set_new(answer, key, all);
}

/* Its patterns, or why they are not known. */
static json_t *tell_patterns(const struct clopt_observed *observed,
                             const struct clopt_kernel *kernel)
{
    const struct clopt_variant *variant = observed->variant;
    CLOPT_HELD(clopt_source) tree = NULL;
    CLOPT_OWNED(clopt_patterns) patterns = {0};
    struct clopt_error why = {0};
    if (clopt_source_create(observed->source->path, variant->source, NULL, variant->dialect,
                            kernel->name, &tree, &why))
        return json_string(why.message);
    clopt_patterns_find(tree, 0, &patterns);
    return list_patterns(&patterns);
}

static void find_patterns(const struct clopt_observed *observed, json_t *answer)
{
    if (observed->initial)
        tell_kernels(tell_patterns, observed, "patterns", answer);
}

/* Its profile, where the trial is of it and it can be analyzed. */
static json_t *tell_profile(const struct clopt_observed *observed,
                            const struct clopt_kernel *kernel)
{
    struct clopt_profile profile;
    struct clopt_error why = {0};
    bool known = clopt_trial_is_of(observed->trial, kernel) &&
                 !clopt_variant_profile(observed->trial, observed->variant, observed->source->path,
                                        kernel, &profile, &why);
    return known ? clopt_profile_to_json(&profile) : NULL;
}

static void find_profiles(const struct clopt_observed *observed, json_t *answer)
{
    if (!observed->trial->rival)
        tell_kernels(tell_profile, observed, "profiles", answer);
}

const struct clopt_observer clopt_patterns_observer = {.made = find_patterns};
const struct clopt_observer clopt_profiles_observer = {.built = find_profiles};
