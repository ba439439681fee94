/* SPDX-License-Identifier: BSD-3-Clause */
/* Branches as selects.
 *
 * Each side works on copies of the variables that it writes; after both, each variable gets the
 * copy of the side that is taken. A copy never depends on the other side, so that compilers find
 * straight-line code: what they make of `a = taken ? a_1 : a_2` with three variables is one select,
 * and never a branch. */
#ifndef BRANCHES_SELECTS_H
#define BRANCHES_SELECTS_H

#include <clopt/rewrite.h>

#include "check.h"

/* A condition that holds where a side is meant. */
struct guard {
    const struct guard *outer;
    struct clopt_variable *taken;
    bool negative;
};

/* What takes the place of a variable in a side. */
struct copy {
    struct clopt_variable *variable; /* NULL: itself */
    bool written;                    /* the side writes it, not one around it */
    bool begins;                     /* it is declared by the assignment that comes next */
};

struct selects {
    struct clopt_source *source;
    const bool *flat;                 /* by node: an outermost `if` that becomes selects */
    struct clopt_cloning cloning;     /* gives nodes of the original their new form */
    struct copy *copies;              /* by variable */
    unsigned *counts;                 /* by the first variable of a name: copies so far */
    const struct clopt_node *branch;  /* the outermost `if` that is being changed */
    const struct guard *guard;        /* what holds where a node is meant */
    const struct clopt_node *element; /* an element that `element_copy` holds for now */
    struct clopt_variable *element_copy;
    struct stores stores; /* of the branch */
    struct clopt_variable *stored[2][MOST_STORES];
    unsigned taken; /* conditions so far */
    unsigned places;
    bool failed; /* memory has run out */
};

/* ---- for both files ---- */

/* Returns the new form of a node. */
struct clopt_node *selects_clone(const struct selects *selects, const struct clopt_node *node);

/* Builds a statement at the end of a list. */
#define selects_put(selects, list, ...) clopt_nodes_put((selects)->source, list, __VA_ARGS__)

/* Makes base_number. */
struct clopt_variable *selects_make(const struct selects *selects, const char *type,
                                    const char *base, unsigned number);

/* Makes a variable for what is found in another one after so many subscripts. */
struct clopt_variable *selects_copy(struct selects *selects, const struct clopt_variable *variable,
                                    size_t subscripts);

/* The variable that takes the place of another one now. */
struct clopt_variable *selects_variable(const struct selects *selects,
                                        const struct clopt_variable *variable);

/* ---- memory ---- */

/* Returns a read that is safe where the side is not taken; NULL: it is so by itself. */
struct clopt_node *selects_form_read(struct selects *selects, const struct clopt_node *node);

/* Returns a write to an element of an array in private memory, which gets what it has where the
 * side is not taken. */
struct clopt_node *selects_form_element(struct selects *selects, const struct clopt_node *node,
                                        const struct clopt_node *place);

/* Returns a store that both sides do as a copy's value; NULL where a statement is none. */
struct clopt_node *selects_form_stored(struct selects *selects, const struct clopt_node *node);

/* Adds those stores, after both sides. */
void selects_add_stores(const struct selects *selects, const struct clopt_variable *taken,
                        struct clopt_nodes *list);

#endif
