/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the iterations of a loop the lanes of vectors. */
#ifndef VECTOR_WITHIN_H
#define VECTOR_WITHIN_H

#include <clopt/optimization.h>

struct within_request {
    unsigned width;    /* 1: none */
    const char *loops; /* see clopt_loops_check() */
    bool reassociate;  /* floating-point numbers may be accumulated in another order */
};

/* Says without a source that values mean nothing. */
enum clopt_status within_check(const struct within_request *request, struct clopt_error *error);

/* Rewrites the chosen loops: those by number all of them, of others those that can be (Fang,
 * Varbanescu: Evaluating vector data type usage in OpenCL kernels, intra-work-item vectorization).
 * CLOPT_INFEASIBLE where there is none. */
enum clopt_status within_apply(struct clopt_transform *transform,
                               const struct within_request *request, struct clopt_error *error);

#endif
