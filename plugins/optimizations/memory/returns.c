/* SPDX-License-Identifier: BSD-3-Clause */
/* Work-items that return at once because they are past the end: `if (x >= n) return;`, or that have
 * nothing to do but what `if (x < n)` guards. They stay to help, and do nothing else. */
#include "tile.h"

#include <clopt/coarsen.h>
#include <clopt/loop.h>

/* ---- reading conditions ---- */

/* The dimension of the global identity that an expression is; 3: it is none. */
static unsigned identity_of(const struct clopt_node *node)
{
    while (node->kind == CLOPT_NODE_PAREN || (node->kind == CLOPT_NODE_CAST && node->bits >= 32))
        node = node->children[0];
    if (node->kind == CLOPT_NODE_VARIABLE) {
        const struct clopt_variable *variable = node->variable;
        bool defined = variable->declarator && variable->declarator->condition &&
                       !variable->changed && variable->bits >= 32;
        return defined ? identity_of(variable->declarator->condition) : 3;
    }
    return clopt_node_dimension(node, "get_global_id");
}

/* Reads x >= n, x > n, n <= x or n < x; with `stays` the opposite. */
static bool add_limit(struct returns *returns, const struct clopt_node *node, bool stays)
{
    bool right = (*node->op == '<') != stays;
    const struct clopt_node *bound = node->children[right ? 0 : 1];
    unsigned dimension = identity_of(node->children[right ? 1 : 0]);
    if (dimension == 3 || !bound->bits || clopt_node_effects(bound))
        return false;
    bool last = (node->op[1] == '=') == stays;
    returns->limits[returns->limit_count++] = (struct limit){dimension, bound, last};
    return true;
}

/* Reads a condition under which work-items return, or stay. */
static bool add_condition(struct returns *returns, const struct clopt_node *node, bool stays)
{
    node = clopt_node_bare(node);
    if (clopt_node_is_operator(node, "!"))
        return add_condition(returns, node->children[0], !stays);
    if (node->kind != CLOPT_NODE_BINARY)
        return false;
    if (clopt_node_is_operator(node, stays ? "&&" : "||"))
        return add_condition(returns, node->children[0], stays) &&
               add_condition(returns, node->children[1], stays);
    bool compares = clopt_node_is_operator(node, "<") || clopt_node_is_operator(node, "<=") ||
                    clopt_node_is_operator(node, ">") || clopt_node_is_operator(node, ">=");
    return compares && returns->limit_count < sizeof returns->limits / sizeof *returns->limits &&
           add_limit(returns, node, stays);
}

bool returns_add(struct clopt_source *source, struct returns *returns, struct clopt_node *statement)
{
    size_t before = returns->limit_count;
    if (!clopt_node_is_early_return(statement))
        return false;
    if (!add_condition(returns, statement->condition, false)) {
        returns->limit_count = before;
        return false;
    }
    clopt_nodes_add(source, &returns->statements, statement);
    return true;
}

/* ---- guards ---- */

/* Whether another variable of the kernel's outermost block has the name of one that is declared in
 * a statement. */
static bool is_named(const struct clopt_source *source, const struct clopt_node *declare)
{
    for (size_t i = 0; declare->kind == CLOPT_NODE_DECLARE && i < declare->child_count; i++)
        for (size_t j = 0; j < source->variable_count; j++) {
            const struct clopt_variable *other = source->variables[j];
            bool outer =
                other->is_parameter || (other->declarator && other->declarator->parent->parent &&
                                        other->declarator->parent->parent == source->kernel->body);
            if (outer && other->function == source->kernel &&
                strcmp(other->name, declare->children[i]->variable->name) == 0)
                return true;
        }
    return false;
}

bool returns_open(struct clopt_source *source)
{
    struct clopt_node *body = source->kernel->body;
    struct clopt_node *guard = body->child_count ? body->children[body->child_count - 1] : body;
    struct clopt_nodes statements = {0};
    struct returns returns = {0};
    if (guard->kind != CLOPT_NODE_IF || guard->otherwise ||
        !add_condition(&returns, guard->condition, true))
        return false;
    for (size_t i = 0; i < guard->body->child_count; i++)
        if (is_named(source, guard->body->children[i]))
            return false;
    clopt_nodes_add_body(&(struct clopt_cloning){.source = source}, &statements, guard->body);
    clopt_insert_before(source, guard,
                        clopt_build(source, guard, "if (!$n) return;", guard->condition));
    clopt_replace(
        source, guard,
        clopt_build(source, statements.count ? statements.items[0] : guard, "$N", &statements));
    return true;
}

/* ---- what all of them come to ---- */

/* Whether an expression has the same value for those that would have returned. */
static bool is_common(const struct returns *returns, const struct clopt_node *node,
                      const struct clopt_node *statement)
{
    if (node->kind == CLOPT_NODE_VARIABLE) {
        const struct clopt_variable *variable = node->variable;
        const struct clopt_node *value =
            variable->declarator ? variable->declarator->condition : NULL;
        struct clopt_trip trip;
        for (const struct clopt_node *loop = statement; loop; loop = loop->parent)
            if (clopt_trip_find(loop, NULL, &trip) && trip.counter == variable)
                return true;
        if (variable->changed || !variable->function)
            return false;
        return variable->is_parameter ||
               (value && is_common(returns, value, statement) &&
                (clopt_node_is_before(value, returns->statements.items[0]) ||
                 !clopt_node_may_fault(value)));
    }
    for (size_t i = 0; i < node->child_count; i++)
        if (!is_common(returns, node->children[i], statement))
            return false;
    return !clopt_node_effects(node);
}

/* Whether work-items that would have returned go through what is around a statement as the others
 * do. */
static bool is_followed(const struct returns *returns, const struct clopt_node *outer,
                        const struct clopt_node *statement)
{
    struct clopt_trip trip;
    if (!clopt_node_is_loop(outer))
        return !outer->condition || is_common(returns, outer->condition, statement);
    return clopt_trip_find(outer, NULL, &trip) && trip.first &&
           is_common(returns, trip.first, statement) && is_common(returns, trip.bound, statement) &&
           !clopt_loop_find_jump(outer, CLOPT_NODE_BREAK) &&
           !clopt_loop_find_jump(outer, CLOPT_NODE_CONTINUE) &&
           !clopt_loop_find_jump(outer, CLOPT_NODE_RETURN);
}

struct collective {
    const struct returns *returns;
    const struct clopt_divergence *divergence;
    const struct clopt_node *statement;
};

static bool is_after(const struct returns *returns, const struct clopt_node *node)
{
    return returns->statements.count && clopt_node_is_before(returns->statements.items[0], node);
}

/* Whether all come to a node, but for those that returned before it. */
static bool is_met(const struct collective *collective, const struct clopt_node *node)
{
    const struct returns *returns = collective->returns;
    for (const struct clopt_node *outer = node->parent; outer->parent; outer = outer->parent) {
        if (clopt_returns_has(&returns->statements, outer))
            return true;
        if (clopt_node_is_region(collective->divergence, outer) ||
            (is_after(returns, node) && !is_followed(returns, outer, node)))
            return false;
    }
    return true;
}

/* Whether only some come to a return before the statement, or to what all have to come to. */
static bool is_missed(const struct clopt_node *node, const void *user)
{
    const struct collective *collective = user;
    bool before =
        node->kind == CLOPT_NODE_RETURN && clopt_node_is_before(node, collective->statement);
    bool counts = before || (is_after(collective->returns, node) &&
                             clopt_node_find_effect(node, CLOPT_EFFECT_COLLECTIVE) == node);
    return counts && !is_met(collective, node);
}

bool returns_meet(const struct returns *returns, const struct clopt_divergence *divergence,
                  const struct clopt_node *statement)
{
    const struct collective collective = {returns, divergence, statement};
    const struct clopt_node *body = clopt_node_function(statement);
    return is_met(&collective, statement) && !clopt_node_search(body, is_missed, &collective);
}
