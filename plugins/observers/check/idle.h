/* SPDX-License-Identifier: BSD-3-Clause */
/* What of a kernel that checks itself has done nothing: it was not checked either. */
#pragma once

#include "observers/check/check.h"
#include "text/text.h"

/* What all launches of a kernel were of. */
struct clopt_launched {
    uint64_t items;
    uint64_t global[3]; /* of the largest in each dimension */
    uint64_t local[3];
};

void clopt_launched_add(struct clopt_launched *launched, const struct clopt_ndrange *range);

/* Adds to an array what a kernel's log says: work-items that access no memory, where the end of an
 * NDRange that is rounded up does not explain them, and loops that are never entered. */
void clopt_idle_add(json_t *idle, const struct clopt_check_program *program, const char *kernel,
                    const uint32_t *log, const uint32_t *counts,
                    const struct clopt_launched *launched);

/* Adds that no work-item writes a result; `kernel` is the only one, or "". */
void clopt_idle_add_result(json_t *idle, const char *kernel, const char *name);
