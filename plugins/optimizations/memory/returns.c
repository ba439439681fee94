/* SPDX-License-Identifier: BSD-3-Clause */
/* Work-items that return at once because they are past the end: `if (x >= n) return;`. They stay to
 * help, and do nothing else. */
#include "tile.h"

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

/* Reads x >= n, x > n, n <= x or n < x. */
static bool add_limit(struct returns *returns, const struct clopt_node *node)
{
    bool right = *node->op == '<';
    const struct clopt_node *bound = node->children[right ? 0 : 1];
    unsigned dimension = identity_of(node->children[right ? 1 : 0]);
    if (dimension == 3 || !bound->bits || clopt_node_effects(bound))
        return false;
    bool last = clopt_node_is_operator(node, right ? "<" : ">");
    returns->limits[returns->limit_count++] = (struct limit){dimension, bound, last};
    return true;
}

static bool add_condition(struct returns *returns, const struct clopt_node *node)
{
    node = clopt_node_bare(node);
    if (node->kind != CLOPT_NODE_BINARY)
        return false;
    if (clopt_node_is_operator(node, "||"))
        return add_condition(returns, node->children[0]) &&
               add_condition(returns, node->children[1]);
    bool compares = clopt_node_is_operator(node, "<") || clopt_node_is_operator(node, "<=") ||
                    clopt_node_is_operator(node, ">") || clopt_node_is_operator(node, ">=");
    return compares && returns->limit_count < sizeof returns->limits / sizeof *returns->limits &&
           add_limit(returns, node);
}

bool returns_add(struct returns *returns, struct clopt_node *statement)
{
    size_t before = returns->limit_count;
    if (!clopt_node_is_early_return(statement) || returns->count == RETURNS_MOST)
        return false;
    if (!add_condition(returns, statement->condition)) {
        returns->limit_count = before;
        return false;
    }
    returns->statements[returns->count++] = statement;
    return true;
}

bool returns_has(const struct returns *returns, const struct clopt_node *statement)
{
    for (size_t i = 0; i < returns->count; i++)
        if (returns->statements[i] == statement)
            return true;
    return false;
}

/* ---- guarding what follows ---- */

static bool holds(const struct clopt_node *node, struct clopt_node *const *met, size_t count)
{
    while (node->kind == CLOPT_NODE_ATTRIBUTED) /* a pragma stays with its loop */
        node = node->body;
    for (size_t i = 0; i < count; i++)
        if (met[i] != node && clopt_node_contains(node, met[i]))
            return true;
    return clopt_node_find_effect(node, CLOPT_EFFECT_COLLECTIVE) != NULL;
}

/* Whether an initial value may only be computed by those that stay. */
static bool is_guarded_value(const struct clopt_node *value)
{
    if (value->kind == CLOPT_NODE_LIST)
        return false;
    return clopt_node_effects(value) || clopt_node_find(value, CLOPT_NODE_CALL) ||
           clopt_node_find(value, CLOPT_NODE_BINARY);
}

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
                (clopt_node_is_before(value, returns->statements[0]) || !is_guarded_value(value)));
    }
    for (size_t i = 0; i < node->child_count; i++)
        if (!is_common(returns, node->children[i], statement))
            return false;
    return !clopt_node_effects(node) || clopt_node_is_step(node) || node->kind == CLOPT_NODE_ASSIGN;
}

bool returns_follow(const struct returns *returns, const struct clopt_node *statement)
{
    for (const struct clopt_node *loop = statement->parent; returns->count && loop;
         loop = loop->parent) {
        struct clopt_trip trip;
        if (!clopt_node_is_loop(loop))
            continue;
        if (!clopt_trip_find(loop, NULL, &trip) || !trip.first ||
            !is_common(returns, trip.first, statement) ||
            !is_common(returns, trip.bound, statement) ||
            clopt_loop_find_jump(loop, CLOPT_NODE_BREAK) ||
            clopt_loop_find_jump(loop, CLOPT_NODE_CONTINUE) ||
            clopt_loop_find_jump(loop, CLOPT_NODE_RETURN))
            return false;
    }
    return true;
}

static void guard_declaration(struct clopt_source *source, const struct returns *returns,
                              struct clopt_node *declare)
{
    for (size_t i = 0; i < declare->child_count; i++) {
        struct clopt_node *value = declare->children[i]->condition;
        const struct clopt_variable *variable = declare->children[i]->variable;
        if (!value || !is_guarded_value(value) || variable->is_record || variable->is_pointer)
            continue;
        struct clopt_node *nothing =
            value->width > 1 ? clopt_build(source, value, "($s$u)(0)",
                                           clopt_scalar_name(value->scalar), value->width)
                             : clopt_build(source, value, "0");
        struct clopt_node *guarded =
            clopt_build(source, value, "$v ? 0 : $n", returns->active, nothing);
        clopt_replace(source, value, guarded);
        clopt_replace(source, guarded->children[1], value); /* itself: its accesses are edited */
    }
}

static void guard(struct clopt_source *source, const struct returns *returns,
                  struct clopt_node *node, struct clopt_node *const *met, size_t count)
{
    if (node->kind == CLOPT_NODE_DECLARE) {
        guard_declaration(source, returns, node);
    } else if (node->kind == CLOPT_NODE_COMPOUND && holds(node, met, count)) {
        for (size_t i = 0; i < node->child_count; i++)
            guard(source, returns, node->children[i], met, count);
    } else if (!clopt_node_is_expression(node) && holds(node, met, count)) {
        for (size_t i = 0; i < node->child_count; i++)
            if (node->children[i] == node->body || node->children[i] == node->otherwise)
                guard(source, returns, node->children[i], met, count);
    } else if (node->kind != CLOPT_NODE_EMPTY &&
               !clopt_node_find_effect(node, CLOPT_EFFECT_COLLECTIVE)) {
        struct clopt_node *guarded = clopt_build(source, node, "if ($v) ;", returns->active);
        clopt_replace(source, node, guarded);
        clopt_replace(source, guarded->body, node);
    }
}

void returns_guard(struct clopt_source *source, struct returns *returns,
                   struct clopt_node *const *met, size_t count)
{
    struct clopt_node *body = source->kernel->body;
    bool after = false;
    returns->active = clopt_variable_make(source, "int", "active", "");
    for (size_t i = 0; i < body->child_count; i++) {
        struct clopt_node *node = body->children[i];
        if (!returns_has(returns, node)) {
            if (after)
                guard(source, returns, node, met, count);
            continue;
        }
        clopt_replace(
            source, node,
            after ? clopt_build(source, node, "$v = $v && !($n);", returns->active, returns->active,
                                node->condition)
                  : clopt_build(source, node, "$V = !($n);", returns->active, node->condition));
        after = true;
    }
}
