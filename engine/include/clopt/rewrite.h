/* SPDX-License-Identifier: BSD-3-Clause */
/* Edits the tree of a kernel: what optimizations rewrite with.
 *
 * Nodes are taken from a source (clopt/source.h), cloned, or built from patterns of OpenCL C; then
 * they replace others, or are put before or after them. What was not edited is printed as its
 * author wrote it, with comments and layout; the rest with as few parentheses as it needs.
 *
 * Nodes and variables belong to the source.
 *
 * What analyses said of a tree (clopt/source.h, clopt/loop.h) holds for it as it was read: ask
 * first, then edit. */
#pragma once

#include <clopt/optimization.h>
#include <clopt/source.h>

/* Nodes in an order, such as the arguments of a call; all zero is an empty list. */
struct clopt_nodes {
    struct clopt_node **items;
    size_t count;
    size_t capacity;
};

/* What a refusal of goto adds: the program that is refused need not be the one that its user wrote.
 */
#define CLOPT_GOTO_OF_RETURN " or an inner case, or an earlier step made it of a merged return"

/* Appends a node to a list, whose memory is the source's. */
CLOPT_API void clopt_nodes_add(struct clopt_source *source, struct clopt_nodes *nodes,
                               struct clopt_node *node);

/* Builds an expression or a statement from a pattern of OpenCL C, such as "$v + $u * $n" or
 * "if ($n < $l) { $N }". "$N" alone is a sequence of statements that takes the place of one; the
 * semicolon after a $n that is a statement, and the last one, may be left out. In it are
 *   $n  a node: an expression, or a statement where one may be; NULL for no value of a declaration,
 *       and no part of a for's head
 *   $N  a struct clopt_nodes *: arguments of a call, elements of a list, or statements
 *   $v  a struct clopt_variable *: its value
 *   $V  a struct clopt_variable *: its declaration, as in "$V = $n;"
 *   $s  a const char *: any words, such as the name of a function or a member, or an operator
 *   $t  a const char *: a type
 *   $d  an int, $u  an unsigned, $l  an int64_t
 * What a pattern adds that changes nothing is left out: x + 0 and 1 * x are x, 0 * x is 0, a + -b
 * is a - b. Nodes that have a place in a tree already are cloned, others taken. Operators, casts
 * and $v get the type of what they are made of; a call that is built has none (scalar is
 * CLOPT_SCALAR_NONE), but for convert_ and as_: give it one where your own pass asks for it later.
 * `at` is the node of whose line it is, for messages: what it replaces or is put beside. A pattern
 * that is no OpenCL C is reported by clopt_transform_set_tree(). */
CLOPT_API struct clopt_node *clopt_build(struct clopt_source *source, const struct clopt_node *at,
                                         const char *pattern, ...);

/* Builds a node, and appends it to a list. */
#define clopt_nodes_put(source, nodes, ...)                                                        \
    clopt_nodes_add(source, nodes, clopt_build(source, __VA_ARGS__))

/* How nodes are cloned; all zero but the source: as they are. */
struct clopt_cloning {
    struct clopt_source *source;
    void *user;
    /* Returns what to take in place of a clone of `node`, or NULL. */
    struct clopt_node *(*node)(void *user, const struct clopt_node *node);
    /* Returns the variable that a clone names, or declares, in place of `variable`, or NULL. */
    struct clopt_variable *(*variable)(void *user, const struct clopt_variable *variable);
    bool plain; /* without the comments between statements: for all copies but one */
};

/* Clones a node with all that it holds. */
CLOPT_API struct clopt_node *clopt_clone(const struct clopt_cloning *cloning,
                                         const struct clopt_node *node);

/* Appends clones of the statements that a body holds, and the comments at its end; of the body
 * itself, where it has no braces. */
CLOPT_API void clopt_nodes_add_body(const struct clopt_cloning *cloning, struct clopt_nodes *nodes,
                                    const struct clopt_node *body);

/* Puts a node where another one is, which then has no place. */
CLOPT_API void clopt_replace(struct clopt_source *source, struct clopt_node *node,
                             struct clopt_node *by);

/* Builds a node, and puts it there. */
#define clopt_replace_by(source, node, ...)                                                        \
    clopt_replace(source, node, clopt_build(source, node, __VA_ARGS__))

/* Puts a statement before another one and its pragmas; where that is the whole body of an if or a
 * loop, inside braces. */
CLOPT_API void clopt_insert_before(struct clopt_source *source, struct clopt_node *node,
                                   struct clopt_node *statement);

/* The same after another one. */
CLOPT_API void clopt_insert_after(struct clopt_source *source, struct clopt_node *node,
                                  struct clopt_node *statement);

/* Put a statement last or first into a compound statement. */
CLOPT_API void clopt_append(struct clopt_source *source, struct clopt_node *compound,
                            struct clopt_node *statement);
static inline void clopt_prepend(struct clopt_source *source, struct clopt_node *compound,
                                 struct clopt_node *statement)
{
    if (compound->child_count)
        clopt_insert_before(source, compound->children[0], statement);
    else
        clopt_append(source, compound, statement);
}

/* Takes a node out of its place and returns it, to be put elsewhere. */
CLOPT_API struct clopt_node *clopt_remove(struct clopt_source *source, struct clopt_node *node);

/* Makes a variable of a function: `type` as it is before the name, `dimensions` as after it
 * ("[16][17]", or ""). Its name is what `format` prints, with a number where that is taken. Declare
 * it by clopt_build(). */
CLOPT_API struct clopt_variable *clopt_variable_make(struct clopt_source *source, const char *type,
                                                     const char *dimensions, const char *format,
                                                     ...) CLOPT_PRINTF(4, 5);

/* Makes a variable of the type of another one, without an outermost const: name_2 for `number` 2.
 */
CLOPT_API struct clopt_variable *clopt_variable_copy(struct clopt_source *source,
                                                     const struct clopt_variable *variable,
                                                     unsigned number);

/* Makes a variable to declare in place of another one, under its name: of another type, as it
 * is before the name (NULL: of its own), and with an attribute after its dimensions. */
CLOPT_API struct clopt_variable *clopt_variable_like(struct clopt_source *source,
                                                     const struct clopt_variable *variable,
                                                     const char *type, const char *attribute);

/* Declares an array with other dimensions. */
CLOPT_API void clopt_variable_resize(struct clopt_source *source, struct clopt_variable *array,
                                     const char *dimensions);

/* Declares what a parameter of the kernel points to in another address space: CLOPT_SPACE_GLOBAL,
 * CLOPT_SPACE_CONSTANT or CLOPT_SPACE_LOCAL. */
CLOPT_API void clopt_parameter_set_space(struct clopt_source *source,
                                         struct clopt_variable *parameter, enum clopt_space space);

/* Makes a parameter of the kernel point to a scalar; false: its declaration is not understood. */
CLOPT_API bool clopt_parameter_set_pointee(struct clopt_source *source,
                                           const struct clopt_variable *parameter,
                                           enum clopt_scalar scalar);

/* Puts a qualifier before the name of a parameter of the kernel, such as "restrict"; false where no
 * comma or parenthesis follows the name, as in `float a[]`. */
CLOPT_API bool clopt_parameter_qualify(struct clopt_source *source,
                                       const struct clopt_variable *parameter,
                                       const char *qualifier);

/* Gives the kernel an attribute with an argument; false where its head names that already. */
CLOPT_API bool clopt_kernel_add_attribute(struct clopt_source *source, const char *name,
                                          unsigned argument);

/* Gives a function one more parameter, after the others. */
CLOPT_API void clopt_function_add_parameter(struct clopt_source *source,
                                            struct clopt_function *function,
                                            struct clopt_variable *parameter);

/* Functions whose bodies take the place of their calls in the kernel. */
enum clopt_inlining {
    CLOPT_INLINE_NONE,
    CLOPT_INLINE_BARRIERS, /* that hold a barrier: all of them, or it is CLOPT_INFEASIBLE */
    CLOPT_INLINE_LOOPS,    /* that hold a loop, where they can */
    CLOPT_INLINE_BRANCHES, /* that hold a loop or a branch, where they can */
    CLOPT_INLINE_ALL,      /* as with CLOPT_INLINE_BARRIERS, and others where they can */
};

/* Parses the source as it is now, with functions inlined. The caller destroys the tree. */
CLOPT_API enum clopt_status clopt_transform_parse_inlined(const struct clopt_transform *transform,
                                                          enum clopt_inlining what,
                                                          struct clopt_source **source,
                                                          struct clopt_error *error);

/* The same without inlining. */
static inline enum clopt_status clopt_transform_parse(const struct clopt_transform *transform,
                                                      struct clopt_source **source,
                                                      struct clopt_error *error)
{
    return clopt_transform_parse_inlined(transform, CLOPT_INLINE_NONE, source, error);
}

/* Prints the program and makes it the transform's source. CLOPT_FAILED: a pattern was wrong. */
CLOPT_API enum clopt_status clopt_transform_set_tree(struct clopt_transform *transform,
                                                     struct clopt_source *source,
                                                     struct clopt_error *error);

/* Edits the tree of a kernel. */
typedef enum clopt_status (*clopt_edit)(void *user, struct clopt_source *source,
                                        struct clopt_error *error);

/* Parses the transform's source, with functions inlined, has it edited, and hands it over. */
CLOPT_API enum clopt_status clopt_transform_edit(struct clopt_transform *transform,
                                                 enum clopt_inlining what, clopt_edit edit,
                                                 void *user, struct clopt_error *error);

/* Prints a program that was edited, if it was, and reads it again, so that analyses may be asked
 * once more. The tree is another one then; NULL where that fails. */
CLOPT_API enum clopt_status clopt_source_reread(const struct clopt_transform *transform,
                                                struct clopt_source **source,
                                                struct clopt_error *error);

/* ---- the NDRange ---- */

/* Changes the NDRange that this step has found, where `change` has other fields than 0; what
 * earlier steps have changed multiplies up. `added` are for a new parameter each, a ulong
 * after all others, of the kernel. CLOPT_INFEASIBLE: there are CLOPT_MOST_ADDED. */
CLOPT_API enum clopt_status clopt_transform_change_ndrange(
    struct clopt_transform *transform, const struct clopt_ndrange_change *change,
    struct clopt_error *error);

/* CLOPT_INFEASIBLE: the kernel is not right for such work-groups; 0 is the size that there is. A
 * change of the NDRange is checked so, too. */
CLOPT_API enum clopt_status clopt_transform_check_local_size(
    const struct clopt_transform *transform, const size_t local_size[3], struct clopt_error *error);

/* Whether work-groups have so many work-items in a dimension at each launch, as far as is known,
 * and no later step can change that: then a kernel may be right for no other local size, which its
 * change says (local_multiple and local_only). */
CLOPT_API bool clopt_transform_has_local_size(const struct clopt_transform *transform,
                                              unsigned dimension, size_t size);
