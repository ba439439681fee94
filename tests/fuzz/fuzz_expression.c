/* SPDX-License-Identifier: BSD-3-Clause */
/* Feeds arbitrary bytes to the evaluator of expressions: what it accepts has a value or a reason,
 * and the same one each time. */
#include "number/expression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

/* Variables are extreme, by the first letter of their name; those with an x have no value. */
static bool lookup(void *user, size_t variable, const char *name, struct clopt_number *value)
{
    const struct clopt_expression *expression = user;
    require(variable < expression->variable_count);
    require(strcmp(name, expression->variables[variable]) == 0);
    switch (*name % 4) {
    case 0: /* x */
        return false;
    case 1:
        *value = clopt_number_integer(INT64_MIN);
        break;
    case 2:
        *value = clopt_number_real(1e308);
        break;
    default:
        *value = clopt_number_integer(3);
        break;
    }
    return true;
}

static void check_value(struct clopt_expression *expression)
{
    struct clopt_error error = {0};
    struct clopt_number value;
    struct clopt_number again;
    bool condition;
    struct clopt_number integer;
    enum clopt_status status =
        clopt_expression_evaluate(expression, CLOPT_REAL, lookup, expression, &value, &error);
    require(status == error.status && (status == CLOPT_OK) == (error.message[0] == '\0'));
    require(clopt_expression_evaluate(expression, CLOPT_REAL, lookup, expression, &again, NULL) ==
            status);
    require(clopt_expression_evaluate_condition(expression, lookup, expression, &condition, NULL) ==
            status);
    if (status)
        return;
    require(value.is_real == again.is_real && value.integer == again.integer);
    require(isfinite(value.real) && value.real == again.real);
    require(condition == (value.is_real ? value.real != 0 : value.integer != 0));
    if (!clopt_expression_evaluate(expression, CLOPT_INTEGER, lookup, expression, &integer, NULL))
        require(value.is_real ? value.real == integer.real : value.integer == integer.integer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = strndup((const char *)data, size);
    struct clopt_expression *expression = NULL;
    struct clopt_error error = {0};
    if (!text)
        return 0;
    enum clopt_status status = clopt_expression_create(text, &expression, &error);
    require(status == error.status && (status == CLOPT_OK) == (expression != NULL));
    if (expression)
        check_value(expression);
    clopt_expression_destroy(expression);
    free(text);
    return 0;
}
