/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds contenders in the store: what is known of them by then, and what they need next. */
#ifndef CLOPT_SUPERVISOR_ENTER_H
#define CLOPT_SUPERVISOR_ENTER_H

#include "supervisor/group.h"

/* Writes the row by which a report shows a trial; `reason` says why it is infeasible (NULL: it is
 * not). */
enum clopt_status clopt_group_show(const struct clopt_group *group,
                                   const struct clopt_contender *contender, const char *reason,
                                   struct clopt_error *error);

/* Finds a contender's row in the store, or writes one, and what it needs next. */
enum clopt_status clopt_group_enter(struct clopt_group *group, struct clopt_contender *contender,
                                    struct clopt_error *error);

#endif
