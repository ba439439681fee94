/* SPDX-License-Identifier: BSD-3-Clause */
/* What `clopt plugins` says of plugins, for machines. */
#pragma once

#include "plugin/registry.h"

/* Turn a plugin, and all of them together with those refused, into JSON; NULL when a path is not
 * UTF-8. New references. */
json_t *clopt_plugin_to_json(const struct clopt_plugin_entry *entry);
json_t *clopt_plugins_to_json(const struct clopt_registry *registry);
