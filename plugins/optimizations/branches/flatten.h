/* SPDX-License-Identifier: BSD-3-Clause */
/* What choosing branches and making selects of them have in common. */
#pragma once

#include <clopt/loop.h>

/* ---- what expressions cost, and their types ---- */

/* The operations of a node and all below it: 1 for operators and cheap built-in functions, 4 for
 * divisions and for access to local, global and constant memory, 10 for other built-in functions.
 * Ends with more than `most` once it is clear that there are more. */
unsigned operations(const struct clopt_node *node, unsigned most);

#define MOST_TYPE 128

/* Puts the type of an element, without qualifiers, into `type`; false where that takes more than
 * reading the type of its base. */
bool element_type(const struct clopt_access *elements, char *type, size_t size);

/* ---- what is left of branches ---- */

/* Whether both operands of ?: have its type, so that either can take its place. */
bool conditional_has_one_type(const struct clopt_node *node);

/* Returns a side, or NULL, in place of its branch: among other statements without braces that it
 * does not need. */
struct clopt_node *branch_form_side(const struct clopt_cloning *cloning,
                                    const struct clopt_node *branch, const struct clopt_node *side);

/* ---- reads ---- */

enum read_kind {
    READ_UNSAFE,
    READ_AS_IT_IS,
    READ_ELSEWHERE, /* where the branch is not taken: what `like` reads; NULL: element 0 */
};

struct read {
    enum read_kind kind;
    const struct clopt_node *like;
};

/* Returns what is executed before a statement: the one before it in its block, else the node that
 * holds it; NULL where there is none. */
const struct clopt_node *node_before(const struct clopt_node *statement);

/* Finds out how a node that is a memory access can be read whether it is executed or not: below
 * `branch`, the outermost `if` that becomes selects. */
struct read read_find(const struct clopt_node *branch, const struct clopt_node *node);

/* Whether a node writes a variable, or what it leads to. */
bool node_writes(const struct clopt_node *node, const struct clopt_variable *variable);

/* Whether a subscript is a number inside a dimension of an array. */
bool is_in_range(const struct clopt_variable *array, size_t dimension,
                 const struct clopt_node *subscript);

/* ---- branches ---- */

#define MOST_STORES 8

/* Stores to the same lvalues, one in each side: what both do becomes one store. */
struct stores {
    const struct clopt_node *sides[2][MOST_STORES]; /* assignments */
    size_t count;
};

/* Finds the stores that both sides do; none where they cannot become one. */
void stores_find(const struct clopt_node *branch, struct stores *stores);

/* Returns twice the number of the pair that a store is in, plus its side; -1: it is in none. */
int stores_number(const struct stores *stores, const struct clopt_node *node);

/* Whether a lvalue is an element of an array in private memory. */
bool is_private_element(const struct clopt_node *lvalue);

/* What proves that a side of a mask may be done by all work-items. */
struct mask;

/* Whether a work-item that takes the same side, wherever this one does not, reads the same. */
bool mask_is_read(struct mask *mask, const struct clopt_node *node);

/* Whether all work-items do the iterations of a loop alike. */
bool mask_is_common(const struct mask *mask, const struct clopt_node *loop);

/* Whether a branch can become selects, a mask where `mask` is not NULL: with loops, and whatever it
 * costs. */
bool flatten_can(const struct clopt_source *source, const struct clopt_node *branch,
                 struct mask *mask, struct clopt_error *error);

/* Turns the outermost branches that `flat` marks, by node, into selects; `as_is`: their reads are
 * safe as they are. */
void selects_rewrite(struct clopt_source *source, const bool *flat, bool as_is);
