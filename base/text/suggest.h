/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the name that someone who made a typing error meant. */
#pragma once

#include "text/text.h"

/* Returns the one of `count` names nearest to `wrong` by edit distance, or NULL where none is near
 * (distance at most a third of the length, rounded up). */
const char *clopt_suggest(const char *wrong, const char *const *names, size_t count);

/* Says "did you mean NAME?" or, where none is near, `lead` and all names. The caller ends the text.
 */
struct clopt_text clopt_suggest_or_list(const char *wrong, const char *const *names, size_t count,
                                        const char *lead);
