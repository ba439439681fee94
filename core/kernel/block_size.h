/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds macros that are block sizes. */
#pragma once

#include "kernel/outline.h"

/* Marks the macros that are block sizes by their use in a text: get_group_id(0) * NAME +
 * get_local_id(0). */
void clopt_block_sizes_find(struct clopt_outline_macro *macros, size_t count, const char *text);
