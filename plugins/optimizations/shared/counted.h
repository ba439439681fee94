/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops as people write them, as those that count. */
#pragma once

#include <clopt/loop.h>
#include <clopt/rewrite.h>

/* Makes chosen loops count by 1 from 0 that move by a step that is not known, have several
 * counters, halve or double one, or end by conditions of which the others do not change. Those that
 * cannot be counted stay as they are, without a refusal. */
enum clopt_status counted_apply(struct clopt_transform *transform, const char *loops,
                                struct clopt_error *error);
