/* SPDX-License-Identifier: BSD-3-Clause */
/* Work-items that return at once because they are past the end, or at the border: `if (x >= n)
 * return;`, or that have nothing to do but what `if (x > 0 && x < n)` guards. They stay to help,
 * and do nothing else. */

#include "tile.h"

/* ---- reading conditions ---- */

static bool is_changed(const struct clopt_node *node, const void *user)
{
    (void)user;
    return node->kind == CLOPT_NODE_VARIABLE && node->variable->changed;
}

/* Reads a comparison of an identity with a bound, under which work-items return or stay. */
static bool add_limit(void *user, const struct clopt_node *node, bool stays)
{
    struct returns *returns = user;
    if (!clopt_node_compares(node))
        return false;
    unsigned left = clopt_node_identity(node->children[0], 32);
    unsigned right = clopt_node_identity(node->children[1], 32);
    const struct clopt_node *bound = node->children[left < 3];
    struct limit limit = {.dimension = left < 3 ? left : right, .bound = bound};
    bool zero = clopt_node_is_operator(node, stays ? "!=" : "==") && bound->known && !bound->value;
    if (limit.dimension == 3 || !bound->bits || clopt_node_effects(bound) ||
        clopt_node_search(bound, is_changed, NULL) ||
        returns->limit_count == sizeof returns->limits / sizeof *returns->limits)
        return false;
    /* x < n stays, or n > x, or x >= n returns, or n <= x: each with = is one further. */
    bool equal = (node->op[1] == '=') == stays;
    limit.smaller = zero || ((*node->op == '>') == (left < 3)) == stays;
    limit.more = zero || equal != limit.smaller;
    if (!zero && *node->op != '<' && *node->op != '>')
        return false;
    returns->limits[returns->limit_count++] = limit;
    return true;
}

bool returns_add(struct returns *returns, const struct clopt_node *statement,
                 const struct clopt_divergence *divergence)
{
    size_t before = returns->limit_count;
    bool known = clopt_condition_parts(statement->condition, false, add_limit, returns);
    for (size_t i = before; known && i < returns->limit_count; i++)
        known = !clopt_node_diverges(divergence, returns->limits[i].bound);
    if (!known)
        returns->limit_count = before;
    return known;
}

static bool is_loop(const struct clopt_node *node, const void *user)
{
    (void)user;
    return clopt_node_is_loop(node);
}

bool returns_can_open(const struct clopt_node *condition)
{
    const struct clopt_node *guard = condition->parent;
    const struct clopt_node *loop = clopt_node_search(clopt_node_function(guard), is_loop, NULL);
    bool late = loop && clopt_node_is_before(loop, guard);
    return (!late || clopt_node_search(guard, is_loop, NULL)) &&
           clopt_condition_parts(condition, true, add_limit, &(struct returns){.limit_count = 0});
}
