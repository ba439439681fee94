/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds counters. */
#include "analysis/counter.h"

#include <string.h>

/* The assignment of a for statement's head that comes first, if it is a plain one. */
static const struct clopt_node *first_assignment(const struct clopt_node *loop)
{
    const struct clopt_node *init = loop->kind == CLOPT_NODE_FOR ? loop->init : NULL;
    while (init && init->kind == CLOPT_NODE_BINARY && strcmp(init->op, ",") == 0)
        init = init->children[0];
    bool plain = init && init->kind == CLOPT_NODE_ASSIGN && strcmp(init->op, "=") == 0 &&
                 init->children[0]->kind == CLOPT_NODE_VARIABLE;
    return plain ? init : NULL;
}

const struct clopt_node *clopt_counter_loop(const struct clopt_node *node,
                                            const struct clopt_variable *variable)
{
    const struct clopt_node *found = NULL;
    for (const struct clopt_node *loop = node->parent; loop; loop = loop->parent) {
        const struct clopt_node *init = first_assignment(loop);
        bool sets = init && init->children[0]->variable == variable;
        bool before = init && clopt_node_contains(init->children[1], node);
        if (sets && !before)
            found = loop;
    }
    return found;
}

struct search {
    bool *counters;
};

static void visit(void *user, const struct clopt_node *node, struct clopt_variable *variable,
                  unsigned access)
{
    struct search *search = user;
    bool declared = node->kind == CLOPT_NODE_DECLARATOR;
    if ((access & CLOPT_ADDRESS) || variable->is_parameter || variable->is_array ||
        variable->is_record || (!declared && !clopt_counter_loop(node, variable)))
        search->counters[variable->index] = false;
}

void clopt_counters_find(const struct clopt_node *body, bool *counters, size_t count)
{
    struct search search = {counters};
    memset(counters, true, count * sizeof *counters);
    clopt_node_visit_uses(body, visit, &search);
}
