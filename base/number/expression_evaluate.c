/* SPDX-License-Identifier: BSD-3-Clause */
/* Evaluates expressions: integers that never wrap around, reals that are always finite. */
#include <math.h>

#include "number/expression_tree.h"

/* Doubles of this size and above may not tell neighbouring integers apart. */
#define EXACT_INTEGERS 9007199254740992.0

/* Once `status` is set, all values are 0. */
struct evaluation {
    const struct clopt_expression *expression;
    clopt_expression_lookup lookup;
    void *user;
    struct clopt_error *error;
    enum clopt_status status;
};

static struct clopt_number fail(struct evaluation *evaluation,
                                const struct clopt_expression_node *node, const char *format, ...)
    CLOPT_PRINTF(3, 4);
static struct clopt_number fail(struct evaluation *evaluation,
                                const struct clopt_expression_node *node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    evaluation->status = clopt_expression_fail(evaluation->expression->text, node->column,
                                               evaluation->error, format, arguments);
    va_end(arguments);
    return clopt_number_integer(0);
}

static struct clopt_number fail_range(struct evaluation *evaluation,
                                      const struct clopt_expression_node *node)
{
    return fail(evaluation, node, "the value is out of the range of 64-bit integers");
}

/* ---- arithmetic ---- */

static struct clopt_number make_real(struct evaluation *evaluation,
                                     const struct clopt_expression_node *node, double real)
{
    return isfinite(real) ? clopt_number_real(real)
                          : fail(evaluation, node, "the value is not a finite number");
}

/* Turns a real without a fraction into an integer. */
static struct clopt_number make_whole(struct evaluation *evaluation,
                                      const struct clopt_expression_node *node, double real)
{
    return real >= -9223372036854775808.0 && real < 9223372036854775808.0
               ? clopt_number_integer((int64_t)real)
               : fail_range(evaluation, node);
}

/* Raises to a power that is not negative; true: the result does not fit. */
static bool exponentiate(int64_t base, int64_t exponent, int64_t *power)
{
    for (*power = 1; exponent;) {
        if (exponent & 1 && __builtin_mul_overflow(*power, base, power))
            return true;
        exponent >>= 1;
        if (exponent && __builtin_mul_overflow(base, base, &base))
            return true;
    }
    return false;
}

static struct clopt_number combine_integers(struct evaluation *evaluation,
                                            const struct clopt_expression_node *node, int64_t a,
                                            int64_t b)
{
    bool divides = node->operation >= CLOPT_OPERATION_DIVIDE;
    bool overflows = divides && a == INT64_MIN && b == -1;
    int64_t result = 0, rest = divides && !overflows ? a % b : 0;
    bool opposite = rest && (rest < 0) != (b < 0); /* the quotient is rounded up so far */
    switch (node->operation) {
    case CLOPT_OPERATION_ADD:
        overflows = __builtin_add_overflow(a, b, &result);
        break;
    case CLOPT_OPERATION_SUBTRACT:
        overflows = __builtin_sub_overflow(a, b, &result);
        break;
    case CLOPT_OPERATION_MULTIPLY:
        overflows = __builtin_mul_overflow(a, b, &result);
        break;
    case CLOPT_OPERATION_POWER:
        if (b < 0)
            return make_real(evaluation, node, pow((double)a, (double)b));
        overflows = exponentiate(a, b, &result);
        break;
    case CLOPT_OPERATION_MODULO: /* it has the sign of b */
        return clopt_number_integer(opposite ? rest + b : rest);
    case CLOPT_OPERATION_DIVIDE:
        if (rest)
            return make_real(evaluation, node, (double)a / (double)b);
        /* fall through */
    default:
        if (!overflows)
            result = a / b - (node->operation == CLOPT_OPERATION_FLOOR_DIVIDE && opposite) +
                     (node->operation == CLOPT_OPERATION_CEILDIV && rest && !opposite);
        break;
    }
    return overflows ? fail_range(evaluation, node) : clopt_number_integer(result);
}

static struct clopt_number combine_reals(struct evaluation *evaluation,
                                         const struct clopt_expression_node *node, double a,
                                         double b)
{
    double rest;
    switch (node->operation) {
    case CLOPT_OPERATION_ADD:
        return make_real(evaluation, node, a + b);
    case CLOPT_OPERATION_SUBTRACT:
        return make_real(evaluation, node, a - b);
    case CLOPT_OPERATION_MULTIPLY:
        return make_real(evaluation, node, a * b);
    case CLOPT_OPERATION_DIVIDE:
        return make_real(evaluation, node, a / b);
    case CLOPT_OPERATION_FLOOR_DIVIDE:
        return make_whole(evaluation, node, floor(a / b));
    case CLOPT_OPERATION_CEILDIV:
        return make_whole(evaluation, node, ceil(a / b));
    case CLOPT_OPERATION_MODULO:
        rest = fmod(a, b);
        return make_real(evaluation, node, rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest);
    default: /* CLOPT_OPERATION_POWER */
        return make_real(evaluation, node, pow(a, b));
    }
}

static struct clopt_number negate(struct evaluation *evaluation,
                                  const struct clopt_expression_node *node,
                                  struct clopt_number number)
{
    if (number.is_real)
        return clopt_number_real(0 - number.real); /* there is one zero, without a sign */
    return number.integer == INT64_MIN ? fail_range(evaluation, node)
                                       : clopt_number_integer(-number.integer);
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

/* ---- trees ---- */

static struct clopt_number evaluate(struct evaluation *evaluation, uint32_t index);

/* Returns the operand after another one, CLOPT_NO_NODE after the last. */
static uint32_t next_of(const struct evaluation *evaluation, uint32_t index)
{
    return evaluation->expression->nodes[index].next;
}

static struct clopt_number evaluate_binary(struct evaluation *evaluation,
                                           const struct clopt_expression_node *node)
{
    struct clopt_number a = evaluate(evaluation, node->first);
    struct clopt_number b = evaluate(evaluation, next_of(evaluation, node->first));
    if (evaluation->status)
        return a;
    if (node->operation >= CLOPT_OPERATION_DIVIDE && !is_true(b))
        return fail(evaluation, node, "division by zero");
    return a.is_real || b.is_real ? combine_reals(evaluation, node, a.real, b.real)
                                  : combine_integers(evaluation, node, a.integer, b.integer);
}

static struct clopt_number evaluate_unary(struct evaluation *evaluation,
                                          const struct clopt_expression_node *node)
{
    struct clopt_number a = evaluate(evaluation, node->first);
    if (evaluation->status)
        return a;
    switch (node->operation) {
    case CLOPT_OPERATION_NOT:
        return clopt_number_integer(!is_true(a));
    case CLOPT_OPERATION_SQRT:
        return make_real(evaluation, node, sqrt(a.real));
    case CLOPT_OPERATION_LOG2:
        return make_real(evaluation, node, log2(a.real));
    case CLOPT_OPERATION_CEIL:
        return a.is_real ? make_whole(evaluation, node, ceil(a.real)) : a;
    case CLOPT_OPERATION_FLOOR:
        return a.is_real ? make_whole(evaluation, node, floor(a.real)) : a;
    case CLOPT_OPERATION_INT:
        return a.is_real ? make_whole(evaluation, node, trunc(a.real)) : a;
    case CLOPT_OPERATION_ABS:
        return compare(a, clopt_number_integer(0)) >= 0 ? a : negate(evaluation, node, a);
    default: /* CLOPT_OPERATION_NEGATE */
        return negate(evaluation, node, a);
    }
}

/* Evaluates the least or the greatest of several values. */
static struct clopt_number evaluate_extreme(struct evaluation *evaluation,
                                            const struct clopt_expression_node *node)
{
    int wanted = node->operation == CLOPT_OPERATION_MIN ? -1 : 1;
    struct clopt_number value = evaluate(evaluation, node->first);
    uint32_t next = next_of(evaluation, node->first);
    for (; next != CLOPT_NO_NODE; next = next_of(evaluation, next)) {
        struct clopt_number other = evaluate(evaluation, next);
        if (compare(other, value) == wanted)
            value = other;
    }
    return value;
}

/* Tells whether a value is in a list. */
static bool find_in_list(struct evaluation *evaluation, const struct clopt_expression_node *list,
                         struct clopt_number value)
{
    bool found = false;
    for (uint32_t i = list->first; !found && i != CLOPT_NO_NODE; i = next_of(evaluation, i))
        found = compare(evaluate(evaluation, i), value) == 0;
    return found;
}

static bool holds(enum clopt_operation relation, int order)
{
    switch (relation) {
    case CLOPT_OPERATION_EQUAL:
        return order == 0;
    case CLOPT_OPERATION_UNEQUAL:
        return order != 0;
    case CLOPT_OPERATION_LESS:
        return order < 0;
    case CLOPT_OPERATION_LESS_EQUAL:
        return order <= 0;
    case CLOPT_OPERATION_GREATER:
        return order > 0;
    default: /* CLOPT_OPERATION_GREATER_EQUAL */
        return order >= 0;
    }
}

static struct clopt_number evaluate_comparison(struct evaluation *evaluation,
                                               const struct clopt_expression_node *node)
{
    struct clopt_number left = evaluate(evaluation, node->first);
    bool result = true;
    uint32_t i = next_of(evaluation, node->first);
    for (; result && i != CLOPT_NO_NODE; i = next_of(evaluation, i)) {
        const struct clopt_expression_node *operand = &evaluation->expression->nodes[i];
        if (operand->operation == CLOPT_OPERATION_LIST) {
            bool found = find_in_list(evaluation, operand, left);
            result = found == (operand->relation == CLOPT_OPERATION_IN);
        } else {
            struct clopt_number right = evaluate(evaluation, i);
            result = holds(operand->relation, compare(left, right));
            left = right;
        }
    }
    return clopt_number_integer(result);
}

/* Evaluates only what counts of `and`, `or` and a choice. */
static struct clopt_number evaluate_logic(struct evaluation *evaluation,
                                          const struct clopt_expression_node *node)
{
    uint32_t next = next_of(evaluation, node->first);
    bool first = is_true(evaluate(evaluation, node->first));
    if (node->operation == CLOPT_OPERATION_CHOOSE)
        return evaluate(evaluation, first ? next : next_of(evaluation, next));
    bool decides = first == (node->operation == CLOPT_OPERATION_OR);
    return clopt_number_integer(decides ? first : is_true(evaluate(evaluation, next)));
}

static struct clopt_number evaluate(struct evaluation *evaluation, uint32_t index)
{
    const struct clopt_expression_node *node = &evaluation->expression->nodes[index];
    struct clopt_number value = clopt_number_integer(0);
    const char *name;
    if (evaluation->status)
        return value;
    switch (node->operation) {
    case CLOPT_OPERATION_NUMBER:
        return node->number;
    case CLOPT_OPERATION_VARIABLE:
        name = evaluation->expression->variables[node->variable];
        if (evaluation->lookup &&
            evaluation->lookup(evaluation->user, node->variable, name, &value))
            return value;
        return fail(evaluation, node, "%s has no value", name);
    case CLOPT_OPERATION_AND:
    case CLOPT_OPERATION_OR:
    case CLOPT_OPERATION_CHOOSE:
        return evaluate_logic(evaluation, node);
    case CLOPT_OPERATION_COMPARE:
        return evaluate_comparison(evaluation, node);
    case CLOPT_OPERATION_MAX:
    case CLOPT_OPERATION_MIN:
        return evaluate_extreme(evaluation, node);
    case CLOPT_OPERATION_ADD:
    case CLOPT_OPERATION_SUBTRACT:
    case CLOPT_OPERATION_MULTIPLY:
    case CLOPT_OPERATION_POWER:
    case CLOPT_OPERATION_DIVIDE:
    case CLOPT_OPERATION_FLOOR_DIVIDE:
    case CLOPT_OPERATION_MODULO:
    case CLOPT_OPERATION_CEILDIV:
        return evaluate_binary(evaluation, node);
    default:
        return evaluate_unary(evaluation, node);
    }
}

/* ---- expressions ---- */

/* Makes an integer of a number that is one. */
static enum clopt_status take_integer(const struct clopt_expression *expression,
                                      struct clopt_number *value, struct clopt_error *error)
{
    double real = value->real;
    if (!value->is_real)
        return CLOPT_OK;
    bool is_whole = trunc(real) == real && fabs(real) <= EXACT_INTEGERS;
    *value = clopt_number_integer(is_whole ? (int64_t)real : 0);
    return is_whole ? CLOPT_OK
                    : clopt_fail(error, CLOPT_INVALID,
                                 "\"%.200s\": %.10g is not an integer; floor(), ceil(), ceildiv() "
                                 "and // make one",
                                 expression->text, real);
}

enum clopt_status clopt_expression_evaluate(const struct clopt_expression *expression,
                                            enum clopt_type type, clopt_expression_lookup lookup,
                                            void *user, struct clopt_number *value,
                                            struct clopt_error *error)
{
    struct evaluation evaluation = {expression, lookup, user, error, CLOPT_OK};
    *value = evaluate(&evaluation, expression->root);
    if (evaluation.status || type != CLOPT_INTEGER)
        return evaluation.status;
    return take_integer(expression, value, error);
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
