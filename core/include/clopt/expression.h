/* SPDX-License-Identifier: BSD-3-Clause */
/* Evaluates the expressions of studies, such as ceildiv(n, WG) * WG; their language is described
 * in clopt-study(5). Expressions are read once and evaluated often. They cannot loop, call out or
 * use memory, so that any text is safe to evaluate. */
#pragma once

#include <clopt/value.h>

/* A signed 64-bit integer, or a finite double. */
struct clopt_number {
    bool is_real;
    int64_t integer; /* 0 for a real number */
    double real;     /* of an integer too, rounded where it must be */
};

static inline struct clopt_number clopt_number_integer(int64_t integer)
{
    return (struct clopt_number){false, integer, (double)integer};
}

/* Must be finite. */
static inline struct clopt_number clopt_number_real(double real)
{
    return (struct clopt_number){true, 0, real};
}

/* Gives a value to an expression, for a clopt_expression_lookup; false where it is unset, a text,
 * or not in the table. */
static inline bool clopt_values_number(const struct clopt_values *values, const char *name,
                                       struct clopt_number *number)
{
    const struct clopt_value *value = clopt_values_find(values, name);
    if (!value || !value->text || value->type == CLOPT_TEXT || value->type == CLOPT_FILE)
        return false;
    bool is_integer = value->type == CLOPT_INTEGER || value->type == CLOPT_BOOLEAN;
    *number = is_integer ? clopt_number_integer(value->integer) : clopt_number_real(value->real);
    return true;
}

/* An expression does not change once it is made: any number of threads may evaluate it. */
struct clopt_expression {
    char *text;       /* as it was read */
    char **variables; /* each once, in the order of the text */
    uint32_t variable_count;

    /* clopt's own. */
    struct clopt_expression_node *nodes;
    uint32_t node_count;
    uint32_t root;
};

/* Reads an expression of at most 4000 characters. CLOPT_INVALID quotes it and names the column:
 * `"n + * 2", column 5: expected a value, not "*"`. */
CLOPT_API enum clopt_status clopt_expression_create(const char *text,
                                                    struct clopt_expression **expression,
                                                    struct clopt_error *error);
CLOPT_API void clopt_expression_destroy(struct clopt_expression *expression);

/* Fails with CLOPT_INVALID and `"text", column N: reason` for the place of a variable. */
CLOPT_API enum clopt_status clopt_expression_refuse(const struct clopt_expression *expression,
                                                    size_t variable, struct clopt_error *error,
                                                    const char *format, ...) CLOPT_PRINTF(4, 5);

/* Gives the value of variable number `variable`, called `name`, or returns false where there is
 * none with this name. */
typedef bool (*clopt_expression_lookup)(void *user, size_t variable, const char *name,
                                        struct clopt_number *value);

/* Evaluates an expression. `lookup` is asked only for variables whose value counts; it may be NULL.
 * `type` is CLOPT_REAL, or CLOPT_INTEGER where the value must be an integer, such as a size.
 * CLOPT_INVALID names the column of an unknown variable, of what leaves the range of its type, of a
 * division by zero, or says `"n / 3": 21.33 is not an integer; ...`. */
CLOPT_API enum clopt_status clopt_expression_evaluate(const struct clopt_expression *expression,
                                                      enum clopt_type type,
                                                      clopt_expression_lookup lookup, void *user,
                                                      struct clopt_number *value,
                                                      struct clopt_error *error);
