/* SPDX-License-Identifier: BSD-3-Clause */
/* Private variables of a loop. */
#include "private.h"

struct filter {
    clopt_access_visit visit;
    void *user;
};

static void pass(void *user, const struct clopt_node *node, struct clopt_variable *variable,
                 unsigned access)
{
    const struct filter *filter = user;
    if (variable->space == CLOPT_SPACE_PRIVATE && !variable->is_array)
        filter->visit(filter->user, node, variable, access);
}

void private_visit(const struct clopt_node *node, clopt_access_visit visit, void *user)
{
    struct filter filter = {visit, user};
    clopt_node_accesses(node, pass, &filter);
}

bool private_is_inside(const struct clopt_node *node, const struct clopt_variable *variable)
{
    return variable && variable->declarator && clopt_node_contains(node, variable->declarator);
}
