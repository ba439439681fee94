/* SPDX-License-Identifier: BSD-3-Clause */
/* A tree under construction: what the files that build trees share. */
#pragma once

#include "kernel/tree.h"

/* A function with a body. */
struct clopt_tree_definition {
    const char *name;
    unsigned begin; /* its text */
    unsigned end;
    CXCursor cursor;
    struct clopt_function *function; /* once something reaches it */
    struct clopt_tree_definition *next;
};

/* A type that is declared inside a function, in the order of the text. */
struct clopt_tree_type {
    struct clopt_tree_type *next;
    CXCursor cursor;
    const struct clopt_function *function;
    size_t begin; /* of what declares it, without variables */
    size_t end;
    const struct clopt_node *statement; /* that declares nothing else; NULL: variables, too */
};

struct clopt_tree_builder {
    struct clopt_source *source;
    const struct clopt_parse *parse;
    const char *kernel;
    struct clopt_tree_definition *definitions; /* in the order of the text */
    struct clopt_variable **declared;          /* by the offset of their names */
    struct clopt_function *function;           /* whose tree is built */
    struct clopt_tree_type *types;             /* declared inside functions, the last one first */
    unsigned depth;
    size_t limit; /* what is inside an as_type ends here at the latest; 0: nowhere inside */
    struct clopt_error *error;
    enum clopt_status status; /* of what went wrong; then functions return NULL */
};

/* Refuses the source for what is at a cursor; NULL. */
struct clopt_node *clopt_tree_refuse(struct clopt_tree_builder *builder, CXCursor cursor,
                                     const char *what);

/* ---- variables and types ---- */

struct clopt_variable *clopt_tree_add_variable(struct clopt_tree_builder *builder, CXCursor cursor);

bool clopt_tree_is_array(CXType type);
enum clopt_space clopt_tree_type_space(const struct clopt_tree_builder *builder, CXType type);
enum clopt_scalar clopt_tree_scalar(const struct clopt_tree_builder *builder, CXType type,
                                    unsigned *width);

/* ---- types inside functions ---- */

/* Notes such a type; NULL. */
struct clopt_node *clopt_tree_note_type(struct clopt_tree_builder *builder, CXCursor cursor);

/* Notes that those after `last` are all that a statement declares. */
void clopt_tree_note_alone(struct clopt_tree_builder *builder, const struct clopt_tree_type *last,
                           const struct clopt_node *statement);

/* Moves the types in front of their functions, by edits of the text. */
void clopt_tree_move_types(struct clopt_tree_builder *builder);

/* ---- functions ---- */

/* Returns the definition of a function that is declared at a cursor; NULL: the text has none. */
struct clopt_tree_definition *clopt_tree_find_definition(const struct clopt_tree_builder *builder,
                                                         const char *name, CXCursor declared);

/* Makes the function of a definition, to be built later; it is called by the one that is built. */
struct clopt_function *clopt_tree_reach(struct clopt_tree_builder *builder,
                                        struct clopt_tree_definition *definition);

/* ---- nodes ---- */

const char *clopt_tree_copy(const struct clopt_tree_builder *builder, const char *text,
                            size_t length);

/* Copies a libclang string and disposes of it. */
const char *clopt_tree_string(const struct clopt_tree_builder *builder, CXString string);

struct clopt_node *clopt_tree_make_node(struct clopt_tree_builder *builder, CXCursor cursor,
                                        enum clopt_node_kind kind);

/* Whether a name is to_global, to_local or to_private. */
bool clopt_tree_is_conversion(const char *name, size_t length);

/* Builds the children of a cursor, in the order of the text; false where that fails. */
bool clopt_tree_build_children(struct clopt_tree_builder *builder, CXCursor cursor,
                               struct clopt_node *node);
struct clopt_node *clopt_tree_child(const struct clopt_node *node, size_t index);

/* Returns the node of a cursor; NULL where there is none. */
struct clopt_node *clopt_tree_build_cursor(struct clopt_tree_builder *builder, CXCursor cursor);

/* ---- expressions ---- */

struct clopt_node *clopt_tree_build_expression(struct clopt_tree_builder *builder, CXCursor cursor,
                                               enum clopt_node_kind kind);

/* Puts the children of a node into the order of the text. */
void clopt_tree_sort_children(struct clopt_node *node);

/* Notes the type of a value, and how large what it leads to is. */
void clopt_tree_describe_value(const struct clopt_tree_builder *builder, CXCursor cursor,
                               struct clopt_node *node);

/* Builds what a name refers to: a variable, a called function, or an enumeration constant. */
struct clopt_node *clopt_tree_build_reference(struct clopt_tree_builder *builder, CXCursor cursor);
struct clopt_node *clopt_tree_build_call(struct clopt_tree_builder *builder, CXCursor cursor);

/* Builds what libclang does not name: an implicit conversion, a swizzle, or as_type. */
struct clopt_node *clopt_tree_build_unexposed(struct clopt_tree_builder *builder, CXCursor cursor);
