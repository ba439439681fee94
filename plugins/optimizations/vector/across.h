/* SPDX-License-Identifier: BSD-3-Clause */
/* Merges neighbouring work-items into the lanes of vectors. */
#ifndef VECTOR_ACROSS_H
#define VECTOR_ACROSS_H

#include <clopt/optimization.h>

/* Says without a source that a width cannot work. */
enum clopt_status across_check(const struct clopt_transform *transform, unsigned width,
                               struct clopt_error *error);

/* Rewrites the kernel and changes its NDRange (Fang, Varbanescu: Evaluating vector data type usage
 * in OpenCL kernels, inter-work-item vectorization). CLOPT_INFEASIBLE where nothing becomes vector
 * code. With `shares`, overlapping loads become shuffles; CLOPT_INFEASIBLE where none do. */
enum clopt_status across_apply(struct clopt_transform *transform, unsigned width, bool shares,
                               struct clopt_error *error);

#endif
