/* SPDX-License-Identifier: BSD-3-Clause */
/* What an expression is made of: tokens, and a tree in an array. */
#pragma once

#include "number/expression.h"

struct clopt_expression_token {
    enum {
        CLOPT_EXPRESSION_END,
        CLOPT_EXPRESSION_NUMBER,
        CLOPT_EXPRESSION_NAME,
        CLOPT_EXPRESSION_SYMBOL
    } kind;
    const char *start;
    size_t length;
    struct clopt_number number;
    char wrong[112]; /* why it is none; "": it is one */
};

/* Returns the first token of a text, after blanks. */
struct clopt_expression_token clopt_expression_scan(const char *text);

enum clopt_operation {
    CLOPT_OPERATION_NUMBER,
    CLOPT_OPERATION_VARIABLE,
    CLOPT_OPERATION_NEGATE, /* operators of one operand */
    CLOPT_OPERATION_NOT,
    CLOPT_OPERATION_ADD, /* of two */
    CLOPT_OPERATION_SUBTRACT,
    CLOPT_OPERATION_MULTIPLY,
    CLOPT_OPERATION_POWER,
    CLOPT_OPERATION_DIVIDE, /* these four by the second */
    CLOPT_OPERATION_FLOOR_DIVIDE,
    CLOPT_OPERATION_MODULO,
    CLOPT_OPERATION_CEILDIV,
    CLOPT_OPERATION_AND,
    CLOPT_OPERATION_OR,
    CLOPT_OPERATION_CHOOSE,  /* condition, value, other value */
    CLOPT_OPERATION_COMPARE, /* operands; all but the first with a relation to the one before */
    CLOPT_OPERATION_LIST,    /* what comes after `in` */
    CLOPT_OPERATION_ABS,     /* functions of one value */
    CLOPT_OPERATION_CEIL,
    CLOPT_OPERATION_FLOOR,
    CLOPT_OPERATION_INT,
    CLOPT_OPERATION_LOG2,
    CLOPT_OPERATION_SQRT,
    CLOPT_OPERATION_MAX, /* of any number of them */
    CLOPT_OPERATION_MIN,
    CLOPT_OPERATION_EQUAL, /* relations */
    CLOPT_OPERATION_UNEQUAL,
    CLOPT_OPERATION_LESS,
    CLOPT_OPERATION_LESS_EQUAL,
    CLOPT_OPERATION_GREATER,
    CLOPT_OPERATION_GREATER_EQUAL,
    CLOPT_OPERATION_IN,
    CLOPT_OPERATION_NOT_IN,
};

#define CLOPT_NO_NODE UINT32_MAX

struct clopt_expression_node {
    enum clopt_operation operation;
    enum clopt_operation relation; /* to the operand before, in a comparison */
    uint32_t first;                /* operand, or CLOPT_NO_NODE */
    uint32_t next;                 /* operand of the same operation, or CLOPT_NO_NODE */
    uint32_t variable;
    uint32_t column; /* in the text, from 1: of the operator, the name, the number */
    struct clopt_number number;
};

/* Fails with CLOPT_INVALID and `"text", column N: reason`. */
enum clopt_status clopt_expression_fail(const char *text, size_t column, struct clopt_error *error,
                                        const char *format, va_list arguments);
