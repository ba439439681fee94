/* SPDX-License-Identifier: BSD-3-Clause */
/* Tiling: nests of loops are executed tile by tile. */
#ifndef LOOPS_TILE_H
#define LOOPS_TILE_H

#include <clopt/optimization.h>

/* Splits each chosen loop into one over tiles of so many iterations and one over the iterations of
 * a tile. Of chosen loops that are each the whole body of another one, the loops over tiles come
 * first; by number all of them are tiled, else those that can; CLOPT_INFEASIBLE where there is
 * none. */
enum clopt_status tile_apply(struct clopt_transform *transform, const char *loops, unsigned tile,
                             struct clopt_error *error);

#endif
