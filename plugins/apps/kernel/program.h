/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs programs of the user's: one that computes what results must be, and those that compare. */
#ifndef KERNEL_PROGRAM_H
#define KERNEL_PROGRAM_H

#include "data.h"

/* Runs the program of the study once for a problem, or finds in clopt's cache what it has computed,
 * and fills the expected values of all results that are compared with it. */
enum clopt_status kernel_program_expect(const struct kernel_definition *definition,
                                        const struct clopt_problem *problem,
                                        struct kernel_datum *data, struct clopt_error *error);

/* Lets the program that [results] names for a result compare it. */
enum clopt_status kernel_program_compare(const struct kernel_definition *definition,
                                         const struct kernel_argument *argument,
                                         const struct clopt_problem *problem,
                                         struct kernel_values actual, struct kernel_values expected,
                                         struct clopt_verdict *verdict, struct clopt_error *error);

#endif
