/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what launchers have. */
#include "study/launcher.h"

enum clopt_status clopt_launcher_transport(const struct clopt_registry *registry,
                                           const struct clopt_transport **transport,
                                           struct clopt_error *error)
{
    const struct clopt_plugin_entry *entry;
    for (size_t i = 0; (entry = clopt_registry_entry(registry, CLOPT_KIND_LAUNCHER, i)); i++) {
        const struct clopt_launcher *launcher = entry->extension->operations;
        if ((*transport = launcher->transport))
            return CLOPT_OK;
    }
    return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                      "no launcher of `clopt plugins --kind=launcher` has a transport");
}
