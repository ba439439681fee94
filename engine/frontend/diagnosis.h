/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what libclang finds wrong with a program, and what its user can do. */
#pragma once

#include "frontend/parse.h"

/* Before " -D NAME=VALUE" of each macro that nothing defines, at the end of a message. */
#define CLOPT_MACRO_HINT "; what nothing defines may be macros:"
#define LONGEST_MACRO    128 /* bytes of its name */

/* Reports the first error among the diagnostics of a parse, if there is one, with the way out that
 * all of them show. */
enum clopt_status clopt_diagnosis_report(const struct clopt_parse *parse, const char *file,
                                         const struct clopt_lines *lines,
                                         struct clopt_error *error);

/* Finds the name that a message is about, "... WORDS'NAME'"; returns its length, 0 where there is
 * none. */
size_t clopt_diagnosis_name(const char *message, const char *words, const char **name);

/* The same of a name that nothing defines and that looks like a macro's. */
size_t clopt_diagnosis_macro(const char *message, const char **name, bool *is_type);

/* Whether a name is written as macros are: without small letters. */
bool clopt_looks_like_macro(const char *name, size_t length);
