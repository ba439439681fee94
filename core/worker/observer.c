/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs sessions by observers. */
#include "trial/observer.h"
#include "text/json.h"
#include "worker/session.h"

/* Has an observer run the session; `found` gets its first finding, which the caller frees, or NULL.
 */
static enum clopt_status run(struct clopt_session *session, const struct clopt_observer *observer,
                             char **found)
{
    json_auto_t *report = NULL;
    CLOPT_TRY(observer->run(session, NULL, &report));
    const json_t *first = json_array_get(json_object_get(report, "findings"), 0);
    if (first)
        *found = clopt_text_format("%s: line %d: %s: %s", clopt_json_string(first, "kernel"),
                                   (int)json_integer_value(json_object_get(first, "line")),
                                   clopt_json_string(first, "kind"),
                                   clopt_json_string(first, "message"));
    return CLOPT_OK;
}

enum clopt_status clopt_session_observe(struct clopt_session *session,
                                        const struct clopt_registry *registry, const char *name)
{
    const struct clopt_plugin_entry *entry;
    CLOPT_FREED char *found = NULL;
    CLOPT_TRY(clopt_registry_find(registry, CLOPT_KIND_OBSERVER, name, &entry, session->error));
    const struct clopt_observer *observer = entry->extension->operations;
    if (!observer->run)
        return clopt_fail(session->error, CLOPT_INVALID, "%s: this observer runs no kernels", name);
    CLOPT_TRY(run(session, observer, &found));
    return found ? clopt_fail(session->error, CLOPT_WRONG_RESULT, "%s", found) : CLOPT_OK;
}

enum clopt_status clopt_session_explain(struct clopt_session *session,
                                        const struct clopt_registry *registry, char **found)
{
    const struct clopt_plugin_entry *entry;
    const struct clopt_observer *observer = NULL;
    CLOPT_FREED char *first = NULL;
    clopt_registry_load(registry);
    for (size_t i = 0; (entry = clopt_registry_entry(registry, CLOPT_KIND_OBSERVER, i)); i++)
        if ((observer = entry->extension->operations)->run)
            break;
    if (!entry)
        return clopt_fail(session->error, CLOPT_PLUGIN_UNUSABLE, "no observer runs kernels");
    CLOPT_TRY(run(session, observer, &first));
    *found = first ? clopt_text_format("%s finds: %s", entry->extension->name, first)
                   : clopt_text_format("%s finds no wrong access", entry->extension->name);
    return CLOPT_OK;
}
