/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of vector. */
#pragma once

#include <clopt/rewrite.h>

/* ---- neighbouring work-items become the lanes of vectors ---- */

struct across_request {
    unsigned width;
    bool share;     /* overlapping loads become shuffles */
    bool aligned;   /* rows of global memory are vectors where arguments can see to it */
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

/* Makes the source of a kernel with functions where they are called, branches for returns, what
 * loops accumulate in variables, and variables without a value declared where they are used, if
 * each of their uses follows an assignment in its own block. */
enum clopt_status source_prepare(const struct clopt_transform *transform, unsigned width,
                                 struct clopt_source **source, struct clopt_error *error);

/* Takes a declaration apart: those of its variables that do not move, by their index, are declared
 * one by one. */
void declaration_split(struct clopt_source *source, const bool *moves,
                       struct clopt_node *statement);

/* Makes one list of statements of blocks that follow each other, without names of indices that they
 * declare. */
enum clopt_status source_straighten(const struct clopt_transform *transform,
                                    struct clopt_source **source, struct clopt_error *error);

/* ---- iterations of a loop become the lanes of vectors ---- */

struct within_request {
    unsigned width;    /* 1: none */
    const char *loops; /* see clopt_loops_check() */
    bool aligned;      /* rows of buffers that begin with multiples are loaded as vectors */
    bool functions;    /* as of across_request */
    bool reassociate;  /* floating-point numbers may be accumulated in another order */
};

/* Rewrites the chosen loops: those by number all of them, of others those that can be (Fang,
 * Varbanescu: Evaluating vector data type usage in OpenCL kernels, intra-work-item vectorization).
 * CLOPT_INFEASIBLE where there is none. */
enum clopt_status within_apply(struct clopt_transform *transform,
                               const struct within_request *request, struct clopt_error *error);
