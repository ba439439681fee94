/* SPDX-License-Identifier: BSD-3-Clause */
/* What forbids that a loop is divided. */
#include "divide.h"

/* ---- the kernel ---- */

static bool asks_group(const struct clopt_node *node, const void *user)
{
    static const char *const names[] = {"get_local",      "get_group_id",         "get_num_groups",
                                        "get_enqueued",   "get_sub_group",        "get_max_sub",
                                        "get_num_sub",    "get_global_linear_id", "work_group_",
                                        "write_image",    "get_global_offset",    "mem_fence",
                                        "write_mem_fence"};
    (void)user;
    for (size_t i = 0; node->kind == CLOPT_NODE_CALL && i < sizeof names / sizeof *names; i++)
        if (!node->callee && strncmp(node->name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* Whether a call asks for an identity or size of a dimension that is no constant. */
static bool varies(const struct clopt_node *node, const void *user)
{
    return divided_asks(node, user) && !(node->child_count == 1 && node->children[0]->known);
}

enum clopt_status divided_check_kernel(const struct dividing *dividing, struct clopt_error *error)
{
    const struct clopt_source *source = dividing->source;
    const unsigned forbidden = CLOPT_EFFECT_COLLECTIVE | CLOPT_EFFECT_ORDERED | CLOPT_EFFECT_GOTO;
    const struct clopt_node *node = clopt_node_find_effect(source->kernel->body, forbidden);
    if (node)
        return clopt_source_refuse(
            source, node, error,
            "divide: barriers, atomics, volatile memory, functions of sub-groups, printf and goto "
            "are for as many work-items as there were");
    for (size_t i = 0; i < source->function_count; i++) {
        const struct clopt_function *function = source->functions[i];
        node = clopt_node_search(function->body, asks_group, NULL);
        if (!node)
            node = clopt_node_search(function->body,
                                     function == source->kernel ? varies : divided_asks, NULL);
        if (node)
            return clopt_source_refuse(source, node, error,
                                       "divide: %s in %s is for as many work-items as there were",
                                       node->name, function->name);
    }
    return CLOPT_OK;
}

/* ---- one loop ---- */

static bool is_number(const struct clopt_variable *variable)
{
    return clopt_scalar_is_number(variable->scalar) && !variable->is_pointer &&
           !variable->is_array && !variable->is_record;
}

/* Refuses what a loop leaves in variables, but numbers that it accumulates. */
static enum clopt_status check_variables(const struct clopt_iteration_order *order,
                                         struct clopt_error *error)
{
    for (size_t i = 0; i < order->source->variable_count; i++) {
        const struct clopt_variable *variable = order->source->variables[i];
        bool accumulated = order->operators[i] != NULL;
        if (order->handled[i])
            continue;
        bool left = variable->space == CLOPT_SPACE_PRIVATE && variable != order->trip->counter &&
                    !clopt_node_declares(order->loop->body, variable) &&
                    (clopt_node_uses(order->loop->body, variable) & CLOPT_WRITE);
        if (accumulated ? !is_number(variable)
                        : left && !clopt_loop_ends_variable(order->loop, variable))
            return clopt_source_refuse(
                order->source, order->loop, error,
                accumulated
                    ? "%s goes from iteration to iteration, so the loop cannot be divided"
                    : "%s of the last iteration is used after the loop, so it cannot be divided",
                variable->name);
    }
    return CLOPT_OK;
}

static enum clopt_status check_head(const struct dividing *dividing, const struct clopt_node *loop,
                                    const struct clopt_trip *trip, struct clopt_error *error)
{
    const struct clopt_source *source = dividing->source;
    const struct clopt_variable *counter = trip->counter;
    bool same = trip->bound->known ||
                (trip->bound->bits <= 32 && trip->bound->is_signed == counter->is_signed);
    if (loop->kind != CLOPT_NODE_FOR || trip->unequal || counter->bits < 32)
        return clopt_source_refuse(
            source, loop, error,
            "only a for loop that ends by <, <=, > or >=, with a counter of 32 "
            "bits or more, can be divided");
    if (divided_is_wide(dividing, trip) && (counter->bits != 32 || !same))
        return clopt_source_refuse(source, loop, error,
                                   "a loop that begins at a value that is not known, or goes down "
                                   "without a sign, can be divided "
                                   "where its counter and its bound are of 32 bits and one sign");
    if (!trip->declared && !clopt_loop_ends_variable(loop, counter))
        return clopt_source_refuse(source, loop, error,
                                   "%s is used after the loop, so it cannot be divided",
                                   counter->name);
    return CLOPT_OK;
}

/* Parts scan together, so all work-items of a group need the same iterations. */
static enum clopt_status check_scans(const struct dividing *dividing, const struct clopt_node *loop,
                                     const struct clopt_trip *trip, struct clopt_error *error)
{
    bool same = !clopt_node_is_region(dividing->divergence, loop);
    if (!dividing->scans[dividing->loops.count].count ||
        (same && (trip->bound->known || trip->bound->bits <= 32)))
        return CLOPT_OK;
    return clopt_source_refuse(
        dividing->source, loop, error,
        same ? "a loop that reads what it accumulates can be divided where its bound is of 32 bits"
             : "a loop that reads what it accumulates can be divided where all work-items of a "
               "group have the same iterations");
}

enum clopt_status divided_check_loop(struct dividing *dividing, struct clopt_node *loop,
                                     struct clopt_error *error)
{
    struct clopt_trip trip;
    struct clopt_source *source = dividing->source;
    const struct clopt_iteration_order order = {
        .source = source,
        .loop = loop,
        .trip = &trip,
        .most = CLOPT_MANY_ITERATIONS,
        .reassociate = dividing->reassociate,
        .so = "the loop cannot be divided",
        .handled = clopt_source_table(source, dividing->variables, sizeof(bool)),
        .operators = dividing->operators + dividing->loops.count * dividing->variables};
    CLOPT_TRY(clopt_loop_check_order(source, loop, true, "divided", &trip, error));
    CLOPT_TRY(check_head(dividing, loop, &trip, error));
    if (!clopt_returns_meet(&dividing->returns, dividing->divergence, loop))
        return clopt_source_refuse(source, loop, error,
                                   "not all work-items of a group come to this loop, so it cannot "
                                   "be divided");
    extrema_find(loop, &trip, dividing->reassociate, &dividing->extrema[dividing->loops.count],
                 order.handled);
    scans_find(source, loop, &trip, dividing->reassociate, &dividing->scans[dividing->loops.count],
               order.handled);
    CLOPT_TRY(check_scans(dividing, loop, &trip, error));
    CLOPT_TRY(clopt_loop_check_iterations(&order, error));
    return check_variables(&order, error);
}

/* ---- memory between the loops ---- */

/* The statement by which an access writes, that one part is to execute. */
static struct clopt_node *statement_of(const struct clopt_node *node)
{
    while (!clopt_node_is_statement(node))
        node = node->parent;
    return (struct clopt_node *)node;
}

/* Whether one part alone executes what a node outside of divided loops is part of. */
static bool is_first(const struct clopt_node *node)
{
    const struct clopt_node *statement = statement_of(node);
    return clopt_node_is_expression(statement) &&
           (clopt_node_effects(statement) & CLOPT_EFFECT_MEMORY_WRITE);
}

static bool is_shared(const struct clopt_access *access)
{
    return access->space != CLOPT_SPACE_PRIVATE && access->space != CLOPT_SPACE_CONSTANT;
}

/* Whether who comes from one node to a later one comes through a loop. */
static bool is_between(const struct clopt_node *loop, const struct clopt_node *a,
                       const struct clopt_node *b)
{
    const struct clopt_node *list = loop->parent;
    bool inside = clopt_node_contains(loop, a);
    if (list->kind == CLOPT_NODE_ATTRIBUTED)
        list = list->parent;
    return b->index >= clopt_node_end(loop) &&
           (inside || (clopt_node_is_before(a, loop) &&
                       (clopt_node_contains(list, a) || clopt_node_contains(list, b))));
}

/* Whether parts wait for each other between two accesses, of which the first comes first: they do
 * after loops with results, and else can before the statement of the second. */
static bool are_apart(struct dividing *dividing, const struct clopt_node *a,
                      const struct clopt_node *b)
{
    struct clopt_node *loop = divided_loop_of(dividing, b);
    struct clopt_node *statement = loop ? loop : statement_of(b);
    for (const struct clopt_node *outer = a->parent; outer; outer = outer->parent)
        if ((clopt_node_is_loop(outer) && clopt_node_contains(outer, b)) || outer == statement)
            return false;
    for (size_t i = 0; i < dividing->loops.count; i++) {
        loop = dividing->places[i];
        if (is_between(loop, a, b) && divided_has_results(dividing, i))
            return true;
    }
    if (!clopt_returns_meet(&dividing->returns, dividing->divergence, statement))
        return false;
    if (!clopt_returns_has(&dividing->waits, statement))
        clopt_nodes_add(dividing->source, &dividing->waits, statement);
    return true;
}

/* Checks two accesses, one of which writes, that different parts may make. */
static enum clopt_status check_pair(struct dividing *dividing, const struct clopt_access *a,
                                    const struct clopt_access *b, struct clopt_error *error)
{
    const struct clopt_node *loop = divided_loop_of(dividing, a->node);
    bool same = loop == divided_loop_of(dividing, b->node) &&
                (loop || (is_first(a->node) && is_first(b->node)));
    if (same || !is_shared(a) || !is_shared(b) || !(a->writes || b->writes) ||
        !clopt_accesses_alias(a, b))
        return CLOPT_OK;
    dividing->global = true;
    if (are_apart(dividing, a->node, b->node))
        return CLOPT_OK;
    return clopt_source_refuse(
        dividing->source, a->node, error,
        "divide: %s may be accessed by other work-items in line %u at the same "
        "time (see restrict, registers)",
        a->root ? a->root->name : "memory", clopt_source_line(dividing->source, b->node));
}

/* Finds what writes to memory outside of divided loops and is no statement that does nothing else.
 */
static const struct clopt_node *find_write(const struct dividing *dividing,
                                           const struct clopt_node *node)
{
    const struct clopt_node *found = NULL;
    if (divided_loop_of(dividing, node))
        return NULL;
    for (size_t i = 0; i < node->child_count && !clopt_node_is_expression(node) && !found; i++)
        found = find_write(dividing, node->children[i]);
    if (!clopt_node_is_expression(node) || !(clopt_node_effects(node) & CLOPT_EFFECT_MEMORY_WRITE))
        return found;
    bool plain =
        clopt_node_is_statement(node) && !(clopt_node_effects(node) & CLOPT_EFFECT_PRIVATE_WRITE);
    return plain ? NULL : node;
}

enum clopt_status divided_check_accesses(struct dividing *dividing, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_accesses) accesses = {0};
    clopt_accesses_add(&accesses, dividing->source->kernel->body);
    const struct clopt_node *write = find_write(dividing, dividing->source->kernel->body);
    if (write)
        return clopt_source_refuse(
            dividing->source, write, error,
            "divide: this writes to memory and does more, so one work-item cannot do it alone");
    for (size_t i = 0; i < accesses.count; i++)
        for (size_t j = 0; j < accesses.count; j++)
            if (accesses.items[j].node->index > accesses.items[i].node->index)
                CLOPT_TRY(check_pair(dividing, &accesses.items[i], &accesses.items[j], error));
    return CLOPT_OK;
}
