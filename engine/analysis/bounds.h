/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that affine forms are 0 or more where a node of a kernel is executed: from conditions and
 * loops around it, identities, and what a launch can be asked for. */
#pragma once

#include <clopt/ndrange.h>
#include <clopt/source.h>

#include "analysis/affine.h"

/* Symbols beside those of a table, one a dimension: what a launch has. */
#define CLOPT_SYMBOL_GLOBAL_SIZE 100
#define CLOPT_SYMBOL_LOCAL_SIZE  104

#define CLOPT_MOST_FACTS 48

/* What holds at a node: forms that are 0 or more. */
struct clopt_facts {
    const struct clopt_source *source; /* NULL: no launch is asked, and nothing may wrap around */
    struct clopt_symbols *symbols;
    struct clopt_affine forms[CLOPT_MOST_FACTS];
    struct clopt_launch_need needs[CLOPT_MOST_FACTS]; /* what a form follows from; its multiple is
                                                         0: nothing */
    unsigned count;
};

/* Reads an index, with variables that have one value replaced by it. False where that is not known
 * in full: it is no form, or depends on memory or on what loops compute. */
bool clopt_index_read(struct clopt_symbols *symbols, const struct clopt_node *node,
                      struct clopt_affine *form);

/* Collects what holds where `where` is. */
void clopt_facts_find(const struct clopt_source *source, const struct clopt_node *where,
                      struct clopt_symbols *symbols, struct clopt_facts *facts);

/* Proves that a form is 0 or more, under conditions that are added to `needs`, of which `count` are
 * there and CLOPT_LAYOUT_NEEDS may be. */
bool clopt_facts_prove(const struct clopt_facts *facts, const struct clopt_affine *form,
                       struct clopt_launch_need *needs, unsigned *count);

/* Whether a form is more than a number wherever a node is executed, whatever the launch. */
bool clopt_affine_exceeds(struct clopt_symbols *symbols, const struct clopt_node *where,
                          const struct clopt_affine *form, int64_t number);

/* Turns a form into one that a launch can compute; false where it has other symbols. */
bool clopt_launch_form_make(const struct clopt_source *source, const struct clopt_symbols *symbols,
                            const struct clopt_affine *form, struct clopt_affine *launch);
