/* SPDX-License-Identifier: BSD-3-Clause */
/* What a source is made of. */
#ifndef CLOPT_SOURCE_TREE_H
#define CLOPT_SOURCE_TREE_H

#include <clopt/source.h>

#include "source/arena.h"
#include "source/names.h"
#include "source/normalise.h"
#include "source/parse.h"

#define CLOPT_MOST_DEPTH 1000 /* of a tree; deeper ones are refused */

struct clopt_source {
    struct clopt_normal normal;
    size_t *line_begins; /* offsets in the normalised text */
    size_t last_line;    /* the number of the last of them */
    struct clopt_arena arena;
    struct clopt_names names;
    struct clopt_function **functions;
    size_t function_count;
    struct clopt_variable **variables;
    size_t variable_count;
    size_t node_count;
};

/* Tells where the text at an offset comes from. */
struct clopt_place clopt_source_place(const struct clopt_source *source, size_t offset);

/* Builds the trees of a kernel and of what it reaches from a parsed, normalised text. */
enum clopt_status clopt_tree_build(struct clopt_source *source, const struct clopt_parse *parse,
                                   const char *kernel, struct clopt_error *error);

#endif
