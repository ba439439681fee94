/* SPDX-License-Identifier: BSD-3-Clause */
/* Apps and optimizations that exist in tests alone, and a registry that has nothing else. */
#pragma once

#include "plugin/registry.h"

/* App `tiles`: kernels `tile` (block_size x block_size work-items)
 * and `row` (any local size); inputs size and matrix; knobs block_size (both kernels) and pad (row
 * only), both of `shape`. App `plain`: kernel `plain`, no inputs, no knobs. */
extern const struct clopt_plugin_entry fake_tiles;
extern const struct clopt_plugin_entry fake_plain;

/* Optimization `shape`: the knobs block_size and pad, and local_size, which it sets itself.
 * Optimization `unroll`: factor, appended to the source as a comment; mode, a word. */
extern const struct clopt_plugin_entry fake_shape;
extern const struct clopt_plugin_entry fake_unroll;
extern const struct clopt_plugin_entry fake_join;

/* The registry of them. */
extern const struct clopt_registry *const fake_registry;
