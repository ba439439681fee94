/* SPDX-License-Identifier: BSD-3-Clause */
/* What a kernel does with its arrays in local memory. */
#ifndef CLOPT_ANALYSIS_LOCAL_ARRAY_H
#define CLOPT_ANALYSIS_LOCAL_ARRAY_H

#include <clopt/source.h>

/* Whether every access to an array in local memory names it and its element, so that what is
 * written to it can be seen: nothing has its address. */
bool clopt_local_is_followed(const struct clopt_node *body, const struct clopt_variable *array);

/* Returns the array of which an assignment, ++ or -- writes an element; NULL for other nodes. */
const struct clopt_variable *clopt_local_written(const struct clopt_node *node);

#endif
