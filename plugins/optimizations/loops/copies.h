/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints loops with several copies of their body. */
#ifndef LOOPS_COPIES_H
#define LOOPS_COPIES_H

#include <clopt/source.h>

#include "trip.h"

struct copies {
    struct clopt_source *source;
    struct clopt_output *output;
    struct clopt_printer printer;
    const int *factors; /* by node: of a loop that is to be unrolled; 0: fully, -1: not at all */
    const struct binding *bindings;
    size_t count; /* copies made */
    enum clopt_status status;
    struct clopt_error *error;
};

void copies_init(struct copies *copies);

/* Prints a node with the selected loops in it unrolled; the outcome is in `status`. */
void copies_print(struct copies *copies, const struct clopt_node *node);

#endif
