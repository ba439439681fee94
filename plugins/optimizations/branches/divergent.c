/* SPDX-License-Identifier: BSD-3-Clause */
/* What differs between the work-items of a group, in whatever dimension. */
#include "divergent.h"

enum clopt_status divergent_init(struct divergent *divergent, const struct clopt_source *source,
                                 struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    for (unsigned d = 0; d < 3 && !status; d++)
        status = clopt_divergence_create(source,
                                         (struct clopt_identity){.dimension = d, .local_id = true},
                                         &divergent->dimensions[d], error);
    return status;
}

void divergent_fini(struct divergent *divergent)
{
    for (unsigned d = 0; d < 3; d++)
        clopt_divergence_destroy(divergent->dimensions[d]);
}

bool divergent_has(const struct divergent *divergent, const struct clopt_node *expression)
{
    for (unsigned d = 0; d < 3; d++)
        if (clopt_node_diverges(divergent->dimensions[d], expression))
            return true;
    return false;
}

bool divergent_is_region(const struct divergent *divergent, const struct clopt_node *statement)
{
    for (unsigned d = 0; d < 3; d++)
        if (clopt_node_is_region(divergent->dimensions[d], statement))
            return true;
    return false;
}
