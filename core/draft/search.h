/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the sections of a first study that searches. */
#ifndef CLOPT_DRAFT_SEARCH_H
#define CLOPT_DRAFT_SEARCH_H

#include <clopt/ndrange.h>

#include "plugin/registry.h"
#include "text/text.h"

/* Returns an NDRange with which optimizations can be asked what they can do: any local size will do
 * for that. */
struct clopt_ndrange clopt_draft_ndrange(unsigned dimensions);

/* Appends what all optimizations offer to searches of kernels with so many dimensions, and the
 * search. */
enum clopt_status clopt_draft_put_search(const struct clopt_registry *registry, unsigned dimensions,
                                         struct clopt_text *study, struct clopt_error *error);

#endif
