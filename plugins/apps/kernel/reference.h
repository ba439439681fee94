/* SPDX-License-Identifier: BSD-3-Clause */
/* [reference]: what computes the results that variants are compared with. */
#ifndef KERNEL_REFERENCE_H
#define KERNEL_REFERENCE_H

#include "step.h"

/* Nothing: the initial code itself. */
struct kernel_reference {
    const char *program;       /* a command; NULL: none */
    struct kernel_place place; /* of the command */
    bool has_step;             /* another kernel */
    struct kernel_step step;
    struct clopt_kernel kernels[2];
    struct clopt_app app; /* that launches it */
};

/* Reads the section, which may be NULL; `whole` is [app ...], from which keys are taken that the
 * section does not have. Source and options of `reference->app` are left to the caller. */
enum clopt_status kernel_reference_read(const struct clopt_section *section,
                                        const struct clopt_section *whole,
                                        struct kernel_names *names,
                                        struct kernel_argument *arguments, size_t argument_count,
                                        struct kernel_reference *reference,
                                        struct clopt_error *error);
void kernel_reference_fini(struct kernel_reference *reference);

#endif
