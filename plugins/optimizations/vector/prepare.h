/* SPDX-License-Identifier: BSD-3-Clause */
/* Prepares a kernel whose work-items become lanes. */
#ifndef VECTOR_PREPARE_H
#define VECTOR_PREPARE_H

#include <clopt/source.h>

/* Makes the source of a kernel with functions where they are called, branches for returns, what
 * loops accumulate in variables, and variables without a value declared where they are used, if
 * each of their uses follows an assignment in its own block. */
enum clopt_status source_prepare(const struct clopt_transform *transform,
                                 struct clopt_source **source, struct clopt_error *error);

#endif
