/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the sections that describe a kernel, for `clopt init`. */
#ifndef KERNEL_DRAFT_H
#define KERNEL_DRAFT_H

#include <clopt/app.h>

enum clopt_status kernel_draft(const struct clopt_draft *draft, FILE *study,
                               struct clopt_error *error);

#endif
