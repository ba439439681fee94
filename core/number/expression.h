/* SPDX-License-Identifier: BSD-3-Clause */
/* What an expression is made of: a tree in an array. */
#ifndef CLOPT_NUMBER_EXPRESSION_H
#define CLOPT_NUMBER_EXPRESSION_H

#include <clopt/expression.h>

enum clopt_operation {
    CLOPT_OPERATION_NUMBER,
    CLOPT_OPERATION_VARIABLE,
    CLOPT_OPERATION_NEGATE, /* operators of one operand */
    CLOPT_OPERATION_NOT,
    CLOPT_OPERATION_ADD, /* of two */
    CLOPT_OPERATION_SUBTRACT,
    CLOPT_OPERATION_MULTIPLY,
    CLOPT_OPERATION_DIVIDE,
    CLOPT_OPERATION_FLOOR_DIVIDE,
    CLOPT_OPERATION_MODULO,
    CLOPT_OPERATION_POWER,
    CLOPT_OPERATION_AND,
    CLOPT_OPERATION_OR,
    CLOPT_OPERATION_CHOOSE,  /* condition, value, other value */
    CLOPT_OPERATION_COMPARE, /* operands; all but the first with a relation to the one before */
    CLOPT_OPERATION_LIST,    /* what comes after `in` */
    CLOPT_OPERATION_ABS,     /* functions, in the order of the alphabet */
    CLOPT_OPERATION_CEIL,
    CLOPT_OPERATION_CEILDIV,
    CLOPT_OPERATION_FLOOR,
    CLOPT_OPERATION_INT,
    CLOPT_OPERATION_LOG2,
    CLOPT_OPERATION_MAX,
    CLOPT_OPERATION_MIN,
    CLOPT_OPERATION_SQRT,
};

enum clopt_relation {
    CLOPT_RELATION_NONE,
    CLOPT_RELATION_EQUAL,
    CLOPT_RELATION_UNEQUAL,
    CLOPT_RELATION_LESS,
    CLOPT_RELATION_LESS_EQUAL,
    CLOPT_RELATION_GREATER,
    CLOPT_RELATION_GREATER_EQUAL,
    CLOPT_RELATION_IN,
    CLOPT_RELATION_NOT_IN,
};

#define CLOPT_NO_NODE UINT32_MAX

struct clopt_expression_node {
    enum clopt_operation operation;
    enum clopt_relation relation; /* to the operand before, in a comparison */
    uint32_t first;               /* operand, or CLOPT_NO_NODE */
    uint32_t next;                /* operand of the same operation, or CLOPT_NO_NODE */
    uint32_t variable;
    uint32_t column; /* in the text, from 1: of the operator, the name, the number */
    struct clopt_number number;
};

/* Evaluates an expression as a condition: any value but 0 is true. */
enum clopt_status clopt_expression_evaluate_condition(const struct clopt_expression *expression,
                                                      clopt_expression_lookup lookup, void *user,
                                                      bool *value, struct clopt_error *error);

/* Fails with CLOPT_INVALID and `"text", column N: reason`. */
enum clopt_status clopt_expression_fail(const char *text, uint32_t column,
                                        struct clopt_error *error, const char *format, ...)
    CLOPT_PRINTF(4, 5);
void clopt_expression_vfail(const char *text, uint32_t column, struct clopt_error *error,
                            const char *format, va_list arguments);

/* Combines two numbers; a divisor is not zero. */
enum clopt_status clopt_expression_combine(const struct clopt_expression *expression,
                                           const struct clopt_expression_node *node,
                                           struct clopt_number a, struct clopt_number b,
                                           struct clopt_number *value, struct clopt_error *error);

/* Computes a function or operator of one number. */
enum clopt_status clopt_expression_apply(const struct clopt_expression *expression,
                                         const struct clopt_expression_node *node,
                                         struct clopt_number a, struct clopt_number *value,
                                         struct clopt_error *error);

#endif
