/* SPDX-License-Identifier: BSD-3-Clause */
/* What the names of a text mean: the declaration of each of them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <clopt/error.h>

struct clopt_parse; /* frontend/parse.h */
struct clopt_lines; /* frontend/lines.h */

/* A name of a variable, a function or an enumeration constant, or its declaration. */
struct clopt_reference {
    size_t offset; /* in the text */
    size_t
        declared; /* where the first declaration of what it means is: an offset in the text, or, */
                  /* of a text that was printed, what identifies it */
};

#define CLOPT_DECLARED_ELSEWHERE SIZE_MAX /* OpenCL declares it */

/* By their offsets. All zero is an empty list. */
struct clopt_references {
    struct clopt_reference *items;
    size_t count;
};

void clopt_references_fini(struct clopt_references *references);
void clopt_references_add(struct clopt_references *references, size_t offset, size_t declared);

/* Returns the number of the first reference at an offset or after it. */
size_t clopt_references_from(const struct clopt_references *references, size_t offset);

/* Returns the reference of the name at an offset; NULL: there is none. */
const struct clopt_reference *clopt_references_find(const struct clopt_references *references,
                                                    size_t offset);

/* Reads those of the functions of a parsed text. */
void clopt_references_read(const struct clopt_parse *parse, struct clopt_references *references);

/* Tells whether all names of a text that was printed, as they were read again, mean what they meant
 * before, which its lines say: CLOPT_FAILED names one that does not, CLOPT_INFEASIBLE a function of
 * OpenCL in whose place the program has its own. */
enum clopt_status clopt_references_check(const struct clopt_references *read, const char *file,
                                         const char *text, const struct clopt_lines *lines,
                                         struct clopt_error *error);
