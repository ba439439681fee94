/* SPDX-License-Identifier: BSD-3-Clause */
/* Layouts of buffers: soa, aos, transposed or blockedN, of all buffers or, after a colon, of some.
 */
#ifndef MEMORY_LAYOUT_H
#define MEMORY_LAYOUT_H

#include <clopt/optimization.h>

/* Refuses a value that is no layout: CLOPT_INFEASIBLE. */
enum clopt_status layout_check(const char *value, struct clopt_error *error);

enum clopt_status layout_apply(struct clopt_transform *transform, const char *value,
                               struct clopt_error *error);

#endif
