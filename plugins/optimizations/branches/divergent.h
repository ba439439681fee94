/* SPDX-License-Identifier: BSD-3-Clause */
/* What differs between the work-items of a group, in whatever dimension. */
#ifndef BRANCHES_DIVERGENT_H
#define BRANCHES_DIVERGENT_H

#include <clopt/source.h>

struct divergent {
    struct clopt_divergence *dimensions[3];
};

enum clopt_status divergent_init(struct divergent *divergent, const struct clopt_source *source,
                                 struct clopt_error *error);
void divergent_fini(struct divergent *divergent);

/* Whether an expression may have different values in one work-group. */
bool divergent_has(const struct divergent *divergent, const struct clopt_node *expression);

/* Whether a statement is executed differently by the work-items of a group. */
bool divergent_is_region(const struct divergent *divergent, const struct clopt_node *statement);

#endif
