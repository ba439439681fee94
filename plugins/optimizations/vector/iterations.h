/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out whether iterations of a loop may become lanes, and what they hold in common. */
#ifndef VECTOR_ITERATIONS_H
#define VECTOR_ITERATIONS_H

#include "plan.h"

/* CLOPT_INFEASIBLE where `width` iterations may not be executed together. */
enum clopt_status iterations_find(struct iteration_facts *facts, const struct clopt_source *source,
                                  const struct clopt_node *loop, unsigned width, bool reassociate,
                                  struct clopt_error *error);

/* Refuses variables from outside the loop that vectors cannot hold, or that are read after
 * the loop. */
enum clopt_status iterations_check_forms(const struct iteration_facts *facts,
                                         const struct plan *plan, struct clopt_error *error);

#endif
