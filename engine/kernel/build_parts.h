/* SPDX-License-Identifier: BSD-3-Clause */
/* Patterns that are parsed: what the files that build nodes share. */
#pragma once

#include "kernel/tree.h"
#include "text/token.h"

#define CLOPT_MOST_ARGUMENTS 32 /* of a pattern */

/* An argument that is no words. */
struct clopt_builder_argument {
    char kind; /* as its letter in the pattern */
    void *pointer;
};

struct clopt_builder {
    struct clopt_source *source;
    const struct clopt_node *at;
    const char *text; /* what is left */
    struct clopt_builder_argument arguments[CLOPT_MOST_ARGUMENTS];
    size_t argument_count;
    bool failed;
};

/* ---- words ---- */

/* The next token, which stays, or is read. */
struct clopt_token clopt_builder_peek(const struct clopt_builder *builder);
struct clopt_token clopt_builder_next(struct clopt_builder *builder);

/* Reads a word if it comes next; or notes that the pattern is wrong if it does not. */
bool clopt_builder_accept(struct clopt_builder *builder, const char *word);
void clopt_builder_expect(struct clopt_builder *builder, const char *word);

/* The argument whose token it is, if it is of one of these kinds; NULL: none. */
const struct clopt_builder_argument *clopt_builder_argument_of(const struct clopt_builder *builder,
                                                               const struct clopt_token *token,
                                                               const char *kinds);

/* Reads an argument of one of these kinds, if one comes next; NULL: none does. */
const struct clopt_builder_argument *clopt_builder_accept_argument(struct clopt_builder *builder,
                                                                   const char *kinds);

/* ---- nodes ---- */

struct clopt_node *clopt_builder_make(struct clopt_builder *builder, enum clopt_node_kind kind);

/* Adds the nodes of an argument that is a list. */
void clopt_builder_adopt_list(struct clopt_builder *builder, struct clopt_node *node,
                              const struct clopt_builder_argument *list);

/* Copies a name into the source. */
const char *clopt_builder_copy_name(struct clopt_builder *builder, const char *text, size_t length);

/* ---- what is parsed ---- */

/* Parses what binds at least as tightly as `level`. */
struct clopt_node *clopt_builder_expression(struct clopt_builder *builder, unsigned level);
