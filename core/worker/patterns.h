/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells in which patterns the kernels of a program access global memory. */
#ifndef CLOPT_WORKER_PATTERNS_H
#define CLOPT_WORKER_PATTERNS_H

#include <jansson.h>

#include <clopt/app.h>

/* Returns {"KERNEL": [{"array": ..., "access": ..., ...}, ...], ...}. A kernel that cannot be
 * analyzed has {"KERNEL": "why"}. NULL when memory runs out. */
json_t *clopt_patterns_to_json(const struct clopt_kernel *kernels, const char *file,
                               const char *source, const char *options);

#endif
