/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a branch may become selects: both sides are then done by every work-item. */
#ifndef BRANCHES_CHECK_H
#define BRANCHES_CHECK_H

#include <clopt/source.h>

#include "reads.h"

#define MOST_STORES 8

/* Stores to the same places, one in each side: what both do becomes one store. */
struct stores {
    const struct clopt_node *sides[2][MOST_STORES]; /* assignments */
    size_t count;
};

struct check {
    const struct clopt_source *source;
    unsigned cost; /* operations that both sides may take together */
    struct read_place place;
    struct stores stores;
    const struct clopt_node *where; /* of the reason; NULL: there is none */
    char reason[256];
    bool changes;   /* there is something to select */
    unsigned depth; /* of functions called */
};

/* Checks an outermost `if`; false leaves where and why in `check`. */
bool check_branch(struct check *check, const struct clopt_node *branch);

/* What is to be known of the reads in a node of one of a branch's sides. */
struct read_place check_place(const struct clopt_function *kernel, const struct clopt_node *branch,
                              const struct clopt_node *node);

/* Finds the stores that both sides do; none where they cannot become one. */
void stores_find(const struct clopt_node *branch, struct stores *stores);

/* Whether a place is an element of an array in private memory. */
bool is_private_element(const struct clopt_node *place);

#endif
