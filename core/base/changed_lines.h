/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the lines in which a source differs from another one. */
#ifndef CLOPT_BASE_CHANGED_LINES_H
#define CLOPT_BASE_CHANGED_LINES_H

#include <clopt/error.h>

/* Counts the lines of `after` that `before` has not, as often as it has not, without empty ones. */
enum clopt_status clopt_changed_lines_count(const char *before, const char *after,
                                            unsigned *changed, struct clopt_error *error);

#endif
