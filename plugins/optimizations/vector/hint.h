/* SPDX-License-Identifier: BSD-3-Clause */
/* How wide the compiler's own vectorizer shall work. */
#ifndef VECTOR_HINT_H
#define VECTOR_HINT_H

#include <clopt/optimization.h>

/* Says without a source that a device does not know the hint. */
enum clopt_status hint_check(const struct clopt_transform *transform, struct clopt_error *error);

/* Puts the attribute intel_vec_len_hint(width) before the kernel. */
enum clopt_status hint_apply(struct clopt_transform *transform, unsigned width,
                             struct clopt_error *error);

#endif
