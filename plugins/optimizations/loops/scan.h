/* SPDX-License-Identifier: BSD-3-Clause */
/* Scans: what a loop accumulates, of which its iterations read what it is by then.
 *
 *     for (int k = 0; k < n; k++) {
 *         sum += in[k];
 *         out[k] = sum;
 *     } */
#pragma once

#include <clopt/rewrite.h>

#include <clopt/loop.h>

struct scan {
    struct clopt_variable *sum;
    const char *op;                /* as of clopt_loop_dependence() */
    const struct clopt_node *term; /* what an iteration adds */
    struct clopt_nodes before;     /* declarations in the loop's body that the term needs */
};

#define MOST_SCANS 4

struct scans {
    struct scan items[MOST_SCANS];
    size_t count;
};

/* Finds the scans of a loop of which each term is known before the iterations begin. Those of
 * floating-point numbers need `reassociate`. Marks their variables, by number, as handled. */
void scans_find(struct clopt_source *source, const struct clopt_node *loop,
                const struct clopt_trip *trip, bool reassociate, struct scans *scans,
                bool *handled);
