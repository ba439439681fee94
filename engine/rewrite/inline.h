/* SPDX-License-Identifier: BSD-3-Clause */
/* Inlines functions, and sees through pointers: what is done to a program before optimizations. */
#pragma once

#include <clopt/rewrite.h>

/* As clopt_source_create(), with functions inlined, and, unless none or those with barriers alone
 * are asked for, without derived pointers. Functions can be inlined where their call is a
 * statement, or the value of an assignment or declaration that is one, and where they return at
 * their end alone.
 */
enum clopt_status clopt_source_create_inlined(const char *file, const char *text,
                                              const struct clopt_lines *lines, const char *options,
                                              const char *kernel, enum clopt_inlining what,
                                              struct clopt_source **source,
                                              struct clopt_error *error);

/* Replaces pointers to global, constant and local memory that are derived from one parameter or
 * array by offsets into it. Returns whether that edited the tree, which is to be read again then.
 */
bool clopt_pointers_replace(struct clopt_source *source);
