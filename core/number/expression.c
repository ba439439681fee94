/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions as plugins see them. */
#include "number/expression.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number/expression_parse.h"
#include "text/text.h"

#define MOST_CHARACTERS 4000

void clopt_expression_vfail(const char *text, uint32_t column, struct clopt_error *error,
                            const char *format, va_list arguments)
{
    char reason[sizeof error->message];
    vsnprintf(reason, sizeof reason, format, arguments);
    if (strlen(text) > 200)
        clopt_fail(error, CLOPT_INVALID, "\"%.*s...\", column %u: %s", 200, text, column, reason);
    else
        clopt_fail(error, CLOPT_INVALID, "\"%s\", column %u: %s", text, column, reason);
}

enum clopt_status clopt_expression_fail(const char *text, uint32_t column,
                                        struct clopt_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    clopt_expression_vfail(text, column, error, format, arguments);
    va_end(arguments);
    return CLOPT_INVALID;
}

enum clopt_status clopt_expression_create(const char *text, struct clopt_expression **expression,
                                          struct clopt_error *error)
{
    *expression = NULL;
    if (strlen(text) > MOST_CHARACTERS)
        return clopt_expression_fail(text, MOST_CHARACTERS + 1, error,
                                     "expressions have at most %d characters", MOST_CHARACTERS);
    struct clopt_expression *made = calloc(1, sizeof *made);
    if (made)
        made->text = strdup(text);
    enum clopt_status status = made && made->text ? CLOPT_OK : clopt_fail_memory(error);
    if (status == CLOPT_OK)
        status = clopt_expression_parse(made, error);
    if (status)
        clopt_expression_destroy(made);
    else
        *expression = made;
    return status;
}

void clopt_expression_destroy(struct clopt_expression *expression)
{
    if (!expression)
        return;
    for (uint32_t i = 0; i < expression->variable_count; i++)
        free(expression->variables[i]);
    free(expression->variables);
    free(expression->nodes);
    free(expression->text);
    free(expression);
}

enum clopt_status clopt_expression_refuse(const struct clopt_expression *expression,
                                          size_t variable, struct clopt_error *error,
                                          const char *format, ...)
{
    uint32_t node = 0;
    while (expression->nodes[node].operation != CLOPT_OPERATION_VARIABLE ||
           expression->nodes[node].variable != variable)
        node++;
    va_list arguments;
    va_start(arguments, format);
    clopt_expression_vfail(expression->text, expression->nodes[node].column, error, format,
                           arguments);
    va_end(arguments);
    return CLOPT_INVALID;
}
