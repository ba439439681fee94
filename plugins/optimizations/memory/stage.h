/* SPDX-License-Identifier: BSD-3-Clause */
/* Staging: what a work-group reads several times is brought into local memory once. */
#ifndef MEMORY_STAGE_H
#define MEMORY_STAGE_H

#include <clopt/optimization.h>

enum clopt_status stage_apply(struct clopt_transform *transform, const char *names,
                              struct clopt_error *error);

#endif
