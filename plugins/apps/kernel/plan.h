/* SPDX-License-Identifier: BSD-3-Clause */
/* All launches of a run, evaluated once: what is timed only hands them out. */
#pragma once

#include "definition.h"

#define KERNEL_MOST_LAUNCHES 1000000

/* Calls `visit` for every launch of a run, with a scope that is at it, until its error is set. */
typedef void (*kernel_visit)(void *user, struct kernel_scope *scope,
                             const struct kernel_step *step);
void kernel_walk(const struct kernel_definition *definition, struct kernel_scope *scope,
                 kernel_visit visit, void *user);

struct kernel_launch {
    unsigned kernel;
    int64_t repetition; /* of all steps, which it is part of */
    struct clopt_ndrange ndrange;
    size_t first_argument; /* in the plan's array */
    size_t argument_count;
};

struct kernel_plan {
    struct kernel_launch *launches;
    size_t launch_count;
    struct clopt_argument *arguments;
    size_t argument_count;
    uint64_t *values; /* of scalars, each in whole words */
    size_t value_count;
    char *parameters; /* for which it was made */
};

/* Makes a plan, unless `plan` is the one for these parameters already. */
void kernel_plan_provide(const struct kernel_definition *definition, struct kernel_scope *scope,
                         struct kernel_plan *plan);

/* Makes the plan of one launch alone. */
void kernel_plan_single(const struct kernel_step *step, struct kernel_scope *scope,
                        struct kernel_plan *plan);
void kernel_plan_fini(struct kernel_plan *plan);
