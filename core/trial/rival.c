/* SPDX-License-Identifier: BSD-3-Clause */
/* A native program that solves a problem instead of an app's kernels. */
#include "trial/rival.h"

const char *clopt_rival_text(const json_t *rival, const char *key)
{
    const char *text = json_string_value(json_object_get(rival, key));
    return text ? text : "";
}

enum clopt_status clopt_rival_find(const struct clopt_registry *registry, const char *kind,
                                   const struct clopt_rival **found, struct clopt_error *error)
{
    const struct clopt_plugin_entry *entry;
    if (*kind) {
        CLOPT_TRY(clopt_registry_find(registry, CLOPT_KIND_RIVAL, kind, &entry, error));
        *found = entry->extension->operations;
        return CLOPT_OK;
    }
    for (size_t i = 0; (entry = clopt_registry_entry(registry, CLOPT_KIND_RIVAL, i)); i++) {
        *found = entry->extension->operations;
        if ((*found)->standard)
            return CLOPT_OK;
    }
    return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                      "no plugin has a standard kind of rivals; name one: [rival LABEL] kind");
}
