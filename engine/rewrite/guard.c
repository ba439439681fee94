/* SPDX-License-Identifier: BSD-3-Clause */
/* Early returns and guards: which there are, and what all work-items come to although some return.
 */
#include <clopt/coarsen.h>

#include "analysis/trip.h"

/* ---- guards ---- */

/* Whether a statement declares what a block around it, up to the kernel's body, declares as well.
 */
static bool is_named(const struct clopt_source *source, const struct clopt_node *declare)
{
    for (size_t i = 0; declare->kind == CLOPT_NODE_DECLARE && i < declare->child_count; i++)
        for (size_t j = 0; j < source->variable_count; j++) {
            const struct clopt_variable *own = declare->children[i]->variable;
            const struct clopt_variable *other = source->variables[j];
            bool around = other->is_parameter ||
                          (other->declarator && other->declarator->parent->parent &&
                           clopt_node_contains(other->declarator->parent->parent, declare));
            if (other != own && around && other->function == source->kernel &&
                strcmp(other->name, own->name) == 0)
                return true;
        }
    return false;
}

/* The guard at the end of a list of statements that can be opened; NULL: there is none. */
static struct clopt_node *last_guard(const struct clopt_source *source,
                                     const struct clopt_node *list, clopt_guard_test test)
{
    struct clopt_node *guard = list->child_count ? list->children[list->child_count - 1] : NULL;
    if (list->kind != CLOPT_NODE_COMPOUND)
        guard = (struct clopt_node *)list;
    if (!guard || guard->kind != CLOPT_NODE_IF || guard->otherwise ||
        clopt_node_effects(guard->condition) || (test && !test(guard->condition)))
        return NULL;
    for (size_t i = 0; i < guard->body->child_count; i++)
        if (is_named(source, guard->body->children[i]))
            return NULL;
    return guard;
}

/* Appends what becomes of a guard. */
static void add_opened(struct clopt_source *source, const struct clopt_node *guard,
                       clopt_guard_test test, struct clopt_nodes *made)
{
    const struct clopt_cloning cloning = {.source = source};
    const struct clopt_node *inner = last_guard(source, guard->body, test);
    clopt_nodes_put(source, made, guard, "if (!$n) return;", guard->condition);
    if (!inner) {
        clopt_nodes_add_body(&cloning, made, guard->body);
        return;
    }
    for (size_t i = 0; guard->body != inner && i + 1 < guard->body->child_count; i++)
        clopt_nodes_add(source, made, clopt_clone(&cloning, guard->body->children[i]));
    size_t next = made->count;
    add_opened(source, inner, test, made);
    if (inner->parent->kind != CLOPT_NODE_COMPOUND)
        return;
    made->items[next]->trivia_begin = /* the comments before it, after a brace */
        inner->trivia_begin + (inner->trivia_begin == inner->parent->text_begin);
    made->items[next]->trivia_end = inner->trivia_end;
}

enum clopt_status clopt_guards_open(const struct clopt_transform *transform,
                                    struct clopt_source **source, clopt_guard_test test,
                                    struct clopt_error *error)
{
    struct clopt_nodes made = {0};
    struct clopt_node *guard = last_guard(*source, (*source)->kernel->body, test);
    if (!guard)
        return CLOPT_OK;
    add_opened(*source, guard, test, &made);
    clopt_insert_before(*source, guard, *made.items++);
    made.count--;
    clopt_replace(*source, guard,
                  clopt_build(*source, made.count ? *made.items : guard, "$N", &made));
    return clopt_source_reread(transform, source, error);
}

/* ---- returns ---- */

void clopt_returns_find(struct clopt_source *source, const size_t local[3],
                        bool (*accept)(void *, const struct clopt_node *), void *user,
                        struct clopt_nodes *returns, struct clopt_divergence **divergence)
{
    const struct clopt_node *body = source->kernel->body;
    struct clopt_identity identity = {
        .dimension = CLOPT_ANY_DIMENSION, .local = local, .local_id = true, .inside = true};
    *divergence = clopt_divergence_create(source, identity);
    for (size_t i = 0; i < body->child_count; i++) {
        struct clopt_node *statement = body->children[i];
        if (!clopt_node_is_region(*divergence, statement) ||
            !clopt_node_is_early_return(statement) || (accept && !accept(user, statement)))
            continue;
        clopt_nodes_add(source, returns, statement);
        identity = (struct clopt_identity){.outer = *divergence, .agreed = statement};
        *divergence = clopt_divergence_create(NULL, identity);
    }
}

/* ---- what all of them come to ---- */

/* Whether an expression has the same value for those that would have returned. */
static bool is_common(const struct clopt_nodes *returns, const struct clopt_node *node,
                      const struct clopt_node *statement)
{
    if (node->kind == CLOPT_NODE_VARIABLE) {
        const struct clopt_variable *variable = node->variable;
        const struct clopt_node *value =
            variable->declarator ? variable->declarator->condition : NULL;
        for (const struct clopt_node *loop = statement; loop; loop = loop->parent)
            if (clopt_trip_counter(loop) == variable)
                return true;
        if (variable->changed || !variable->function)
            return false;
        return variable->is_parameter ||
               (value && is_common(returns, value, statement) &&
                (clopt_node_is_before(value, returns->items[0]) || !clopt_node_may_fault(value)));
    }
    for (size_t i = 0; i < node->child_count; i++)
        if (!is_common(returns, node->children[i], statement))
            return false;
    return !clopt_node_effects(node);
}

/* What the counter of a loop begins with, in its head or where it is declared for this loop alone;
 * NULL: not known. */
static const struct clopt_node *start_of(const struct clopt_node *loop)
{
    struct clopt_trip trip = {.counter = clopt_trip_counter(loop)};
    if (!trip.counter || !clopt_trip_read_first(loop, &trip) || trip.first ||
        !trip.counter->declarator)
        return trip.first;
    return trip.counter->writes == 2 ? trip.counter->declarator->condition : NULL; /* and a step */
}

/* Whether work-items that would have returned go through what is around a statement as the others
 * do. */
static bool is_followed(const struct clopt_nodes *returns, const struct clopt_node *outer,
                        const struct clopt_node *statement)
{
    if (!clopt_node_is_loop(outer))
        return !outer->condition || is_common(returns, outer->condition, statement);
    const struct clopt_node *start = start_of(outer);
    const struct clopt_node *added =
        start && outer->step->kind == CLOPT_NODE_ASSIGN ? outer->step->children[1] : NULL;
    return start && is_common(returns, start, statement) && outer->condition &&
           is_common(returns, outer->condition, statement) &&
           (!added || is_common(returns, added, statement)) &&
           !clopt_loop_find_jump(outer, CLOPT_NODE_BREAK) &&
           !clopt_loop_find_jump(outer, CLOPT_NODE_CONTINUE) &&
           !clopt_loop_find_jump(outer, CLOPT_NODE_RETURN);
}

struct collective {
    const struct clopt_nodes *returns;
    const struct clopt_divergence *divergence;
    const struct clopt_node *statement;
};

static bool is_after(const struct clopt_nodes *returns, const struct clopt_node *node)
{
    return returns->count && clopt_node_is_before(returns->items[0], node);
}

/* Whether all come to a node, but for those that returned before it. */
static bool is_met(const struct collective *collective, const struct clopt_node *node)
{
    const struct clopt_nodes *returns = collective->returns;
    for (const struct clopt_node *outer = node->parent; outer->parent; outer = outer->parent) {
        if (clopt_returns_has(returns, outer))
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

bool clopt_returns_meet(const struct clopt_nodes *returns,
                        const struct clopt_divergence *divergence,
                        const struct clopt_node *statement)
{
    const struct collective collective = {returns, divergence, statement};
    const struct clopt_node *body = clopt_node_function(statement);
    return is_met(&collective, statement) && !clopt_node_search(body, is_missed, &collective);
}
