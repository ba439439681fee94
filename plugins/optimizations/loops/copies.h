/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints loops with several copies of their body. */
#ifndef LOOPS_COPIES_H
#define LOOPS_COPIES_H

#include <clopt/loop.h>

struct copies {
    struct clopt_rewriting *rewriting;
    const struct clopt_binding *bindings;
    const struct clopt_node *turning; /* the loop whose copy is a loop of one turn */
    const char *left; /* the variable that notes that this copy left all of it, or NULL */
    size_t count;     /* copies made */
};

/* Lets a rewriting print the chosen loops unrolled. */
void copies_init(struct copies *copies, struct clopt_rewriting *rewriting);

#endif
