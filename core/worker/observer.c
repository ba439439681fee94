/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs sessions by observers. */
#include "trial/observer.h"
#include "text/json.h"
#include "worker/session.h"

enum clopt_status clopt_session_observe(struct clopt_session *session, const char *name,
                                        const char **by, char **found)
{
    const struct clopt_registry *registry = session->workspace->registry;
    const struct clopt_observer *observer = NULL;
    const struct clopt_plugin_entry *entry;
    json_auto_t *report = NULL;
    for (size_t i = 0; (entry = clopt_registry_entry(registry, CLOPT_KIND_OBSERVER, i)); i++) {
        observer = entry->extension->operations;
        if (observer->run && (!name || strcmp(name, entry->extension->name) == 0))
            break;
    }
    if (!entry)
        return clopt_fail(session->error, CLOPT_PLUGIN_UNUSABLE, "no observer%s%s runs kernels",
                          name ? " " : "", name ? name : "");
    *by = entry->extension->name;
    CLOPT_TRY(observer->run(session, NULL, &report));
    const json_t *first = json_array_get(json_object_get(report, "findings"), 0);
    if (first)
        *found = clopt_text_format("%s: line %d: %s: %s", clopt_json_string(first, "kernel"),
                                   (int)json_integer_value(json_object_get(first, "line")),
                                   clopt_json_string(first, "kind"),
                                   clopt_json_string(first, "message"));
    return CLOPT_OK;
}
