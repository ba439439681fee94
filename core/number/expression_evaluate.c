/* SPDX-License-Identifier: BSD-3-Clause */
/* Evaluates expressions. */
#include "number/expression.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Doubles of this size and above may not tell neighbouring integers apart. */
#define EXACT_INTEGERS 9007199254740992.0

struct evaluation {
    const struct clopt_expression *expression;
    clopt_expression_lookup lookup;
    void *user;
    struct clopt_error *error;
};

static void print_number(struct clopt_number number, char text[32])
{
    if (number.is_real)
        snprintf(text, 32, "%.10g", number.real);
    else
        snprintf(text, 32, "%" PRId64, number.integer);
}

static enum clopt_status evaluate(const struct evaluation *evaluation, uint32_t index,
                                  struct clopt_number *value);

static const struct clopt_expression_node *node_at(const struct evaluation *evaluation,
                                                   uint32_t index)
{
    return &evaluation->expression->nodes[index];
}

/* Orders two numbers exactly: a long double holds every integer and every double. */
static int compare(struct clopt_number a, struct clopt_number b)
{
    if (!a.is_real && !b.is_real)
        return (a.integer > b.integer) - (a.integer < b.integer);
    long double first = a.is_real ? a.real : (long double)a.integer;
    long double second = b.is_real ? b.real : (long double)b.integer;
    return (first > second) - (first < second);
}

static bool is_true(struct clopt_number number)
{
    return number.is_real ? number.real != 0 : number.integer != 0;
}

static bool divides(enum clopt_operation operation)
{
    return operation == CLOPT_OPERATION_DIVIDE || operation == CLOPT_OPERATION_FLOOR_DIVIDE ||
           operation == CLOPT_OPERATION_MODULO || operation == CLOPT_OPERATION_CEILDIV;
}

static enum clopt_status evaluate_binary(const struct evaluation *evaluation,
                                         const struct clopt_expression_node *node,
                                         struct clopt_number *value)
{
    struct clopt_number a;
    struct clopt_number b;
    enum clopt_status status = evaluate(evaluation, node->first, &a);
    if (status == CLOPT_OK)
        status = evaluate(evaluation, node_at(evaluation, node->first)->next, &b);
    if (status)
        return status;
    if (divides(node->operation) && !is_true(b))
        return clopt_expression_fail(evaluation->expression->text, node->column, evaluation->error,
                                     "division by zero");
    return clopt_expression_combine(evaluation->expression, node, a, b, value, evaluation->error);
}

static enum clopt_status evaluate_unary(const struct evaluation *evaluation,
                                        const struct clopt_expression_node *node,
                                        struct clopt_number *value)
{
    struct clopt_number a;
    enum clopt_status status = evaluate(evaluation, node->first, &a);
    if (status)
        return status;
    if (node->operation == CLOPT_OPERATION_NOT) {
        *value = clopt_number_integer(!is_true(a));
        return CLOPT_OK;
    }
    return clopt_expression_apply(evaluation->expression, node, a, value, evaluation->error);
}

/* Evaluates the least or the greatest of several values. */
static enum clopt_status evaluate_extreme(const struct evaluation *evaluation,
                                          const struct clopt_expression_node *node,
                                          struct clopt_number *value)
{
    int wanted = node->operation == CLOPT_OPERATION_MIN ? -1 : 1;
    enum clopt_status status = evaluate(evaluation, node->first, value);
    uint32_t next = node_at(evaluation, node->first)->next;
    for (; status == CLOPT_OK && next != CLOPT_NO_NODE; next = node_at(evaluation, next)->next) {
        struct clopt_number other;
        status = evaluate(evaluation, next, &other);
        if (status == CLOPT_OK && compare(other, *value) == wanted)
            *value = other;
    }
    return status;
}

/* Tells whether a value is in a list. */
static enum clopt_status find_in_list(const struct evaluation *evaluation,
                                      const struct clopt_expression_node *list,
                                      struct clopt_number value, bool *found)
{
    enum clopt_status status = CLOPT_OK;
    *found = false;
    for (uint32_t i = list->first; status == CLOPT_OK && !*found && i != CLOPT_NO_NODE;
         i = node_at(evaluation, i)->next) {
        struct clopt_number item;
        status = evaluate(evaluation, i, &item);
        *found = status == CLOPT_OK && compare(item, value) == 0;
    }
    return status;
}

static bool holds(enum clopt_relation relation, int order)
{
    switch (relation) {
    case CLOPT_RELATION_EQUAL:
        return order == 0;
    case CLOPT_RELATION_UNEQUAL:
        return order != 0;
    case CLOPT_RELATION_LESS:
        return order < 0;
    case CLOPT_RELATION_LESS_EQUAL:
        return order <= 0;
    case CLOPT_RELATION_GREATER:
        return order > 0;
    default: /* CLOPT_RELATION_GREATER_EQUAL */
        return order >= 0;
    }
}

static enum clopt_status evaluate_comparison(const struct evaluation *evaluation,
                                             const struct clopt_expression_node *node,
                                             struct clopt_number *value)
{
    struct clopt_number left;
    enum clopt_status status = evaluate(evaluation, node->first, &left);
    bool result = true;
    for (uint32_t i = node_at(evaluation, node->first)->next;
         status == CLOPT_OK && result && i != CLOPT_NO_NODE; i = node_at(evaluation, i)->next) {
        const struct clopt_expression_node *operand = node_at(evaluation, i);
        struct clopt_number right = left;
        if (operand->operation == CLOPT_OPERATION_LIST) {
            status = find_in_list(evaluation, operand, left, &result);
            result = result == (operand->relation == CLOPT_RELATION_IN);
        } else {
            status = evaluate(evaluation, i, &right);
            result = status == CLOPT_OK && holds(operand->relation, compare(left, right));
        }
        left = right;
    }
    *value = clopt_number_integer(result);
    return status;
}

/* Evaluates the second operand of a condition only where it counts. */
static enum clopt_status evaluate_logic(const struct evaluation *evaluation,
                                        const struct clopt_expression_node *node,
                                        struct clopt_number *value)
{
    struct clopt_number operand;
    enum clopt_status status = evaluate(evaluation, node->first, &operand);
    bool decides = node->operation == CLOPT_OPERATION_OR;
    if (status == CLOPT_OK && is_true(operand) != decides)
        status = evaluate(evaluation, node_at(evaluation, node->first)->next, &operand);
    if (status == CLOPT_OK)
        *value = clopt_number_integer(is_true(operand));
    return status;
}

static enum clopt_status evaluate_choice(const struct evaluation *evaluation,
                                         const struct clopt_expression_node *node,
                                         struct clopt_number *value)
{
    struct clopt_number condition;
    enum clopt_status status = evaluate(evaluation, node->first, &condition);
    if (status)
        return status;
    uint32_t chosen = node_at(evaluation, node->first)->next;
    if (!is_true(condition))
        chosen = node_at(evaluation, chosen)->next;
    return evaluate(evaluation, chosen, value);
}

static enum clopt_status evaluate_variable(const struct evaluation *evaluation,
                                           const struct clopt_expression_node *node,
                                           struct clopt_number *value)
{
    const char *name = evaluation->expression->variables[node->variable];
    if (evaluation->lookup && evaluation->lookup(evaluation->user, node->variable, name, value))
        return CLOPT_OK;
    return clopt_expression_fail(evaluation->expression->text, node->column, evaluation->error,
                                 "%s has no value", name);
}

static enum clopt_status evaluate(const struct evaluation *evaluation, uint32_t index,
                                  struct clopt_number *value)
{
    const struct clopt_expression_node *node = node_at(evaluation, index);
    switch (node->operation) {
    case CLOPT_OPERATION_NUMBER:
        *value = node->number;
        return CLOPT_OK;
    case CLOPT_OPERATION_VARIABLE:
        return evaluate_variable(evaluation, node, value);
    case CLOPT_OPERATION_AND:
    case CLOPT_OPERATION_OR:
        return evaluate_logic(evaluation, node, value);
    case CLOPT_OPERATION_CHOOSE:
        return evaluate_choice(evaluation, node, value);
    case CLOPT_OPERATION_COMPARE:
        return evaluate_comparison(evaluation, node, value);
    case CLOPT_OPERATION_MAX:
    case CLOPT_OPERATION_MIN:
        return evaluate_extreme(evaluation, node, value);
    case CLOPT_OPERATION_NEGATE:
    case CLOPT_OPERATION_NOT:
    case CLOPT_OPERATION_ABS:
    case CLOPT_OPERATION_CEIL:
    case CLOPT_OPERATION_FLOOR:
    case CLOPT_OPERATION_INT:
    case CLOPT_OPERATION_LOG2:
    case CLOPT_OPERATION_SQRT:
        return evaluate_unary(evaluation, node, value);
    default:
        return evaluate_binary(evaluation, node, value);
    }
}

/* Makes an integer of a number that is one. */
static enum clopt_status take_integer(const struct clopt_expression *expression,
                                      struct clopt_number *value, struct clopt_error *error)
{
    char text[32];
    if (!value->is_real)
        return CLOPT_OK;
    if (trunc(value->real) == value->real && fabs(value->real) <= EXACT_INTEGERS) {
        *value = clopt_number_integer((int64_t)value->real);
        return CLOPT_OK;
    }
    print_number(*value, text);
    *value = clopt_number_integer(0);
    return clopt_fail(
        error, CLOPT_INVALID,
        "\"%.200s\": %s is not an integer; floor(), ceil(), ceildiv() and // make one",
        expression->text, text);
}

enum clopt_status clopt_expression_evaluate(const struct clopt_expression *expression,
                                            enum clopt_type type, clopt_expression_lookup lookup,
                                            void *user, struct clopt_number *value,
                                            struct clopt_error *error)
{
    struct evaluation evaluation = {expression, lookup, user, error};
    *value = clopt_number_integer(0);
    enum clopt_status status = evaluate(&evaluation, expression->root, value);
    return status || type != CLOPT_INTEGER ? status : take_integer(expression, value, error);
}

enum clopt_status clopt_expression_evaluate_condition(const struct clopt_expression *expression,
                                                      clopt_expression_lookup lookup, void *user,
                                                      bool *value, struct clopt_error *error)
{
    struct clopt_number number;
    enum clopt_status status =
        clopt_expression_evaluate(expression, CLOPT_REAL, lookup, user, &number, error);
    *value = status == CLOPT_OK && is_true(number);
    return status;
}
