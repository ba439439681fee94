/* SPDX-License-Identifier: BSD-3-Clause */
/* Constant memory: buffers that are only read become __constant. */
#ifndef MEMORY_CONSTANT_H
#define MEMORY_CONSTANT_H

#include <clopt/optimization.h>

enum clopt_status constant_apply(struct clopt_transform *transform, const char *names,
                                 struct clopt_error *error);

#endif
