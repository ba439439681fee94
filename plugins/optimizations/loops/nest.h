/* SPDX-License-Identifier: BSD-3-Clause */
/* Counted loops, each the whole body of the one around it. */
#ifndef LOOPS_NEST_H
#define LOOPS_NEST_H

#include <clopt/loop.h>

struct nest {
    struct clopt_source *source;
    unsigned depth;
    struct clopt_node *loops[CLOPT_MOST_NEST]; /* the outermost first */
    struct clopt_trip trips[CLOPT_MOST_NEST];
};

/* Returns the loop that is the whole body of a loop; NULL where there is more. */
struct clopt_node *nest_inner(const struct clopt_node *loop);

/* Refuses a nest, whose depth and loops are given, if its iterations may not be executed in the
 * order of any permutation of its loops; fills in the trips. `change` says what the loops are to
 * be: "tiled". */
enum clopt_status nest_check(struct nest *nest, const char *change, struct clopt_error *error);

#endif
