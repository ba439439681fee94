/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints branches as selects.
 *
 * Each side works on copies of the variables that it writes; behind both, each variable gets the
 * copy of the side that is taken. A copy never depends on the other side, so that compilers find
 * straight-line code: what they make of `a = taken ? a_1 : a_2` with three variables is one select,
 * and never a branch. */
#ifndef BRANCHES_SELECTS_H
#define BRANCHES_SELECTS_H

#include <clopt/source.h>

#include "check.h"

struct selects {
    struct clopt_source *source;
    const struct clopt_function *kernel;
    const bool *exposed; /* by variable: its address is taken somewhere */
    const bool *flat;    /* by node: an outermost `if` that becomes selects */
    struct clopt_output *output;
    struct clopt_printer printer;
    const char **names; /* by variable: what it is called now; NULL: its name */
    const struct clopt_node *
        *beginnings;                  /* by variable: the assignment that its copy begins with */
    unsigned *counts;                 /* by the first variable of a name: copies so far */
    const struct clopt_node *branch;  /* the outermost `if` that is being printed */
    const struct guard *guard;        /* what holds where the text is wanted */
    const struct clopt_node *element; /* an element that is called `element_name` for now */
    const char *element_name;
    struct stores stores; /* of the branch */
    const char *stored[2][MOST_STORES];
    unsigned taken; /* conditions so far */
    unsigned places;
    bool begun; /* the branch has a line already */
    bool failed;
};

/* Prepares for printing; the arrays by node and variable must stay until fini. */
enum clopt_status selects_init(struct selects *selects, struct clopt_error *error);
void selects_fini(struct selects *selects);

#endif
