/* SPDX-License-Identifier: BSD-3-Clause */
/* Has libclang parse OpenCL C. */
#pragma once

#include "frontend/lines.h"
#include "frontend/unit.h"
#include "text/build_options.h"

struct clopt_parse {
    struct clopt_clang clang;
    struct clopt_unit *opened;
    CXTranslationUnit unit;             /* its own */
    CXFile file;                        /* the main file */
    struct clopt_references references; /* where they were asked for */
};

/* Parses `text` under the name `file` with the options that bear on it; without `defines`, -D and
 * -U are left out. CLOPT_INVALID quotes the first error that clang finds, with the position that
 * `lines` (may be NULL) gives; CLOPT_FAILED: a name does not mean what `lines` says. */
enum clopt_status clopt_parse_init(struct clopt_parse *parse, const char *file, const char *text,
                                   const struct clopt_build_options *options, bool defines,
                                   const struct clopt_lines *lines, struct clopt_error *error);
void clopt_parse_fini(struct clopt_parse *parse);

/* Makes CLOPT_FAILED, which asks for a report, of an error that clang found in a rewritten program.
 */
enum clopt_status clopt_parse_blame(const char *file, struct clopt_error *error);

/* Tells where in the main file a cursor's text starts and ends, as offsets; false for what is
 * declared elsewhere. */
bool clopt_parse_extent(const struct clopt_parse *parse, CXCursor cursor, unsigned *begin,
                        unsigned *end);

/* Tells where in its file the name that a cursor declares is, as an offset. */
unsigned clopt_parse_offset(const struct clopt_parse *parse, CXCursor cursor);

/* Hashes the kinds, types and names of all that the user's files declare, in order: a fingerprint
 * of what a text means, to prove that normalising changed nothing. */
uint64_t clopt_parse_hash(const struct clopt_parse *parse);

/* Copies a libclang string into `text` (cut to `size`) and disposes of it. */
void clopt_parse_string(const struct clopt_parse *parse, CXString string, char *text, size_t size);
