/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the lines in which a source differs from another one. */
#pragma once

#include <clopt/error.h>

/* Marks the lines of `after` that `before` has not, as often as it has not, without empty ones: an
 * array for the caller to free, one a line. NULL when memory runs out. */
bool *clopt_changed_lines_find(const char *before, const char *after, size_t *count);

/* Counts them. */
enum clopt_status clopt_changed_lines_count(const char *before, const char *after,
                                            unsigned *changed, struct clopt_error *error);
