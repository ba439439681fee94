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
    bool has_names;  /* its arguments are [arguments], in the kernel's order and by its names */
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

struct kernel_reader; /* definition.h */

/* The sections that describe launches, bits: [app kernel], which has one launch itself or is above
 * the steps, [step N], [reference] and [variant NAME]. */
enum kernel_place {
    KERNEL_APP = 1,
    KERNEL_APP_OF_STEPS = 2,
    KERNEL_STEP = 4,
    KERNEL_REFERENCE = 8,
    KERNEL_VARIANT = 16,
    KERNEL_VARIANT_OF_STEPS = 32,
};

/* The keys of [app kernel]; the other sections of launches have some of them. */
extern const struct clopt_parameter kernel_keys[];

/* Refuses every key of a section that does not belong there. */
void kernel_step_check_keys(const struct clopt_section *section, enum kernel_place place,
                            struct clopt_error *error);

/* Reads a step from its section, to be finished in any case. `repeat` of [app kernel] is not the
 * step's but that of all steps together. */
void kernel_step_read(struct kernel_reader *reader, const struct clopt_section *section,
                      enum kernel_place place, struct kernel_step *step);
void kernel_step_fini(struct kernel_step *step);

/* Reads expressions of a key, if there is one. */
void kernel_step_read_key(struct kernel_reader *reader, const struct clopt_section *section,
                          const char *key, unsigned allowed,
                          struct kernel_expressions *expressions);

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

/* Reads the section, if there is one; the NDRange may be left to [app kernel]. Source and options
 * of `reference->app` are left to the caller. */
void kernel_reference_read(struct kernel_reader *reader, const struct clopt_section *section,
                           struct kernel_reference *reference);
