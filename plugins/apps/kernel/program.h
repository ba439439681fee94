/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the program that computes what results must be. */
#ifndef KERNEL_PROGRAM_H
#define KERNEL_PROGRAM_H

#include "data.h"

/* Runs the program of the study once for a problem, or finds in clopt's cache what it has computed,
 * and fills the expected values of all results that are compared with it. */
enum clopt_status kernel_program_expect(const struct kernel_definition *definition,
                                        const struct clopt_problem *problem,
                                        struct kernel_datum *data, struct clopt_error *error);

#endif
