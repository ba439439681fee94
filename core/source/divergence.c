/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out what differs between work-items that differ by their identity alone.
 *
 * Variables that may share memory (a pointer and what it may point to) form one class, by
 * unification. Memory outside a work-item is not followed: work-items that meet there without a
 * barrier in between race, and whoever reads the same address at the same time reads the same. */
#include <clopt/source.h>

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "source/counter.h"
#include "source/effect.h"
#include "source/tree.h"

struct clopt_divergence {
    const struct clopt_source *source;
    struct clopt_identity identity;
    size_t *class_of; /* union-find over variables */
    bool *shared;     /* by class: has more than one variable */
    bool *variables;  /* by class: differs */
    bool *functions;  /* by function: differs for equal arguments */
    bool *regions;    /* by node */
    bool *counters;   /* by variable: see counter.h */
    bool changed;
};

/* ---- classes of variables ---- */

static size_t class_find(const struct clopt_divergence *divergence, size_t variable)
{
    size_t *class_of = divergence->class_of;
    while (class_of[variable] != variable) {
        class_of[variable] = class_of[class_of[variable]];
        variable = class_of[variable];
    }
    return variable;
}

static void class_unite(struct clopt_divergence *divergence, const struct clopt_variable *a,
                        const struct clopt_variable *b)
{
    size_t x = class_find(divergence, a->index);
    size_t y = class_find(divergence, b->index);
    if (x == y)
        return;
    divergence->class_of[x] = y;
    divergence->shared[y] = true;
}

struct flow {
    struct clopt_divergence *divergence;
    const struct clopt_variable *target;
};

static bool may_point(const struct clopt_variable *variable)
{
    return variable->is_record ||
           (variable->is_pointer && variable->pointee == CLOPT_SPACE_PRIVATE);
}

static void unite_pointees(void *user, const struct clopt_node *node,
                           struct clopt_variable *variable, unsigned access)
{
    struct flow *flow = user;
    (void)node;
    bool points = (access & CLOPT_ADDRESS) || ((access & CLOPT_READ) && may_point(variable));
    if (!points || variable->space != CLOPT_SPACE_PRIVATE || variable->function == NULL)
        return;
    if (flow->target)
        class_unite(flow->divergence, flow->target, variable);
    else
        flow->target = variable;
}

static struct clopt_variable *base_variable(const struct clopt_node *place)
{
    while (place->kind != CLOPT_NODE_VARIABLE) {
        if (!place->child_count)
            return NULL;
        place = place->children[0];
    }
    return place->variable;
}

/* Unites what an assignment, a declaration or a call may let point to each other. */
static void unite_flows(struct clopt_divergence *divergence, const struct clopt_node *node)
{
    struct flow flow = {divergence, NULL};
    if (node->kind == CLOPT_NODE_DECLARATOR && node->condition && may_point(node->variable)) {
        flow.target = node->variable;
        clopt_node_accesses(node->condition, unite_pointees, &flow);
    } else if (node->kind == CLOPT_NODE_DECLARATOR && node->condition && node->variable->is_array) {
        flow.target = node->variable;
        clopt_node_accesses(node->condition, unite_pointees, &flow);
    } else if (node->kind == CLOPT_NODE_ASSIGN &&
               (node->children[0]->is_pointer || node->children[0]->is_record)) {
        flow.target = base_variable(node->children[0]);
        if (flow.target && flow.target->space == CLOPT_SPACE_PRIVATE)
            clopt_node_accesses(node->children[1], unite_pointees, &flow);
    } else if (node->kind == CLOPT_NODE_CALL) {
        /* One argument may be stored where another one leads to. */
        bool both = false;
        for (size_t i = 0; i < node->child_count; i++)
            both |= node->children[i]->is_pointer || node->children[i]->is_record;
        for (size_t i = 0; both && i < node->child_count; i++)
            if (node->children[i]->is_pointer || node->children[i]->is_array ||
                node->children[i]->is_record)
                clopt_node_accesses(node->children[i], unite_pointees, &flow);
    }
    for (size_t i = 0; i < node->child_count; i++)
        unite_flows(divergence, node->children[i]);
}

/* ---- expressions ---- */

static bool variable_diverges(const struct clopt_divergence *divergence,
                              const struct clopt_variable *variable)
{
    return divergence->variables[class_find(divergence, variable->index)];
}

static bool is_identity(const struct clopt_divergence *divergence, const struct clopt_node *call)
{
    const struct clopt_identity *identity = &divergence->identity;
    const char *name = call->name;
    bool asks = strcmp(name, "get_global_id") == 0 ||
                (identity->local_id && strcmp(name, "get_local_id") == 0) ||
                (identity->group_id && strcmp(name, "get_group_id") == 0);
    if (!asks || call->child_count != 1)
        return false;
    return !call->children[0]->known || call->children[0]->value == identity->dimension;
}

bool clopt_node_diverges(const struct clopt_divergence *divergence, const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_SIZEOF)
        return false;
    if (node->kind == CLOPT_NODE_VARIABLE && variable_diverges(divergence, node->variable))
        return true;
    if (node->is_volatile && clopt_node_is_expression(node) && !node->is_pointer)
        return true;
    if (node->kind == CLOPT_NODE_CALL &&
        (is_identity(divergence, node) ||
         (node->callee && divergence->functions[node->callee->index]) ||
         (!node->callee &&
          (clopt_name_starts(node->name, "atom") || clopt_name_starts(node->name, "printf")))))
        return true;
    for (size_t i = 0; i < node->child_count; i++)
        if (clopt_node_diverges(divergence, node->children[i]))
            return true;
    return false;
}

/* Functions differ that ask for the identity, or that must be called as often as they were. */
static void find_functions(struct clopt_divergence *divergence)
{
    const struct clopt_source *source = divergence->source;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = clopt_source_function_count(source); i-- > 1;) {
            const struct clopt_function *function = clopt_source_function(source, i);
            if (divergence->functions[i] || !clopt_node_diverges(divergence, function->body))
                continue;
            divergence->functions[i] = true;
            changed = true;
        }
    }
}

/* ---- statements ---- */

static void mark_variable(struct clopt_divergence *divergence,
                          const struct clopt_variable *variable)
{
    size_t class = class_find(divergence, variable->index);
    if (variable->space != CLOPT_SPACE_PRIVATE || divergence->variables[class])
        return;
    divergence->variables[class] = true;
    divergence->changed = true;
}

struct marking {
    struct clopt_divergence *divergence;
    const struct clopt_node *region; /* NULL: none */
};

static void mark_written(void *user, const struct clopt_node *node, struct clopt_variable *variable,
                         unsigned access)
{
    struct marking *marking = user;
    struct clopt_divergence *divergence = marking->divergence;
    if (!(access & CLOPT_WRITE))
        return;
    const struct clopt_node *loop = NULL;
    if (divergence->counters[variable->index])
        loop = clopt_counter_loop(node, variable);
    const struct clopt_node *region = marking->region;
    bool inside =
        region && ((variable->declarator && clopt_node_contains(region, variable->declarator)) ||
                   (loop && clopt_node_contains(region, loop)));
    if (inside && !divergence->shared[class_find(divergence, variable->index)])
        return;
    mark_variable(divergence, variable);
}

static void mark_region(struct clopt_divergence *divergence, const struct clopt_node *statement);

/* The statement of the function's own body that holds a node. */
static const struct clopt_node *outermost(const struct clopt_node *node)
{
    while (node->parent && node->parent->parent)
        node = node->parent;
    return node;
}

/* What is left from inside a region, but not by all, becomes a region itself. */
static void mark_jumps(struct clopt_divergence *divergence, const struct clopt_node *region,
                       const struct clopt_node *node)
{
    const struct clopt_node *left = NULL;
    if (node->kind == CLOPT_NODE_BREAK || node->kind == CLOPT_NODE_CONTINUE)
        left = clopt_node_target(node);
    else if (node->kind == CLOPT_NODE_RETURN)
        left = outermost(node);
    if (left && !clopt_node_contains(region, left))
        mark_region(divergence, left);
    for (size_t i = 0; i < node->child_count; i++)
        mark_jumps(divergence, region, node->children[i]);
}

static void mark_region(struct clopt_divergence *divergence, const struct clopt_node *statement)
{
    if (!divergence->regions[statement->index])
        divergence->changed = true;
    divergence->regions[statement->index] = true;
    struct marking marking = {divergence, statement};
    clopt_node_accesses(statement, mark_written, &marking);
    mark_jumps(divergence, statement, statement);
}

/* An expression or declaration that is executed on its own. */
static void visit_simple(struct clopt_divergence *divergence, const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_BINARY && strcmp(node->operator, ",") == 0) {
        visit_simple(divergence, node->children[0]);
        visit_simple(divergence, node->children[1]);
        return;
    }
    if (node->kind == CLOPT_NODE_DECLARE) {
        for (size_t i = 0; i < node->child_count; i++)
            visit_simple(divergence, node->children[i]);
        return;
    }
    bool declared =
        node->kind == CLOPT_NODE_DECLARATOR && variable_diverges(divergence, node->variable);
    if (!declared && !clopt_node_diverges(divergence, node))
        return;
    struct marking marking = {divergence, NULL};
    clopt_node_accesses(node, mark_written, &marking);
}

/* Whether anything below a switch differs, so that it cannot be kept. */
static bool holds_divergence(const struct clopt_divergence *divergence,
                             const struct clopt_node *node)
{
    return clopt_node_diverges(divergence, node);
}

static bool holds_return(const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_RETURN)
        return true;
    for (size_t i = 0; i < node->child_count; i++)
        if (holds_return(node->children[i]))
            return true;
    return false;
}

/* Whether a child from number `first` on holds a barrier. */
static bool meets_again(const struct clopt_node *node, size_t first)
{
    for (size_t i = first; i < node->child_count; i++)
        if (clopt_node_find_collective(node->children[i]))
            return true;
    return false;
}

static void visit_statement(struct clopt_divergence *divergence, const struct clopt_node *node)
{
    if (divergence->regions[node->index]) {
        mark_region(divergence, node);
        return;
    }
    bool diverges = node->condition && node->kind != CLOPT_NODE_RETURN &&
                    node->kind != CLOPT_NODE_CASE &&
                    clopt_node_diverges(divergence, node->condition);
    if (node->kind == CLOPT_NODE_SWITCH)
        diverges |= holds_divergence(divergence, node);
    if (diverges && node->kind != CLOPT_NODE_DECLARATOR) {
        mark_region(divergence, node);
        return;
    }
    if (clopt_node_is_expression(node) || node->kind == CLOPT_NODE_DECLARE) {
        visit_simple(divergence, node);
        return;
    }
    if (node->condition)
        visit_simple(divergence, node->condition);
    if (node->init)
        visit_simple(divergence, node->init);
    if (node->step)
        visit_simple(divergence, node->step);
    /* What stands behind a return that not all take is a region, unless they meet again there. */
    bool guarded = false;
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_node *part = node->children[i];
        if (guarded)
            mark_region(divergence, part);
        else if (part != node->init && part != node->condition && part != node->step)
            visit_statement(divergence, part);
        guarded |= !node->parent && divergence->regions[part->index] && holds_return(part) &&
                   !meets_again(node, i + 1);
    }
}

/* ---- the whole ---- */

enum clopt_status clopt_divergence_create(const struct clopt_source *source,
                                          struct clopt_identity identity,
                                          struct clopt_divergence **divergence,
                                          struct clopt_error *error)
{
    size_t variables = clopt_source_variable_count(source);
    struct clopt_divergence *made = calloc(1, sizeof *made);
    *divergence = NULL;
    if (!made)
        return clopt_fail_memory(error);
    made->source = source;
    made->identity = identity;
    made->class_of = calloc(variables + 1, sizeof *made->class_of);
    made->shared = calloc(variables + 1, sizeof *made->shared);
    made->variables = calloc(variables + 1, sizeof *made->variables);
    made->functions = calloc(clopt_source_function_count(source), sizeof *made->functions);
    made->counters = calloc(variables + 1, sizeof *made->counters);
    made->regions = calloc(clopt_source_node_count(source) + 1, sizeof *made->regions);
    if (!made->class_of || !made->shared || !made->variables || !made->functions ||
        !made->regions || !made->counters) {
        clopt_divergence_destroy(made);
        return clopt_fail_memory(error);
    }
    for (size_t i = 0; i < variables; i++)
        made->class_of[i] = i;
    const struct clopt_function *kernel = clopt_source_kernel(source);
    unite_flows(made, kernel->body);
    clopt_counters_find(kernel->body, made->counters, variables);
    find_functions(made);
    do {
        made->changed = false;
        visit_statement(made, kernel->body);
    } while (made->changed);
    *divergence = made;
    return CLOPT_OK;
}

void clopt_divergence_destroy(struct clopt_divergence *divergence)
{
    if (!divergence)
        return;
    free(divergence->class_of);
    free(divergence->shared);
    free(divergence->variables);
    free(divergence->functions);
    free(divergence->regions);
    free(divergence->counters);
    free(divergence);
}

bool clopt_variable_diverges(const struct clopt_divergence *divergence,
                             const struct clopt_variable *variable)
{
    return variable_diverges(divergence, variable);
}

bool clopt_function_diverges(const struct clopt_divergence *divergence,
                             const struct clopt_function *function)
{
    return divergence->functions[function->index];
}

bool clopt_node_is_region(const struct clopt_divergence *divergence,
                          const struct clopt_node *statement)
{
    return divergence->regions[statement->index];
}
