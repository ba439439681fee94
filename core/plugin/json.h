/* SPDX-License-Identifier: BSD-3-Clause */
/* What `clopt plugins` says of plugins, for machines. */
#ifndef CLOPT_PLUGIN_JSON_H
#define CLOPT_PLUGIN_JSON_H

#include <jansson.h>

#include "plugin/registry.h"

/* Returns "integer", "real", "text" or "file". */
const char *clopt_type_text(enum clopt_type type);

/* Turn a plugin, and all of them together with those refused, into JSON; NULL when memory runs
 * out or a path is not UTF-8. New references. */
json_t *clopt_plugin_to_json(const struct clopt_plugin_entry *entry);
json_t *clopt_plugins_to_json(const struct clopt_registry *registry);

#endif
