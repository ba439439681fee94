/* SPDX-License-Identifier: BSD-3-Clause */
/* Trip counts, and by what loops count. */
#include "analysis/trip.h"

#include "kernel/tree.h"

/* ---- what the body and the bound may not do ---- */

static bool is_changed(const struct clopt_node *where, const struct clopt_variable *variable)
{
    return (clopt_node_uses(where, variable) & (CLOPT_WRITE | CLOPT_ADDRESS)) != 0;
}

/* Whether a pointer to a variable may be anywhere in the function. */
static bool is_pointed_to(const struct clopt_node *node, const struct clopt_variable *variable)
{
    return (clopt_node_uses(clopt_node_function(node), variable) & CLOPT_ADDRESS) != 0;
}

/* Whether a loop changes a variable, but for where it starts. */
static bool is_changed_in(const struct clopt_node *loop, const struct clopt_variable *variable)
{
    return is_changed(loop->body, variable) || (loop->step && is_changed(loop->step, variable)) ||
           (loop->condition && is_changed(loop->condition, variable));
}

/* ---- what stays the same ---- */

static bool is_invariant_variable(const struct clopt_node *loop,
                                  const struct clopt_variable *variable)
{
    if (variable->is_volatile)
        return false;
    if (variable->space != CLOPT_SPACE_PRIVATE)
        return variable->is_array || variable->space == CLOPT_SPACE_CONSTANT;
    return variable->function && !is_changed_in(loop, variable) &&
           (variable->is_array || !is_pointed_to(loop, variable));
}

/* Memory that the loop does not write. Private memory that a pointer leads to may be of any
 * variable; that of an array is a variable. */
static bool is_invariant_memory(const struct clopt_node *loop, const struct clopt_node *node)
{
    unsigned changes = CLOPT_EFFECT_MEMORY_WRITE | CLOPT_EFFECT_ORDERED | CLOPT_EFFECT_COLLECTIVE;
    const struct clopt_node *base = node->children[0];
    if (node->space == CLOPT_SPACE_CONSTANT)
        return true;
    if (node->space == CLOPT_SPACE_LOCAL || node->space == CLOPT_SPACE_GLOBAL)
        return node->is_array || !(clopt_node_effects(loop) & changes);
    while (base->kind == CLOPT_NODE_SUBSCRIPT || base->kind == CLOPT_NODE_PAREN)
        base = base->children[0];
    return base->kind == CLOPT_NODE_VARIABLE && base->variable->is_array &&
           !is_pointed_to(loop, base->variable);
}

static bool is_invariant_itself(const struct clopt_node *loop, const struct clopt_node *node)
{
    unsigned more = CLOPT_EFFECT_MEMORY_READ | CLOPT_EFFECT_MEMORY_WRITE | CLOPT_EFFECT_ORDERED |
                    CLOPT_EFFECT_COLLECTIVE;
    switch (node->kind) {
    case CLOPT_NODE_VARIABLE:
        return is_invariant_variable(loop, node->variable);
    case CLOPT_NODE_CALL:
        for (size_t i = 0; i < node->child_count; i++)
            if (node->children[i]->is_pointer || node->children[i]->is_array)
                return false;
        return !(clopt_node_effects(node) & more);
    case CLOPT_NODE_MEMBER:
        return clopt_node_is_operator(node, ".") || is_invariant_memory(loop, node);
    case CLOPT_NODE_SUBSCRIPT:
        return is_invariant_memory(loop, node);
    case CLOPT_NODE_UNARY:
        if (clopt_node_is_operator(node, "*"))
            return is_invariant_memory(loop, node);
        return !clopt_node_is_step(node) && !clopt_node_is_operator(node, "&");
    case CLOPT_NODE_POSTFIX:
    case CLOPT_NODE_ASSIGN:
        return false;
    default:
        return clopt_node_is_expression(node);
    }
}

bool clopt_loop_is_invariant(const struct clopt_node *loop, const struct clopt_node *node)
{
    if (node->is_volatile || !is_invariant_itself(loop, node))
        return false;
    for (size_t i = 0; i < node->child_count; i++)
        if (node->kind != CLOPT_NODE_SIZEOF && !clopt_loop_is_invariant(loop, node->children[i]))
            return false;
    return true;
}

/* ---- the parts of the head ---- */

const struct clopt_variable *clopt_trip_counter(const struct clopt_node *loop)
{
    const struct clopt_node *step = loop->kind == CLOPT_NODE_FOR ? loop->step : NULL;
    bool steps = step && (step->kind == CLOPT_NODE_ASSIGN || clopt_node_is_step(step)) &&
                 step->children[0]->kind == CLOPT_NODE_VARIABLE;
    const struct clopt_variable *counter = steps ? step->children[0]->variable : NULL;
    bool alone = counter && counter->bits >= 32 && !counter->is_volatile &&
                 counter->space == CLOPT_SPACE_PRIVATE && !is_changed(loop->body, counter) &&
                 !is_pointed_to(loop, counter);
    return alone ? counter : NULL;
}

bool clopt_trip_read_first(const struct clopt_node *loop, struct clopt_trip *trip)
{
    const struct clopt_node *init = loop->init;
    if (!init)
        return true;
    if (init->kind == CLOPT_NODE_DECLARE) {
        trip->declared = true;
        trip->first = init->children[0]->condition;
        return init->child_count == 1 && init->children[0]->variable == trip->counter &&
               trip->first;
    }
    trip->first = init->kind == CLOPT_NODE_ASSIGN ? init->children[1] : NULL;
    return trip->first && clopt_node_is_operator(init, "=") &&
           init->children[0]->kind == CLOPT_NODE_VARIABLE &&
           init->children[0]->variable == trip->counter &&
           !(clopt_node_effects(trip->first) & CLOPT_EFFECT_PRIVATE_WRITE);
}

static bool read_step(const struct clopt_node *step, struct clopt_trip *trip)
{
    if (clopt_node_is_step(step)) {
        trip->step = clopt_node_is_operator(step, "++") ? 1 : -1;
    } else if (step->children[1]->known) {
        trip->step = step->children[1]->value;
        if (clopt_node_is_operator(step, "-="))
            trip->step = -trip->step;
        else if (!clopt_node_is_operator(step, "+="))
            return false;
    }
    return trip->step != 0 && trip->step > -65536 && trip->step < 65536;
}

static bool read_condition(const struct clopt_node *condition, struct clopt_trip *trip)
{
    if (!condition || condition->kind != CLOPT_NODE_BINARY)
        return false;
    bool left = condition->children[0]->kind == CLOPT_NODE_VARIABLE &&
                condition->children[0]->variable == trip->counter;
    const struct clopt_node *other = condition->children[left ? 0 : 1];
    if (other->kind != CLOPT_NODE_VARIABLE || other->variable != trip->counter)
        return false;
    trip->bound = condition->children[left ? 1 : 0];
    trip->inclusive = condition->op[1] == '=';
    trip->unequal = clopt_node_is_operator(condition, "!=");
    char up = left ? '<' : '>';
    return trip->unequal || (condition->op[0] == up && trip->step > 0 && condition->op[1] != up) ||
           (condition->op[0] == (up == '<' ? '>' : '<') && trip->step < 0 &&
            condition->op[1] != condition->op[0]);
}

static void count_iterations(const struct clopt_binding *bindings, struct clopt_trip *trip)
{
    int64_t bound = 0;
    trip->first_known =
        trip->first && clopt_trip_evaluate(trip->first, bindings, &trip->first_value);
    if (!trip->first_known || !clopt_trip_evaluate(trip->bound, bindings, &bound))
        return;
    bool negative = trip->first_value < 0 || bound < 0;
    /* An unsigned counter that goes below zero wraps. */
    if ((!trip->counter->is_signed && (negative || trip->step < 0)) ||
        (!trip->bound->is_signed && negative))
        return;
    int64_t size = trip->step < 0 ? -trip->step : trip->step;
    int64_t way = trip->step < 0 ? trip->first_value - bound : bound - trip->first_value;
    if (trip->unequal && (way < 0 || way % size != 0))
        return;
    way += trip->inclusive && !trip->unequal;
    trip->count = way > 0 ? (way + size - 1) / size : 0;
    trip->count_known = true;
}

bool clopt_trip_find(const struct clopt_node *loop, const struct clopt_binding *bindings,
                     struct clopt_trip *trip)
{
    *trip = (struct clopt_trip){.counter = clopt_trip_counter(loop)};
    if (!trip->counter || !read_step(loop->step, trip) || !read_condition(loop->condition, trip) ||
        !clopt_trip_read_first(loop, trip) || trip->bound->bits < 32 ||
        (clopt_node_effects(trip->bound) & ~(unsigned)CLOPT_EFFECT_MEMORY_READ) ||
        !clopt_loop_is_invariant(loop, trip->bound))
        return false;
    count_iterations(bindings, trip);
    return true;
}

/* ---- counters that take known values: heads of loops are executed ---- */

struct execution {
    const struct clopt_node *loop;
    const struct clopt_variable *counter;
    const struct clopt_binding *outer;
};

static bool evaluate(const struct execution *execution, const struct clopt_node *node,
                     int64_t counter, int64_t *value)
{
    struct clopt_binding binding = {execution->outer, execution->counter, true, counter, 0};
    return clopt_trip_evaluate(node, &binding, value);
}

static bool advance(const struct execution *execution, int64_t counter, int64_t *next)
{
    const struct clopt_node *step = execution->loop->step;
    char op[sizeof step->op];
    int64_t operand = 1;
    memcpy(op, step->op, sizeof op);
    bool plain = strcmp(op, "=") == 0;
    if (step->kind == CLOPT_NODE_ASSIGN &&
        !evaluate(execution, step->children[1], counter, plain ? next : &operand))
        return false;
    op[strlen(op) - 1] = '\0';
    return (plain || clopt_constant_operate(op, counter, operand, next)) &&
           (*next >= 0 || execution->counter->is_signed);
}

bool clopt_iterations_find(const struct clopt_node *loop, const struct clopt_binding *bindings,
                           struct clopt_iterations *iterations)
{
    struct clopt_trip trip = {.counter = clopt_trip_counter(loop)};
    struct execution execution = {loop, trip.counter, bindings};
    int64_t value = 0, goes_on = 0;
    if (!trip.counter || !loop->condition ||
        (clopt_node_effects(loop->condition) & CLOPT_EFFECT_PRIVATE_WRITE) ||
        !clopt_trip_read_first(loop, &trip) || !trip.first ||
        !clopt_trip_evaluate(trip.first, bindings, &value) ||
        (value < 0 && !trip.counter->is_signed))
        return false;
    iterations->counter = trip.counter;
    iterations->declared = trip.declared;
    for (iterations->count = 0; evaluate(&execution, loop->condition, value, &goes_on);
         iterations->count++) {
        iterations->values[iterations->count] = value;
        if (!goes_on)
            return true;
        if (iterations->count == CLOPT_MOST_ITERATIONS || !advance(&execution, value, &value))
            return false;
    }
    return false;
}

/* ---- counters ---- */

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

void clopt_counters_find(const struct clopt_node *body, bool *counters, size_t count)
{
    memset(counters, true, count * sizeof *counters);
    for (const struct clopt_node *node = body; node; node = clopt_node_next(node, body)) {
        const struct clopt_variable *variable = node->variable;
        unsigned access = clopt_node_use(node, body);
        bool declared = node->kind == CLOPT_NODE_DECLARATOR;
        if (access && ((access & CLOPT_ADDRESS) || variable->is_parameter || variable->is_array ||
                       variable->is_record || (!declared && !clopt_counter_loop(node, variable))))
            counters[variable->index] = false;
    }
}

/* ---- how a loop is left, and what it leaves ---- */

const struct clopt_node *clopt_loop_find_jump(const struct clopt_node *loop,
                                              enum clopt_node_kind kind)
{
    const struct clopt_node *node = loop->body;
    while (node &&
           (node->kind != kind || (kind != CLOPT_NODE_RETURN && clopt_node_target(node) != loop)))
        node = clopt_node_next(node, loop->body);
    return node;
}

bool clopt_loop_ends_variable(const struct clopt_node *loop, const struct clopt_variable *variable)
{
    const struct clopt_node *body = clopt_node_function(loop);
    for (const struct clopt_node *node = body; node; node = clopt_node_next(node, body))
        if (node->variable == variable && node->kind == CLOPT_NODE_VARIABLE &&
            clopt_node_use(node, body) && !clopt_node_contains(loop, node) &&
            !clopt_counter_loop(node, variable)) /* of another one */
            return false;
    return !variable->is_parameter && !is_pointed_to(loop, variable);
}
