/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what a report is about. */
#include "view/analysis.h"

const struct clopt_analysis *clopt_analysis_find(const struct clopt_registry *registry,
                                                 struct clopt_error *error)
{
    const struct clopt_plugin_entry *entry;
    for (size_t i = 0; (entry = clopt_registry_entry(registry, CLOPT_KIND_ANALYSIS, i)); i++) {
        const struct clopt_analysis *analysis = entry->extension->operations;
        if (analysis->standard)
            return analysis;
    }
    clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
               "no plugin has a standard analysis; `clopt plugins` lists what was refused");
    return NULL;
}
