/* SPDX-License-Identifier: BSD-3-Clause */
/* Executes the heads of loops whose counters are known, to find the values that they take. */
#include "analysis/trip.h"
#include "kernel/tree.h"

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

static bool test(const struct execution *execution, int64_t counter, bool *holds)
{
    int64_t value = 0;
    bool known = evaluate(execution, execution->loop->condition, counter, &value);
    *holds = value != 0;
    return known;
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
    int64_t value = 0;
    bool goes_on = false;
    if (!trip.counter || !loop->condition ||
        (clopt_node_effects(loop->condition) & CLOPT_EFFECT_PRIVATE_WRITE) ||
        !clopt_trip_read_first(loop, &trip) || !trip.first ||
        !clopt_trip_evaluate(trip.first, bindings, &value) ||
        (value < 0 && !trip.counter->is_signed))
        return false;
    iterations->counter = trip.counter;
    iterations->declared = trip.declared;
    for (iterations->count = 0; test(&execution, value, &goes_on); iterations->count++) {
        iterations->values[iterations->count] = value;
        if (!goes_on)
            return true;
        if (iterations->count == CLOPT_MOST_ITERATIONS || !advance(&execution, value, &value))
            return false;
    }
    return false;
}
