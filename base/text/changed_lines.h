/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the lines in which a source differs from another one. */
#pragma once

#include <clopt/memory.h>

/* Marks the lines of `after` that `before` has not, as often as it has not, without empty ones: an
 * array for the caller to free, one a line. */
bool *clopt_changed_lines_find(const char *before, const char *after, size_t *count);

/* Counts them. */
unsigned clopt_changed_lines_count(const char *before, const char *after);
