/* SPDX-License-Identifier: BSD-3-Clause */
/* Thread coarsening: one work-item does the work of several. */
#pragma once

#include <clopt/coarsen.h>
#include <clopt/rewrite.h>

/* Say without a source that a request cannot work: because of its dimension, or at all. */
enum clopt_status coarsen_check_dimension(const struct clopt_transform *transform,
                                          const struct clopt_merge *request,
                                          struct clopt_error *error);
enum clopt_status coarsen_check(const struct clopt_transform *transform,
                                const struct clopt_merge *request, struct clopt_error *error);

/* Rewrites the kernel and changes its NDRange (Magni, Dubach, O'Boyle: A large-scale
 * cross-architecture evaluation of thread-coarsening, SC 2013, section 4). */
enum clopt_status coarsen_apply(struct clopt_transform *transform,
                                const struct clopt_merge *request, struct clopt_error *error);

/* Merges as is requested (factor 1: nothing), then makes one work-item of each work-group
 * (serial.c). */
enum clopt_status serial_apply(struct clopt_transform *transform, const struct clopt_merge *request,
                               struct clopt_error *error);

/* Merges the work-items of a program that was read, and tells how launches change. */
enum clopt_status coarsen_merge(struct clopt_transform *transform,
                                const struct clopt_merge *request, struct clopt_source **source,
                                struct clopt_ndrange_change *change, struct clopt_error *error);

/* Lets a work-group (x, y) do the work of (y, x) as well, which then does none. */
enum clopt_status pairs_apply(struct clopt_transform *transform, struct clopt_error *error);

/* Lets one work-group do the work of so many neighbouring ones of dimension 0 in a loop. */
enum clopt_status group_loop_apply(struct clopt_transform *transform, unsigned groups,
                                   struct clopt_error *error);
