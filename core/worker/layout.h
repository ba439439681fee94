/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers whose elements a variant has in another order: each gets a twin, between which and itself
 * contents are permuted when a launch, or the host, needs them in the other order. */
#ifndef CLOPT_WORKER_LAYOUT_H
#define CLOPT_WORKER_LAYOUT_H

#include "worker/buffers.h"

/* Finds out how a layout permutes a launch's buffer. CLOPT_INFEASIBLE: it is not made for this
 * launch. */
enum clopt_status clopt_layout_find(const struct clopt_buffers *buffers,
                                    const struct clopt_layout *layout,
                                    const struct clopt_ndrange *range,
                                    const struct clopt_argument *arguments, size_t count,
                                    struct clopt_layout_shape *shape);

/* Sees to it that the twin of a buffer has what it holds, for a launch that may write there. */
enum clopt_status clopt_twin_use(struct clopt_buffers *buffers, unsigned id,
                                 const struct clopt_layout_shape *shape);

/* Sees to it that a buffer itself has what its twin holds. */
enum clopt_status clopt_twin_settle(struct clopt_buffers *buffers, unsigned id);

/* The same for all buffers. */
enum clopt_status clopt_twins_settle(struct clopt_buffers *buffers);

/* Forgets what a twin holds: the buffer has got other contents. */
void clopt_twin_forget(struct clopt_buffers *buffers, unsigned id);

#endif
