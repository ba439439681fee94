/* SPDX-License-Identifier: BSD-3-Clause */
/* What the walk through a kernel that finds its subscripts knows: what each variable holds. */
#pragma once

#include "analysis/subscript.h"

/* What a variable or expression holds. */
struct clopt_content {
    struct clopt_affine affine;         /* of a pointer: how many elements after `array` */
    const struct clopt_variable *array; /* NULL: no pointer, or one to who knows what */
};

/* What a variable held before it was given what it holds. */
struct clopt_change {
    size_t variable;
    struct clopt_content before;
};

#define CLOPT_SYMBOL_BUCKETS 1024

struct clopt_walker {
    const struct clopt_source *source;
    struct clopt_subscripts *found;
    unsigned buckets[CLOPT_SYMBOL_BUCKETS]; /* the last symbol of each; 0: none */
    const size_t *local;                    /* of work-groups; NULL: forms need not be exact */
    struct clopt_content *values;           /* one a variable */
    size_t value_count;
    struct clopt_change
        *changes; /* of values, where the walk may have to go back; the last one last */
    size_t change_count;
    unsigned branches; /* around where the walk is, from which it may go back */
    unsigned loops;    /* around where the walk is */
    unsigned loop_count;
    unsigned depth;    /* of calls */
    unsigned returned; /* what the values may depend on that the function returns */
    bool silent;       /* records no accesses */
    bool full;         /* there is no room for more symbols */
};

/* Finds or adds a symbol. Where the walker is full, which it notes, it is another one. */
unsigned clopt_walker_symbol(struct clopt_walker *walker, enum clopt_symbol_kind kind,
                             unsigned number, const void *key, const char *name, unsigned depends);

/* Says which expression has a symbol's value. */
void clopt_walker_set_node(struct clopt_walker *walker, const struct clopt_affine *symbol,
                           const struct clopt_node *node);

/* Makes a value of which only is known what it may depend on. */
struct clopt_content clopt_content_computed(struct clopt_walker *walker, const void *key,
                                            unsigned number, unsigned depends);

/* The same for a value that may depend on everything. */
struct clopt_content clopt_content_unknown(struct clopt_walker *walker, const void *key,
                                           unsigned number);

/* Forgets what the variables hold that a part of the kernel may write, where control comes from
 * somewhere in it. */
void clopt_walker_forget(struct clopt_walker *walker, const struct clopt_node *at,
                         const struct clopt_node *part);

/* What a value may depend on. */
unsigned clopt_content_depends(const struct clopt_walker *walker,
                               const struct clopt_content *value);

/* Gives a variable another content. */
void clopt_walker_set(struct clopt_walker *walker, size_t variable,
                      const struct clopt_content *content);

/* Begins what the walk can go back from, until it is ended: to the number of changes by then. */
size_t clopt_walker_mark(struct clopt_walker *walker);
void clopt_walker_go_back(struct clopt_walker *walker, size_t mark);
void clopt_walker_end(struct clopt_walker *walker);

/* Reads an expression with all that it does, and records its accesses. */
struct clopt_content clopt_walker_evaluate(struct clopt_walker *walker,
                                           const struct clopt_node *node);

/* Walks through a statement, or a loop. */
void clopt_walker_walk(struct clopt_walker *walker, const struct clopt_node *node);
void clopt_walker_loop(struct clopt_walker *walker, const struct clopt_node *node);
