/* SPDX-License-Identifier: BSD-3-Clause */
/* Apps that a study describes: a plugin together with a description becomes an app of its own.
 *
 * A description travels as JSON, as part of every trial:
 *
 *     {"label": "blur", "study": "conf/blur.ini", "sections": [
 *         {"name": "size", "origin": "conf/blur.ini:7", "settings": [["n", "64",
 * "conf/blur.ini:8"]]}]}
 *
 * An app without a label has none. */
#pragma once

#include "plugin/registry.h"

struct clopt_definition;

/* Lets the plugin define the app. */
enum clopt_status clopt_definition_create(const struct clopt_plugin_entry *base,
                                          const json_t *description,
                                          struct clopt_definition **definition,
                                          struct clopt_error *error);
void clopt_definition_destroy(struct clopt_definition *definition);
CLOPT_HOLDER(clopt_definition, clopt_definition_destroy);

/* Lets the plugin look closer at it, in a child. */
enum clopt_status clopt_definition_check(struct clopt_definition *definition,
                                         const struct clopt_child_limits *limits,
                                         struct clopt_error *error);

const struct clopt_plugin_entry *clopt_definition_entry(const struct clopt_definition *definition);
