/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs sessions by observers. */
#include "trial/observer.h"
#include "text/json.h"
#include "worker/session.h"

enum clopt_status clopt_session_observe(struct clopt_session *session,
                                        const struct clopt_registry *registry, const char *name)
{
    const struct clopt_plugin_entry *entry;
    json_auto_t *report = NULL;
    CLOPT_TRY(clopt_registry_find(registry, CLOPT_KIND_OBSERVER, name, &entry, session->error));
    const struct clopt_observer *observer = entry->extension->operations;
    if (!observer->run)
        return clopt_fail(session->error, CLOPT_INVALID, "%s: this observer runs no kernels", name);
    CLOPT_TRY(observer->run(session, NULL, &report));
    const json_t *first = json_array_get(json_object_get(report, "findings"), 0);
    return !first
               ? CLOPT_OK
               : clopt_fail(session->error, CLOPT_WRONG_RESULT, "%s: line %d: %s: %s",
                            clopt_json_string(first, "kernel"),
                            (int)json_integer_value(json_object_get(first, "line")),
                            clopt_json_string(first, "kind"), clopt_json_string(first, "message"));
}
