/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses loops of a kernel. */
#ifndef CLOPT_REWRITE_LOOP_CHOICE_H
#define CLOPT_REWRITE_LOOP_CHOICE_H

#include <clopt/loop.h>

/* Whether loops are chosen by their numbers: then all of them are meant, else those that fit. */
bool clopt_loops_are_numbered(const char *loops);

/* Gives the chosen loops `factor` or their own one (0: full), and all other nodes -1. `factors` has
 * an element a node. CLOPT_INFEASIBLE where the kernel has no such loop. */
enum clopt_status clopt_loops_choose(const struct clopt_source *source, const char *loops,
                                     unsigned factor, int *factors, struct clopt_error *error);

#endif
