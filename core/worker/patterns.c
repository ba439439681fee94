/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells in which patterns the kernels of a program access global memory. */
#include "worker/patterns.h"

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

json_t *clopt_patterns_to_json(const struct clopt_kernel *kernels, const char *file,
                               const char *source, const char *options)
{
    json_t *all = json_object();
    for (const struct clopt_kernel *kernel = kernels; all && kernel->name; kernel++) {
        struct clopt_source *tree = NULL;
        struct clopt_patterns patterns = {0};
        struct clopt_error why = {0};
        enum clopt_status status =
            clopt_source_create(file, source, NULL, options, kernel->name, &tree, &why);
        if (!status)
            status = clopt_patterns_find(tree, 0, &patterns, &why);
        json_object_set_new(all, kernel->name,
                            status ? json_string(why.message) : list_patterns(&patterns));
        clopt_patterns_fini(&patterns);
        clopt_source_destroy(tree);
    }
    return all;
}
