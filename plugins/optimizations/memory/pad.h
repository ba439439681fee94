/* SPDX-License-Identifier: BSD-3-Clause */
/* Padding: rows of arrays in local memory get longer, so that neighbours in a column are in
 * different banks. */
#ifndef MEMORY_PAD_H
#define MEMORY_PAD_H

#include <clopt/optimization.h>

enum clopt_status pad_apply(struct clopt_transform *transform, unsigned elements,
                            struct clopt_error *error);

#endif
