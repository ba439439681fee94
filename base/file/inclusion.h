/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows #include through the files of a source, before a compiler does. */
#pragma once

#include "file/sha256.h"
#include "text/build_options.h"
#include "text/text.h"

/* Returns what a line includes, or NULL; for the caller to free. */
char *clopt_included_name(const char *line);

/* Adds to a hash (NULL: none) the name and the text of each file that the text of `path` includes,
 * directly or not, and to a text (NULL: none) the paths, each with a NUL after it; `any` says
 * whether there is one. CLOPT_INVALID names what a compiler would read there without an end: a
 * device, a pipe, a file that is too large. */
enum clopt_status clopt_inclusions_add(const char *path, const char *text,
                                       const struct clopt_build_options *options,
                                       struct clopt_sha256 *hash, struct clopt_text *files,
                                       bool *any, struct clopt_error *error);

/* Whether a source, its build options and the text of all files that clopt_inclusions_add() finds
 * decide what is built: nothing else may be included, and no time of a build is named. In doubt it
 * is false. */
bool clopt_inclusions_decide(const char *source, const struct clopt_build_options *options);
