/* SPDX-License-Identifier: BSD-3-Clause */
/* Early returns: work-items stay that would return, so that all of them come to barriers. */
#include <clopt/coarsen.h>

#include "analysis/trip.h"
#include "rewrite/merging.h"

struct staying {
    struct clopt_source *source;
    const struct clopt_nodes *returns;
    const struct clopt_divergence *divergence; /* NULL: all that they do is guarded */
    bool *counters;                            /* by variable: see trip.h */
    struct clopt_node *active;                 /* who goes on; NULL before the first return: all */
    struct clopt_variable *variable;           /* that says so, or NULL */
    const struct clopt_node *refused;          /* what cannot be guarded, or NULL */
};

/* ---- what is guarded ---- */

static bool differs(const struct staying *staying, const struct clopt_node *node)
{
    return !staying->divergence || clopt_node_diverges(staying->divergence, node);
}

/* Whether those that stay must not compute a value, apart from the collective calls in it, which
 * all make. */
static bool must_guard(const struct staying *staying, const struct clopt_node *value)
{
    const struct clopt_node *call = clopt_node_find_effect(value, CLOPT_EFFECT_COLLECTIVE);
    if (!call)
        return differs(staying, value) && clopt_node_may_fault(value);
    for (size_t i = 0; call != value && i < value->child_count; i++)
        if (must_guard(staying, value->children[i]))
            return true;
    return false;
}

/* Whether a statement writes variables that all agree on, and that are not its own. */
static bool writes_uniform(const struct staying *staying, const struct clopt_node *statement)
{
    for (const struct clopt_node *node = staying->divergence ? statement : NULL; node;
         node = clopt_node_next(node, statement)) {
        const struct clopt_variable *variable = node->variable;
        if (!(clopt_node_use(node, statement) & CLOPT_WRITE) ||
            variable->space != CLOPT_SPACE_PRIVATE)
            continue;
        const struct clopt_node *loop =
            staying->counters[variable->index] ? clopt_counter_loop(node, variable) : NULL;
        if (!clopt_variable_diverges(staying->divergence, variable) &&
            !clopt_node_declares(statement, variable) &&
            !(loop && clopt_node_contains(statement, loop)))
            return true;
    }
    return false;
}

/* Whether a jump leaves a statement. */
static bool is_left(const struct clopt_node *node, const void *statement)
{
    const struct clopt_node *target =
        node->kind == CLOPT_NODE_RETURN ? NULL : clopt_node_target(node);
    bool jumps = node->kind == CLOPT_NODE_RETURN || node->kind == CLOPT_NODE_BREAK ||
                 node->kind == CLOPT_NODE_CONTINUE;
    return jumps && !(target && clopt_node_contains(statement, target));
}

/* Whether only parts of a statement are guarded: all are to come to others of them. */
static bool is_open(const struct staying *staying, const struct clopt_node *statement)
{
    return statement->kind == CLOPT_NODE_CASE || statement->kind == CLOPT_NODE_DEFAULT ||
           clopt_node_find_effect(statement, CLOPT_EFFECT_COLLECTIVE) ||
           clopt_node_search(statement, is_left, statement) || writes_uniform(staying, statement);
}

/* ---- values ---- */

static void guard_value(struct staying *staying, struct clopt_node *value)
{
    struct clopt_source *source = staying->source;
    if (value->kind == CLOPT_NODE_LIST) {
        for (size_t i = 0; i < value->child_count; i++)
            guard_value(staying, value->children[i]);
        return;
    }
    if (!must_guard(staying, value))
        return;
    if (value->is_record || value->is_array ||
        clopt_node_find_effect(value, CLOPT_EFFECT_COLLECTIVE)) {
        staying->refused = value;
        return;
    }
    struct clopt_node *nothing = value->width > 1
                                     ? clopt_build(source, value, "($s$u)(0)",
                                                   clopt_scalar_name(value->scalar), value->width)
                                     : clopt_build(source, value, "0");
    struct clopt_node *guarded =
        clopt_build(source, value, "$n ? 0 : $n", staying->active, nothing);
    clopt_replace(source, value, guarded);
    clopt_replace(source, guarded->children[1], value); /* itself: its accesses are edited */
}

/* A structure gets its value after its declaration. */
static void guard_declaration(struct staying *staying, struct clopt_node *declare)
{
    struct clopt_source *source = staying->source;
    for (size_t i = 0; i < declare->child_count; i++) {
        struct clopt_variable *variable = declare->children[i]->variable;
        struct clopt_node *value = declare->children[i]->condition;
        bool alone = declare->child_count == 1 && value && value->kind != CLOPT_NODE_LIST;
        if (alone && value->is_record && must_guard(staying, value)) {
            clopt_insert_after(
                source, declare,
                clopt_build(source, declare, "if ($n) $v = $n;", staying->active, variable, value));
            clopt_replace_by(source, declare, "$V;", variable);
        } else if (value) {
            guard_value(staying, value);
        }
    }
}

/* ---- statements ---- */

/* Puts statements that follow each other under one guard. */
static void guard_run(struct staying *staying, struct clopt_nodes *run)
{
    struct clopt_source *source = staying->source;
    if (!run->count)
        return;
    struct clopt_node *first = run->items[0];
    bool listed = first->parent->kind == CLOPT_NODE_COMPOUND; /* else, an else may follow */
    struct clopt_node *guard = clopt_build(source, first, "if ($n) ;", staying->active);
    clopt_replace(source, first, listed ? guard : clopt_build(source, first, "{ $n }", guard));
    for (size_t i = 1; i < run->count; i++)
        clopt_remove(source, run->items[i]);
    if (run->count > 1)
        first->trivia_begin = first->trivia_end = SIZE_MAX; /* the guard has what is before it */
    clopt_replace(source, guard->body,
                  run->count > 1 ? clopt_build(source, first, "{ $N }", run) : first);
    *run = (struct clopt_nodes){0};
}

/* Makes what becomes of `if (c) return;`. */
static void stay(struct staying *staying, struct clopt_node *node)
{
    struct clopt_source *source = staying->source;
    struct clopt_node *active = clopt_condition_opposite(source, node->condition);
    if (staying->active)
        active = clopt_build(source, node, "$n && $n", staying->active, active);
    bool first = !staying->variable, inner = node->parent != source->kernel->body;
    if (first)
        staying->variable = clopt_variable_make(source, "int", "", "active");
    if (first && inner) /* in a block, which ends before the rest */
        clopt_prepend(source, source->kernel->body,
                      clopt_build(source, NULL, "$V;", staying->variable));
    const char *text = first && !inner ? "$V = $n;" : "$v = $n;";
    struct clopt_node *stays = clopt_build(source, node, text, staying->variable, active);
    clopt_replace(source, node, stays);
    staying->active = clopt_build(source, node, "$v", staying->variable);
    if (staying->divergence)
        clopt_insert_after(source, stays,
                           clopt_build(source, node, "if (!$n) return;", staying->active));
}

static void guard_list(struct staying *staying, struct clopt_node *const *statements, size_t count);

/* Guards what a statement holds that all come to. */
static void open_statement(struct staying *staying, struct clopt_node *node)
{
    struct clopt_source *source = staying->source;
    const struct clopt_node *const heads[] = {node->condition, node->init, node->step};
    if (node->kind == CLOPT_NODE_COMPOUND) {
        guard_list(staying, node->children, node->child_count);
    } else if (clopt_node_is_operator(node, ",")) {
        struct clopt_nodes list = {0};
        clopt_nodes_add(source, &list, node->children[0]);
        clopt_nodes_add(source, &list, node->children[1]);
        struct clopt_node *parts = clopt_build(source, node, "$N", &list);
        clopt_replace(source, node, parts);
        guard_list(staying, parts->children, parts->child_count);
    } else if (clopt_node_is_expression(node)) {
        if (must_guard(staying, node))
            staying->refused = node;
    } else {
        for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
            if (heads[i] && must_guard(staying, heads[i]))
                staying->refused = heads[i];
        struct clopt_node *const held[] = {node->body, node->otherwise};
        for (size_t i = 0; i < sizeof held / sizeof *held; i++)
            if (held[i])
                guard_list(staying, &held[i], 1);
    }
}

/* Guards statements of a list, those that follow each other together. */
static void guard_list(struct staying *staying, struct clopt_node *const *statements, size_t count)
{
    struct clopt_nodes run = {0}, list = {0};
    for (size_t i = 0; i < count; i++) /* the list changes */
        clopt_nodes_add(staying->source, &list, statements[i]);
    for (size_t i = 0; i < list.count; i++) {
        struct clopt_node *node = list.items[i];
        bool returns = clopt_returns_has(staying->returns, node);
        if (node->kind == CLOPT_NODE_EMPTY || (!staying->active && !returns))
            continue;
        bool declares = node->kind == CLOPT_NODE_DECLARE;
        bool built = node->made && !clopt_node_is_expression(node); /* around what is guarded */
        bool open = !returns && !declares && (built || is_open(staying, node));
        bool guarded = !returns && !declares && !open && !node->made && differs(staying, node);
        if (guarded)
            clopt_nodes_add(staying->source, &run, node);
        else
            guard_run(staying, &run);
        if (returns)
            stay(staying, node);
        else if (declares)
            guard_declaration(staying, node);
        else if (open)
            open_statement(staying, node);
    }
    guard_run(staying, &run);
}

/* ---- the whole ---- */

static enum clopt_status refuse(const struct staying *staying, struct clopt_error *error)
{
    const struct clopt_node *node = staying->refused;
    if (node->is_record || node->is_array)
        return clopt_source_refuse(
            staying->source, node, error,
            "structure in a list of initial values that not all merged work-items compute:"
            " assign it instead");
    const struct clopt_node *outer = node->parent;
    const char *place = "one statement with what all work-items do";
    if (outer->condition == node &&
        (outer->kind == CLOPT_NODE_IF || outer->kind == CLOPT_NODE_SWITCH))
        place = "a condition";
    else if (outer->body != node && clopt_node_is_loop(outer))
        place = "the head of a loop";
    return clopt_source_refuse(staying->source, node, error,
                               "memory access in %s after a return that diverges", place);
}

enum clopt_status clopt_returns_guard(struct clopt_source *source, struct clopt_node *active,
                                      const struct clopt_nodes *returns,
                                      const struct clopt_divergence *divergence,
                                      struct clopt_error *error)
{
    struct clopt_node *body = source->kernel->body;
    size_t variables = source->variable_count;
    struct staying staying = {
        .source = source,
        .returns = returns,
        .active = active,
        .divergence = divergence,
        .counters = clopt_source_table(source, variables, sizeof *staying.counters),
    };
    size_t end = body->child_count;
    while (end && !clopt_node_find_effect(body->children[end - 1], CLOPT_EFFECT_COLLECTIVE))
        end--;
    clopt_counters_find(body, staying.counters, variables);
    struct clopt_node *rest = end < body->child_count ? body->children[end] : NULL;
    guard_list(&staying, body->children, end);
    if (staying.refused)
        return refuse(&staying, error);
    if (staying.active && rest)
        clopt_insert_before(source, rest,
                            clopt_build(source, rest, "if (!$n) return;", staying.active));
    return CLOPT_OK;
}
