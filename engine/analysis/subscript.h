/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds every access to global memory of a kernel, and its subscript as a form.
 *
 * Values are followed from statement to statement, so that a pointer is known that was moved: what
 * a work-group reads is asked so, once for a kernel. What two accesses in a loop have to do with
 * each other is asked of their names instead (clopt_accesses_add() in clopt/loop.h): of any memory,
 * in any part of a tree, and with proof that nothing wraps around. */
#pragma once

#include <clopt/source.h>

#include "analysis/affine.h"

/* What a value may depend on: the local identity in each dimension, and each loop around it; bits.
 */
#define CLOPT_DEPENDS_ITEM(dimension) (1u << (dimension))
#define CLOPT_DEPENDS_ITEMS           7u
#define CLOPT_DEPENDS_LOOP(loop)      (1u << ((loop) + 3))
#define CLOPT_MOST_LOOPS              28 /* what is deeper inside a kernel, or later, is unknown */

enum clopt_symbol_kind {
    CLOPT_SYMBOL_UNIFORM,  /* the same for the work-items of a group and in all iterations of loops
                            */
    CLOPT_SYMBOL_ITEM,     /* the local identity in dimension `number` */
    CLOPT_SYMBOL_LOOP,     /* how many iterations loop `number` has done */
    CLOPT_SYMBOL_COMPUTED, /* anything else: what is read from memory, divided, chosen */
};

struct clopt_symbol {
    enum clopt_symbol_kind kind;
    unsigned number;
    unsigned depends;
    const void *key;               /* a variable or a node, or the name of a function */
    const char *name;              /* of a variable; NULL: has none */
    const struct clopt_node *node; /* an expression whose value it is; NULL: none is known */
    unsigned next;                 /* of the same bucket; 0: none */
};

/* An access to the global or constant memory that a parameter of the kernel points to. */
struct clopt_subscript {
    const struct clopt_node *node;
    const struct clopt_variable *array; /* the parameter; NULL: not known */
    unsigned access;                    /* CLOPT_READ and CLOPT_WRITE */
    unsigned width;                     /* elements from there on: vload4 */
    unsigned loops;                     /* around it, CLOPT_DEPENDS_LOOP of each */
    struct clopt_affine affine;
};

struct clopt_subscripts {
    struct clopt_symbol *symbols; /* symbol 1 is the first */
    size_t symbol_count;
    struct clopt_subscript *accesses;
    size_t access_count;
};

/* With `local`, the sizes of work-groups, forms are exact: what bounds an index is not left out,
 * and identities divided by a size of work-groups are known. NULL: what happens at edges is left
 * out. Of a kernel with more symbols than forms can name, none is found. */
void clopt_subscripts_find(const struct clopt_source *source, const size_t *local,
                           struct clopt_subscripts *subscripts);
void clopt_subscripts_fini(struct clopt_subscripts *subscripts);

/* What a form may depend on. */
unsigned clopt_affine_depends(const struct clopt_subscripts *subscripts,
                              const struct clopt_affine *form);
