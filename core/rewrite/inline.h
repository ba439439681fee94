/* SPDX-License-Identifier: BSD-3-Clause */
/* Inlines functions. */
#pragma once

#include <clopt/source.h>

/* As clopt_source_create(), with functions inlined. They can be where their call is a statement, or
 * the value of an assignment or declaration that is one, and where they return at their end alone.
 */
enum clopt_status clopt_source_create_inlined(const char *file, const char *text,
                                              const struct clopt_lines *lines, const char *options,
                                              const char *kernel, enum clopt_inlining what,
                                              struct clopt_source **source,
                                              struct clopt_error *error);
