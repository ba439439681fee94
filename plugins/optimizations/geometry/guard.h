/* SPDX-License-Identifier: BSD-3-Clause */
/* Global sizes that are rounded up to a local size. */
#pragma once

#include <clopt/optimization.h>

/* Whether a kernel tests its index in a dimension wherever it writes. What cannot be read is the
 * compiler's to judge. */
bool guard_find(const struct clopt_transform *transform, unsigned dimension);
