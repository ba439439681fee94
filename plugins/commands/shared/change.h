/* SPDX-License-Identifier: BSD-3-Clause */
/* Says in words how a variant is launched. */
#pragma once

#include <clopt/ndrange.h>
#include <clopt/text.h>

/* Appends lines that say how launches change, each after a prefix; with_multiples: for which local
 * sizes, too. */
void clopt_change_say(struct clopt_text *text, const char *prefix,
                      const struct clopt_ndrange_change *change, bool with_multiples);
