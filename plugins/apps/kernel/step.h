/* SPDX-License-Identifier: BSD-3-Clause */
/* A launch of a kernel, as [app kernel] or [step N] describes it. */
#ifndef KERNEL_STEP_H
#define KERNEL_STEP_H

#include <clopt/app.h>
#include <clopt/ndrange.h>

#include "argument.h"

/* An argument of a launch: one of [arguments], or a scalar of the launch's own. */
struct kernel_step_argument {
    struct kernel_argument *shared; /* NULL: own */
    struct kernel_argument own;
};

struct kernel_step {
    struct kernel_place place; /* of its section */
    uint64_t number;
    const char *kernel_name;
    unsigned kernel; /* index in the app's table */
    bool any_local_size;
    bool whole_groups; /* of those, what divides the global size */
    struct kernel_expressions global;
    struct kernel_expressions local;
    enum clopt_arithmetic arithmetic;     /* what kind the operations are of */
    struct kernel_expressions operations; /* none: not known */
    struct kernel_expressions bytes;
    struct kernel_expressions when;   /* none: always */
    struct kernel_expressions repeat; /* none: once */
    struct kernel_step_argument arguments[KERNEL_MOST_ARGUMENTS];
    size_t argument_count;
};

/* Reads a step from its section. `whole` says that it is [app kernel], where `repeat` is not the
 * step's but that of all steps together. Arguments that `arguments` has not are the step's own. */
enum clopt_status kernel_step_read(const struct clopt_section *section, bool whole,
                                   struct kernel_names *names, struct kernel_argument *arguments,
                                   size_t argument_count, struct kernel_step *step,
                                   struct clopt_error *error);
void kernel_step_fini(struct kernel_step *step);

/* Evaluates the NDRange of a launch. */
enum clopt_status kernel_step_ndrange(const struct kernel_step *step, struct kernel_scope *scope,
                                      struct clopt_ndrange *ndrange, struct clopt_error *error);

/* Evaluates a key that may be missing. */
enum clopt_status kernel_step_number(const struct kernel_expressions *expressions,
                                     struct kernel_scope *scope, double missing, double *value,
                                     struct clopt_error *error);

#endif
