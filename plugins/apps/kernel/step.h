/* SPDX-License-Identifier: BSD-3-Clause */
/* A launch of a kernel, as [app kernel] or [step N] describes it. */
#pragma once

#include "argument.h"

/* An argument of a launch: one of [arguments], or a scalar of the launch's own. */
struct kernel_step_argument {
    struct kernel_argument *shared; /* NULL: own */
    struct kernel_argument own;
};

struct kernel_step {
    struct kernel_position position; /* of its section */
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

/* What a step may name; `error` gets what is wrong with it. */
struct kernel_known {
    struct kernel_names *names;
    struct kernel_argument *arguments; /* those of [arguments]; others are the step's own */
    size_t count;
    struct clopt_error *error;
};

struct kernel_argument *kernel_known_argument(const struct kernel_known *known, const char *name);

/* Reads a step from its section, to be finished in any case. `whole` says that it is [app kernel],
 * where `repeat` is not the step's but that of all steps together. */
void kernel_step_read(const struct clopt_section *section, bool whole, struct kernel_known known,
                      struct kernel_step *step);
void kernel_step_fini(struct kernel_step *step);

/* Reads expressions of a key, if there is one. */
void kernel_step_read_key(const struct clopt_section *section, const char *key, unsigned allowed,
                          struct kernel_known known, struct kernel_expressions *expressions);

/* Evaluates the NDRange of a launch. */
struct clopt_ndrange kernel_step_ndrange(const struct kernel_step *step,
                                         struct kernel_scope *scope);

/* Evaluates a key that must not be negative and may be missing: then it is 0. */
double kernel_step_number(const struct kernel_expressions *expressions, struct kernel_scope *scope);

/* ---- [reference] ---- */

/* What computes the results that variants are compared with. Nothing: the initial code itself. */
struct kernel_reference {
    const char *program;             /* a command; NULL: none */
    struct kernel_position position; /* of the command */
    bool has_step;                   /* another kernel */
    struct kernel_step step;
    struct clopt_kernel kernels[2];
    struct clopt_app app; /* that launches it */
};

/* Reads the section, which may be NULL; `whole` is [app ...], from which keys are taken that the
 * section does not have. Source and options of `reference->app` are left to the caller. */
void kernel_reference_read(const struct clopt_section *section, const struct clopt_section *whole,
                           struct kernel_known known, struct kernel_reference *reference);
