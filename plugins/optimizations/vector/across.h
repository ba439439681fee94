/* SPDX-License-Identifier: BSD-3-Clause */
/* Merges neighbouring work-items into the lanes of vectors. */
#ifndef VECTOR_ACROSS_H
#define VECTOR_ACROSS_H

#include <clopt/optimization.h>

struct across_request {
    unsigned width;
    bool share;     /* overlapping loads become shuffles */
    bool functions; /* those of which OpenCL defines only the accuracy are called with vectors */
};

/* Says without a source that a width cannot work. */
enum clopt_status across_check(const struct clopt_transform *transform, unsigned width,
                               struct clopt_error *error);

/* Rewrites the kernel and changes its NDRange (Fang, Varbanescu: Evaluating vector data type usage
 * in OpenCL kernels, inter-work-item vectorization). CLOPT_INFEASIBLE where nothing becomes vector
 * code, or what is asked for does not happen. */
enum clopt_status across_apply(struct clopt_transform *transform,
                               const struct across_request *request, struct clopt_error *error);

#endif
