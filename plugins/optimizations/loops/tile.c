/* SPDX-License-Identifier: BSD-3-Clause */
/* Tiling: nests of loops are executed tile by tile (clopt/loop.h). */
#include "../shared/counted.h"
#include "loops.h"

static enum clopt_status change(void *user, struct clopt_rewriting *rewriting,
                                struct clopt_node *loop, struct clopt_error *error)
{
    struct nest nest = {.source = rewriting->source};
    struct clopt_tiling tilings[CLOPT_MOST_NEST] = {0};
    (void)user;
    for (; loop && nest.depth < CLOPT_MOST_NEST && rewriting->factors[loop->index] >= 0;
         loop = nest_inner(loop)) {
        struct clopt_tiling *tiling = &tilings[nest.depth];
        *tiling = (struct clopt_tiling){
            .source = nest.source, .loop = loop, .size = rewriting->factors[loop->index]};
        CLOPT_TRY(clopt_tiling_check(tiling, error));
        nest.loops[nest.depth++] = loop;
    }
    if (nest.depth > 1)
        CLOPT_TRY(nest_check(&nest, "tiled", error));
    CLOPT_TRY(clopt_tilings_build(tilings, nest.depth, error));
    for (unsigned i = 0; i < nest.depth; i++)
        rewriting->factors[nest.loops[i]->index] = -1;
    return CLOPT_OK;
}

enum clopt_status tile_apply(struct clopt_transform *transform, const char *loops, unsigned factor,
                             struct clopt_error *error)
{
    CLOPT_TRY(counted_apply(transform, loops, error));
    return clopt_loops_rewrite(transform, loops, factor, change, NULL, error);
}
