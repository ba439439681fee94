/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts functions that hold barriers into the kernel that calls them, where merged work-items can
 * wait together. */
#ifndef GEOMETRY_INLINE_H
#define GEOMETRY_INLINE_H

#include <clopt/optimization.h>
#include <clopt/source.h>

/* Returns in `source` the program of a transform with no function that holds a barrier called from
 * the kernel. CLOPT_INFEASIBLE where a call is part of an expression or the function returns from
 * its middle. */
enum clopt_status inline_collectives(const struct clopt_transform *transform,
                                     struct clopt_source **source, struct clopt_error *error);

#endif
