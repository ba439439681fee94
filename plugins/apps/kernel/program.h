/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs programs of the user's: one that computes what results must be, and those that compare. */
#ifndef KERNEL_PROGRAM_H
#define KERNEL_PROGRAM_H

#include "data.h"

/* Runs the program of the study, if there is one, once for a problem, or finds in clopt's cache
 * what it has computed, and fills the expected values of all results that are compared with it. */
void kernel_program_expect(const struct kernel_definition *definition, struct kernel_scope *scope,
                           struct kernel_datum *data);

/* Lets the program that [results] names for a result compare it. */
void kernel_program_compare(const struct kernel_definition *definition,
                            const struct kernel_pair *pair, struct kernel_scope *scope,
                            struct clopt_verdict *verdict);

#endif
