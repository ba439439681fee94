/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads expressions: from tokens to a tree. */
#include "number/expression_parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/array.h"
#include "text/suggest.h"
#include "text/text.h"

#define DEEPEST 200 /* operations within each other */

/* ---- nodes ---- */

static uint32_t add_node(struct clopt_expression_parser *parser, enum clopt_operation operation,
                         const char *place, uint32_t first)
{
    struct clopt_expression *made = parser->made;
    if (parser->status)
        return CLOPT_NO_NODE;
    if (made->node_count == parser->capacity) {
        uint32_t capacity = parser->capacity ? 2 * parser->capacity : 16;
        struct clopt_expression_node *nodes = realloc(made->nodes, capacity * sizeof *nodes);
        if (!nodes) {
            clopt_expression_stop(parser, clopt_fail_memory(parser->error));
            return CLOPT_NO_NODE;
        }
        made->nodes = nodes;
        parser->capacity = capacity;
    }
    made->nodes[made->node_count] = (struct clopt_expression_node){
        .operation = operation,
        .first = first,
        .next = CLOPT_NO_NODE,
        .column = clopt_expression_column(parser, place),
    };
    return made->node_count++;
}

/* Puts `next` after `node` among the operands of an operation. */
static void chain(struct clopt_expression_parser *parser, uint32_t node, uint32_t next)
{
    if (!parser->status)
        parser->made->nodes[node].next = next;
}

static uint32_t add_binary(struct clopt_expression_parser *parser, enum clopt_operation operation,
                           const char *place, uint32_t left, uint32_t right)
{
    chain(parser, left, right);
    return add_node(parser, operation, place, left);
}

static bool enter(struct clopt_expression_parser *parser)
{
    if (++parser->depth > DEEPEST)
        clopt_expression_fail_at(parser, parser->start, "too many operations within each other");
    return !parser->status;
}

/* ---- the grammar, from what binds least to what binds most ---- */

static uint32_t parse_choice(struct clopt_expression_parser *parser);
static uint32_t parse_unary(struct clopt_expression_parser *parser);

/* Parses values between commas up to `end`; at least one. Sets how many. */
static uint32_t parse_operands(struct clopt_expression_parser *parser, const char *end,
                               size_t *count)
{
    uint32_t first = parse_choice(parser);
    uint32_t last = first;
    *count = 1;
    while (clopt_expression_accept(parser, ",")) {
        if (clopt_expression_is_token(parser, end))
            break;
        uint32_t next = parse_choice(parser);
        chain(parser, last, next);
        last = next;
        (*count)++;
    }
    clopt_expression_expect(parser, end);
    return first;
}

static const struct {
    const char *name;
    size_t least;
    size_t most;
} functions[] = {
    {"abs", 1, 1},  {"ceil", 1, 1}, {"ceildiv", 2, 2}, {"floor", 1, 1}, {"int", 1, 1},
    {"log2", 1, 1}, {"max", 1, 99}, {"min", 1, 99},    {"sqrt", 1, 1},
};

#define FUNCTION_COUNT (sizeof functions / sizeof functions[0])

static void fail_function(struct clopt_expression_parser *parser, const char *place, size_t length)
{
    const char *names[FUNCTION_COUNT];
    char name[64];
    snprintf(name, sizeof name, "%.*s", length < 60 ? (int)length : 60, place);
    for (size_t i = 0; i < FUNCTION_COUNT; i++)
        names[i] = functions[i].name;
    const char *near = clopt_suggest(name, names, FUNCTION_COUNT);
    if (near)
        clopt_expression_fail_at(parser, place, "there is no function %s; did you mean %s?", name,
                                 near);
    else
        clopt_expression_fail_at(
            parser, place,
            "there is no function %s; there are abs, ceil, ceildiv, floor, int, log2, max, "
            "min and sqrt",
            name);
}

/* Parses a call, whose name and "(" have been read. */
static uint32_t parse_call(struct clopt_expression_parser *parser, const char *name, size_t length)
{
    size_t function = 0;
    while (function < FUNCTION_COUNT && (strlen(functions[function].name) != length ||
                                         strncmp(functions[function].name, name, length) != 0))
        function++;
    if (function == FUNCTION_COUNT) {
        fail_function(parser, name, length);
        return CLOPT_NO_NODE;
    }
    size_t count = 0;
    uint32_t first = CLOPT_NO_NODE;
    if (!clopt_expression_accept(parser, ")"))
        first = parse_operands(parser, ")", &count);
    if (count < functions[function].least || count > functions[function].most)
        clopt_expression_fail_at(parser, name, "%s takes %zu%s value%s, not %zu",
                                 functions[function].name, functions[function].least,
                                 functions[function].most == 99 ? " or more" : "",
                                 functions[function].most == 1 ? "" : "s", count);
    return add_node(parser, CLOPT_OPERATION_ABS + (enum clopt_operation)function, name, first);
}

/* Finds or adds a variable. */
static uint32_t number_variable(struct clopt_expression_parser *parser, const char *name,
                                size_t length)
{
    struct clopt_expression *made = parser->made;
    uint32_t i = 0;
    while (i < made->variable_count &&
           (strlen(made->variables[i]) != length || strncmp(made->variables[i], name, length) != 0))
        i++;
    if (i < made->variable_count || parser->status)
        return i;
    bool room = clopt_array_grow(&made->variables, i, sizeof *made->variables);
    char *copy = room ? strndup(name, length) : NULL;
    if (copy)
        made->variables[made->variable_count++] = copy;
    else
        clopt_expression_stop(parser, clopt_fail_memory(parser->error));
    return i;
}

static bool is_word(const struct clopt_expression_parser *parser)
{
    static const char *const words[] = {"and", "or", "not", "if", "else", "in"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (clopt_expression_is_token(parser, words[i]))
            return true;
    return false;
}

static uint32_t parse_name(struct clopt_expression_parser *parser)
{
    const char *name = parser->start;
    size_t length = parser->length;
    bool is_true =
        clopt_expression_is_token(parser, "True") || clopt_expression_is_token(parser, "true");
    bool is_constant = is_true || clopt_expression_is_token(parser, "False") ||
                       clopt_expression_is_token(parser, "false");
    clopt_expression_advance(parser);
    if (clopt_expression_accept(parser, "("))
        return parse_call(parser, name, length);
    uint32_t variable = is_constant ? 0 : number_variable(parser, name, length);
    uint32_t node =
        add_node(parser, is_constant ? CLOPT_OPERATION_NUMBER : CLOPT_OPERATION_VARIABLE, name,
                 CLOPT_NO_NODE);
    if (parser->status)
        return node;
    parser->made->nodes[node].variable = variable;
    parser->made->nodes[node].number = clopt_number_integer(is_true);
    return node;
}

static uint32_t parse_primary(struct clopt_expression_parser *parser)
{
    const char *place = parser->start;
    if (parser->token == CLOPT_TOKEN_NUMBER) {
        struct clopt_number number = parser->number;
        clopt_expression_advance(parser);
        uint32_t node = add_node(parser, CLOPT_OPERATION_NUMBER, place, CLOPT_NO_NODE);
        if (!parser->status)
            parser->made->nodes[node].number = number;
        return node;
    }
    if (clopt_expression_accept(parser, "(")) {
        uint32_t node = parse_choice(parser);
        clopt_expression_expect(parser, ")");
        return node;
    }
    if (parser->token == CLOPT_TOKEN_NAME && !is_word(parser))
        return parse_name(parser);
    clopt_expression_expected(parser, "a value");
    return CLOPT_NO_NODE;
}

/* A power binds more than a sign to its left and less than one to its right: -2**-2 is -(2**(-2)).
 */
static uint32_t parse_power(struct clopt_expression_parser *parser)
{
    uint32_t left = parse_primary(parser);
    const char *place = parser->start;
    if (!clopt_expression_accept(parser, "**"))
        return left;
    return add_binary(parser, CLOPT_OPERATION_POWER, place, left, parse_unary(parser));
}

static uint32_t parse_unary(struct clopt_expression_parser *parser)
{
    const char *place = parser->start;
    uint32_t node = CLOPT_NO_NODE;
    if (!enter(parser))
        return node;
    if (clopt_expression_accept(parser, "-"))
        node = add_node(parser, CLOPT_OPERATION_NEGATE, place, parse_unary(parser));
    else if (clopt_expression_accept(parser, "!"))
        node = add_node(parser, CLOPT_OPERATION_NOT, place, parse_unary(parser));
    else if (clopt_expression_accept(parser, "+"))
        node = parse_unary(parser);
    else
        node = parse_power(parser);
    parser->depth--;
    return node;
}

struct infix {
    const char *text;
    enum clopt_operation operation;
};

/* Parses operands and the operators between them, from left to right. */
static uint32_t parse_chain(struct clopt_expression_parser *parser, const struct infix *operators,
                            size_t count,
                            uint32_t (*parse_operand)(struct clopt_expression_parser *))
{
    uint32_t left = parse_operand(parser);
    for (size_t i = 0; i < count;) {
        const char *place = parser->start;
        if (!clopt_expression_accept(parser, operators[i].text)) {
            i++;
            continue;
        }
        uint32_t right = parse_operand(parser);
        left = add_binary(parser, operators[i].operation, place, left, right);
        i = 0;
    }
    return left;
}

static uint32_t parse_product(struct clopt_expression_parser *parser)
{
    static const struct infix operators[] = {
        {"*", CLOPT_OPERATION_MULTIPLY},
        {"//", CLOPT_OPERATION_FLOOR_DIVIDE},
        {"/", CLOPT_OPERATION_DIVIDE},
        {"%", CLOPT_OPERATION_MODULO},
    };
    return parse_chain(parser, operators, 4, parse_unary);
}

static uint32_t parse_sum(struct clopt_expression_parser *parser)
{
    static const struct infix operators[] = {
        {"+", CLOPT_OPERATION_ADD},
        {"-", CLOPT_OPERATION_SUBTRACT},
    };
    return parse_chain(parser, operators, 2, parse_product);
}

static enum clopt_relation accept_relation(struct clopt_expression_parser *parser)
{
    static const char *const relations[] = {"==", "!=", "<", "<=", ">", ">=", "in"};
    for (size_t i = 0; i < sizeof relations / sizeof relations[0]; i++)
        if (clopt_expression_accept(parser, relations[i]))
            return CLOPT_RELATION_EQUAL + (enum clopt_relation)i;
    if (!clopt_expression_accept(parser, "not"))
        return CLOPT_RELATION_NONE;
    clopt_expression_expect(parser, "in");
    return CLOPT_RELATION_NOT_IN;
}

static uint32_t parse_list(struct clopt_expression_parser *parser)
{
    const char *place = parser->start;
    const char *end = clopt_expression_accept(parser, "[") ? "]" : ")";
    size_t count;
    if (*end == ')' && !clopt_expression_accept(parser, "("))
        clopt_expression_expected(parser, "a list in ( ) or [ ]");
    uint32_t first = parse_operands(parser, end, &count);
    return add_node(parser, CLOPT_OPERATION_LIST, place, first);
}

/* As in mathematics, 1 <= a <= 8 holds if both comparisons do. */
static uint32_t parse_comparison(struct clopt_expression_parser *parser)
{
    uint32_t first = parse_sum(parser);
    uint32_t last = first;
    const char *place = parser->start;
    enum clopt_relation relation = accept_relation(parser);
    if (!relation)
        return first;
    for (; relation && !parser->status; relation = accept_relation(parser)) {
        bool is_list = relation >= CLOPT_RELATION_IN;
        uint32_t next = is_list ? parse_list(parser) : parse_sum(parser);
        chain(parser, last, next);
        last = next;
        if (parser->status)
            break;
        parser->made->nodes[next].relation = relation;
        if (is_list)
            break;
    }
    return add_node(parser, CLOPT_OPERATION_COMPARE, place, first);
}

static uint32_t parse_not(struct clopt_expression_parser *parser)
{
    const char *place = parser->start;
    uint32_t node = CLOPT_NO_NODE;
    if (!enter(parser))
        return node;
    if (clopt_expression_accept(parser, "not"))
        node = add_node(parser, CLOPT_OPERATION_NOT, place, parse_not(parser));
    else
        node = parse_comparison(parser);
    parser->depth--;
    return node;
}

static uint32_t parse_and(struct clopt_expression_parser *parser)
{
    static const struct infix operators[] = {
        {"and", CLOPT_OPERATION_AND},
        {"&&", CLOPT_OPERATION_AND},
    };
    return parse_chain(parser, operators, 2, parse_not);
}

static uint32_t parse_or(struct clopt_expression_parser *parser)
{
    static const struct infix operators[] = {
        {"or", CLOPT_OPERATION_OR},
        {"||", CLOPT_OPERATION_OR},
    };
    return parse_chain(parser, operators, 2, parse_and);
}

/* Parses a value, `value if condition else other`, or `condition ? value : other`. */
static uint32_t parse_choice(struct clopt_expression_parser *parser)
{
    if (!enter(parser))
        return CLOPT_NO_NODE;
    uint32_t node = parse_or(parser);
    const char *place = parser->start;
    bool is_python = clopt_expression_is_token(parser, "if");
    if (clopt_expression_accept(parser, is_python ? "if" : "?")) {
        uint32_t second = is_python ? parse_or(parser) : parse_choice(parser);
        clopt_expression_expect(parser, is_python ? "else" : ":");
        uint32_t third = parse_choice(parser);
        uint32_t condition = is_python ? second : node;
        uint32_t value = is_python ? node : second;
        chain(parser, condition, value);
        chain(parser, value, third);
        node = add_node(parser, CLOPT_OPERATION_CHOOSE, place, condition);
    }
    parser->depth--;
    return node;
}

enum clopt_status clopt_expression_parse(struct clopt_expression *made, struct clopt_error *error)
{
    struct clopt_expression_parser parser = {.made = made, .error = error, .rest = made->text};
    clopt_expression_advance(&parser);
    made->root = parse_choice(&parser);
    if (!parser.status && parser.token != CLOPT_TOKEN_END)
        clopt_expression_expected(&parser, "an operator");
    return parser.status;
}
