/* SPDX-License-Identifier: BSD-3-Clause */
/* Arithmetic of expressions: integers that never wrap around, reals that are always finite. */
#include <math.h>

#include "number/expression.h"

/* Where in an expression something is computed. */
struct place {
    const struct clopt_expression *expression;
    const struct clopt_expression_node *node;
    struct clopt_error *error;
};

static enum clopt_status fail_node(const struct place *place, const char *reason)
{
    return clopt_expression_fail(place->expression->text, place->node->column, place->error, "%s",
                                 reason);
}

static enum clopt_status fail_range(const struct place *place)
{
    return fail_node(place, "the value is out of the range of 64-bit integers");
}

static enum clopt_status set_real(const struct place *place, double real,
                                  struct clopt_number *value)
{
    if (!isfinite(real))
        return fail_node(place, "the value is not a finite number");
    *value = clopt_number_real(real);
    return CLOPT_OK;
}

/* ---- integers ---- */

static bool add(int64_t a, int64_t b, int64_t *sum)
{
    if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b)
        return false;
    *sum = a + b;
    return true;
}

static bool subtract(int64_t a, int64_t b, int64_t *difference)
{
    if (b > 0 ? a < INT64_MIN + b : a > INT64_MAX + b)
        return false;
    *difference = a - b;
    return true;
}

static bool multiply(int64_t a, int64_t b, int64_t *product)
{
    bool fits = true;
    if (b > 0)
        fits = a <= INT64_MAX / b && a >= INT64_MIN / b;
    else if (b < -1)
        fits = a <= INT64_MIN / b && a >= INT64_MAX / b;
    else if (b == -1)
        fits = a != INT64_MIN;
    if (fits)
        *product = a * b;
    return fits;
}

/* Raises to a power that is not negative. */
static bool exponentiate(int64_t base, int64_t exponent, int64_t *power)
{
    int64_t result = 1;
    while (exponent) {
        if (exponent & 1 && !multiply(result, base, &result))
            return false;
        exponent >>= 1;
        if (exponent && !multiply(base, base, &base))
            return false;
    }
    *power = result;
    return true;
}

/* Divides, and rounds down. Only INT64_MIN / -1 is out of range. */
static bool divide_down(int64_t a, int64_t b, int64_t *quotient)
{
    if (a == INT64_MIN && b == -1)
        return false;
    *quotient = a / b - (a % b != 0 && (a < 0) != (b < 0));
    return true;
}

/* What is left over by divide_down(): it has the sign of b. */
static int64_t rest_down(int64_t a, int64_t b)
{
    if (b == -1)
        return 0;
    int64_t rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/* The quotient is an integer where it is one, else a real number. */
static enum clopt_status divide(const struct place *place, int64_t a, int64_t b,
                                struct clopt_number *value)
{
    if (a == INT64_MIN && b == -1)
        return fail_range(place);
    *value = a % b == 0 ? clopt_number_integer(a / b) : clopt_number_real((double)a / (double)b);
    return CLOPT_OK;
}

static enum clopt_status combine_integers(const struct place *place, int64_t a, int64_t b,
                                          struct clopt_number *value)
{
    int64_t result = 0;
    bool fits = true;
    switch (place->node->operation) {
    case CLOPT_OPERATION_ADD:
        fits = add(a, b, &result);
        break;
    case CLOPT_OPERATION_SUBTRACT:
        fits = subtract(a, b, &result);
        break;
    case CLOPT_OPERATION_MULTIPLY:
        fits = multiply(a, b, &result);
        break;
    case CLOPT_OPERATION_DIVIDE:
        return divide(place, a, b, value);
    case CLOPT_OPERATION_FLOOR_DIVIDE:
        fits = divide_down(a, b, &result);
        break;
    case CLOPT_OPERATION_CEILDIV:
        fits = divide_down(a, b, &result) && (rest_down(a, b) == 0 || add(result, 1, &result));
        break;
    case CLOPT_OPERATION_MODULO:
        result = rest_down(a, b);
        break;
    default: /* CLOPT_OPERATION_POWER */
        if (b < 0)
            return set_real(place, pow((double)a, (double)b), value);
        fits = exponentiate(a, b, &result);
        break;
    }
    *value = clopt_number_integer(result);
    return fits ? CLOPT_OK : fail_range(place);
}

/* ---- reals ---- */

/* Turns a real without a fraction into an integer. */
static enum clopt_status set_whole(const struct place *place, double real,
                                   struct clopt_number *value)
{
    if (!(real >= -9223372036854775808.0 && real < 9223372036854775808.0))
        return fail_range(place);
    *value = clopt_number_integer((int64_t)real);
    return CLOPT_OK;
}

static double modulo(double a, double b)
{
    double rest = fmod(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

static enum clopt_status combine_reals(const struct place *place, double a, double b,
                                       struct clopt_number *value)
{
    switch (place->node->operation) {
    case CLOPT_OPERATION_ADD:
        return set_real(place, a + b, value);
    case CLOPT_OPERATION_SUBTRACT:
        return set_real(place, a - b, value);
    case CLOPT_OPERATION_MULTIPLY:
        return set_real(place, a * b, value);
    case CLOPT_OPERATION_DIVIDE:
        return set_real(place, a / b, value);
    case CLOPT_OPERATION_FLOOR_DIVIDE:
        return set_whole(place, floor(a / b), value);
    case CLOPT_OPERATION_CEILDIV:
        return set_whole(place, ceil(a / b), value);
    case CLOPT_OPERATION_MODULO:
        return set_real(place, modulo(a, b), value);
    default: /* CLOPT_OPERATION_POWER */
        return set_real(place, pow(a, b), value);
    }
}

/* ---- operations ---- */

/* An integer is rounded already. */
static enum clopt_status set_rounded(const struct place *place, struct clopt_number number,
                                     double rounded, struct clopt_number *value)
{
    if (number.is_real)
        return set_whole(place, rounded, value);
    *value = number;
    return CLOPT_OK;
}

static enum clopt_status negate(const struct place *place, struct clopt_number number,
                                struct clopt_number *value)
{
    if (!number.is_real && number.integer == INT64_MIN)
        return fail_range(place);
    /* There is one zero, without a sign. */
    *value =
        number.is_real ? clopt_number_real(0 - number.real) : clopt_number_integer(-number.integer);
    return CLOPT_OK;
}

enum clopt_status clopt_expression_combine(const struct clopt_expression *expression,
                                           const struct clopt_expression_node *node,
                                           struct clopt_number a, struct clopt_number b,
                                           struct clopt_number *value, struct clopt_error *error)
{
    struct place place = {expression, node, error};
    if (a.is_real || b.is_real)
        return combine_reals(&place, a.real, b.real, value);
    return combine_integers(&place, a.integer, b.integer, value);
}

enum clopt_status clopt_expression_apply(const struct clopt_expression *expression,
                                         const struct clopt_expression_node *node,
                                         struct clopt_number a, struct clopt_number *value,
                                         struct clopt_error *error)
{
    struct place place = {expression, node, error};
    switch (node->operation) {
    case CLOPT_OPERATION_SQRT:
        return set_real(&place, sqrt(a.real), value);
    case CLOPT_OPERATION_LOG2:
        return set_real(&place, log2(a.real), value);
    case CLOPT_OPERATION_CEIL:
        return set_rounded(&place, a, ceil(a.real), value);
    case CLOPT_OPERATION_FLOOR:
        return set_rounded(&place, a, floor(a.real), value);
    case CLOPT_OPERATION_INT:
        return set_rounded(&place, a, trunc(a.real), value);
    case CLOPT_OPERATION_ABS:
        if (a.is_real ? a.real >= 0 : a.integer >= 0) {
            *value = a;
            return CLOPT_OK;
        }
        return negate(&place, a, value);
    default: /* CLOPT_OPERATION_NEGATE */
        return negate(&place, a, value);
    }
}
