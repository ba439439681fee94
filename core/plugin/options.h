/* SPDX-License-Identifier: BSD-3-Clause */
/* The options that extensions have at the command line. */
#pragma once

#include "plugin/registry.h"
#include "schema/command.h"

struct made_options;

/* Returns the options of all extensions for which `row` makes one, by kind and name. They end with
 * zeros and belong to the registry. */
const struct clopt_key *clopt_extension_options(struct clopt_registry *registry,
                                                clopt_option_row *row);
void clopt_extension_options_destroy(struct made_options *made);

/* Where a registry keeps them. */
struct made_options **clopt_registry_options(struct clopt_registry *registry);
