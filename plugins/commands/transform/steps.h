/* SPDX-License-Identifier: BSD-3-Clause */
/* Applies optimizations as the command line names them. */
#pragma once

#include "plugin/registry.h"
#include "trial/transform.h"

/* Applies an optimization with values, as in --geometry=granularity=4,dimension=1. */
enum clopt_status clopt_apply_option(struct clopt_transform *transform,
                                     const struct clopt_plugin_entry *entry,
                                     const char *values_text, struct clopt_error *error);

/* Applies a variant by the name that reports give it. Knobs are defined as macros, where this is
 * an app's file: one with a source file of that name, and the kernel. Of "STEPS in KERNEL, STEPS in
 * KERNEL" the kernel gets its own steps. */
enum clopt_status clopt_apply_variant(struct clopt_transform *transform,
                                      const struct clopt_registry *registry, const char *name,
                                      struct clopt_error *error);
