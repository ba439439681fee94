/* SPDX-License-Identifier: BSD-3-Clause */
/* What functions do besides computing. */
#pragma once

#include "kernel/tree.h"

/* Fills `effects` of all functions, to a fixed point over their calls. */
void clopt_effects_find(struct clopt_source *source);

/* Whether a function of OpenCL has a name that starts like this. */
bool clopt_name_starts(const char *name, const char *prefix);

/* Whether a call is of a function of OpenCL, other than get_local_id and the like, that returns
 * each work-item what is its own. */
bool clopt_call_numbers_items(const struct clopt_node *call);

/* Whether a call is of a function of OpenCL that asks for the sub-group, or works with all of it.
 */
bool clopt_call_is_of_sub_group(const struct clopt_node *call);
