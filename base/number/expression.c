/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads expressions into trees, by the precedence of their operators. */
#include "number/expression_tree.h"
#include "text/suggest.h"

#define MOST_CHARACTERS 4000
#define DEEPEST         200 /* operations within each other */

/* Once `status` is set, the token is the end and all functions do nothing. */
struct parser {
    struct clopt_expression *made;
    struct clopt_error *error;
    enum clopt_status status;
    struct clopt_expression_token token;
    unsigned depth;
};

enum clopt_status clopt_expression_fail(const char *text, size_t column, struct clopt_error *error,
                                        const char *format, va_list arguments)
{
    char reason[sizeof error->message];
    vsnprintf(reason, sizeof reason, format, arguments);
    return clopt_fail(error, CLOPT_INVALID, "\"%.200s%s\", column %zu: %s", text,
                      strlen(text) > 200 ? "..." : "", column, reason);
}

/* Ends the parsing with an error at a place of the text; only the first error counts. */
static void refuse(struct parser *parser, const char *position, const char *format, ...)
    CLOPT_PRINTF(3, 4);
static void refuse(struct parser *parser, const char *position, const char *format, ...)
{
    va_list arguments;
    if (parser->status)
        return;
    va_start(arguments, format);
    parser->status =
        clopt_expression_fail(parser->made->text, (size_t)(position - parser->made->text) + 1,
                              parser->error, format, arguments);
    va_end(arguments);
    parser->token = (struct clopt_expression_token){.start = ""};
}

/* ---- tokens ---- */

/* Goes on to the next token. */
static void advance(struct parser *parser)
{
    if (parser->status)
        return;
    parser->token = clopt_expression_scan(parser->token.start + parser->token.length);
    if (parser->token.wrong[0])
        refuse(parser, parser->token.start, "%s", parser->token.wrong);
}

/* Tells whether the token is this name or symbol. */
static bool is_token(const struct parser *parser, const char *text)
{
    return (parser->token.kind == CLOPT_EXPRESSION_NAME ||
            parser->token.kind == CLOPT_EXPRESSION_SYMBOL) &&
           strlen(text) == parser->token.length &&
           strncmp(parser->token.start, text, parser->token.length) == 0;
}

static bool is_among(const struct parser *parser, const char *const *texts)
{
    for (; *texts; texts++)
        if (is_token(parser, *texts))
            return true;
    return false;
}

/* Goes on to the next token if this one is `text`. */
static bool accept(struct parser *parser, const char *text)
{
    if (!is_token(parser, text))
        return false;
    advance(parser);
    return true;
}

/* Ends the parsing because something else should be here. */
static void fail_expected(struct parser *parser, const char *what)
{
    if (parser->token.kind == CLOPT_EXPRESSION_END)
        refuse(parser, parser->token.start, "expected %s, but the expression ends", what);
    else
        refuse(parser, parser->token.start, "expected %s, not \"%.*s\"", what,
               parser->token.length < 40 ? (int)parser->token.length : 40, parser->token.start);
}

static void expect(struct parser *parser, const char *text)
{
    char quoted[8];
    snprintf(quoted, sizeof quoted, "\"%s\"", text);
    if (!accept(parser, text))
        fail_expected(parser, quoted);
}

/* ---- nodes ---- */

static uint32_t add_node(struct parser *parser, enum clopt_operation operation,
                         const char *position, uint32_t first)
{
    struct clopt_expression *made = parser->made;
    if (parser->status)
        return CLOPT_NO_NODE;
    clopt_array_grow(&made->nodes, made->node_count, sizeof *made->nodes);
    made->nodes[made->node_count] = (struct clopt_expression_node){
        .operation = operation,
        .first = first,
        .next = CLOPT_NO_NODE,
        .column = (uint32_t)(position - made->text) + 1,
    };
    return made->node_count++;
}

static uint32_t add_number(struct parser *parser, const char *position, struct clopt_number number)
{
    uint32_t node = add_node(parser, CLOPT_OPERATION_NUMBER, position, CLOPT_NO_NODE);
    if (!parser->status)
        parser->made->nodes[node].number = number;
    return node;
}

/* Puts `next` after `node` among the operands of an operation; returns `next`. */
static uint32_t chain(struct parser *parser, uint32_t node, uint32_t next)
{
    if (!parser->status)
        parser->made->nodes[node].next = next;
    return next;
}

/* ---- values ---- */

enum precedence { CHOICE, OR, AND, INVERSION, COMPARISON, SUM, PRODUCT, SIGN, POWER };

static uint32_t parse(struct parser *parser, enum precedence least);

/* Parses values between commas up to `end`; at least one. Sets how many. */
static uint32_t parse_operands(struct parser *parser, const char *end, size_t *count)
{
    uint32_t first = parse(parser, CHOICE);
    uint32_t last = first;
    *count = 1;
    while (accept(parser, ",") && !is_token(parser, end)) {
        last = chain(parser, last, parse(parser, CHOICE));
        (*count)++;
    }
    expect(parser, end);
    return first;
}

static const struct function {
    const char *name;
    enum clopt_operation operation;
    size_t least;
    size_t most;
} functions[] = {
    {"abs", CLOPT_OPERATION_ABS, 1, 1},         {"ceil", CLOPT_OPERATION_CEIL, 1, 1},
    {"ceildiv", CLOPT_OPERATION_CEILDIV, 2, 2}, {"floor", CLOPT_OPERATION_FLOOR, 1, 1},
    {"int", CLOPT_OPERATION_INT, 1, 1},         {"log2", CLOPT_OPERATION_LOG2, 1, 1},
    {"max", CLOPT_OPERATION_MAX, 1, 99},        {"min", CLOPT_OPERATION_MIN, 1, 99},
    {"sqrt", CLOPT_OPERATION_SQRT, 1, 1},
};

#define FUNCTION_COUNT (sizeof functions / sizeof functions[0])

static void fail_function(struct parser *parser, const char *position, const char *name)
{
    const char *names[FUNCTION_COUNT];
    for (size_t i = 0; i < FUNCTION_COUNT; i++)
        names[i] = functions[i].name;
    CLOPT_OWNED(clopt_text) advice =
        clopt_suggest_or_list(name, names, FUNCTION_COUNT, "there are");
    refuse(parser, position, "unknown function %s; %s", name, clopt_text_string(&advice));
}

/* Parses a call, whose name and "(" have been read. */
static uint32_t parse_call(struct parser *parser, const char *position, const char *name)
{
    const struct function *function = functions;
    while (function < functions + FUNCTION_COUNT && strcmp(function->name, name) != 0)
        function++;
    if (function == functions + FUNCTION_COUNT) {
        fail_function(parser, position, name);
        return CLOPT_NO_NODE;
    }
    size_t count = 0;
    uint32_t first = CLOPT_NO_NODE;
    if (!accept(parser, ")"))
        first = parse_operands(parser, ")", &count);
    if (count < function->least || count > function->most)
        refuse(parser, position, "%s takes %zu%s value%s, not %zu", name, function->least,
               function->most == 99 ? " or more" : "", function->most == 1 ? "" : "s", count);
    return add_node(parser, function->operation, position, first);
}

/* Finds or adds a variable. */
static uint32_t number_variable(struct parser *parser, const char *name, size_t length)
{
    struct clopt_expression *made = parser->made;
    uint32_t i = 0;
    while (i < made->variable_count &&
           (strlen(made->variables[i]) != length || strncmp(made->variables[i], name, length) != 0))
        i++;
    if (i < made->variable_count || parser->status)
        return i;
    clopt_array_grow(&made->variables, i, sizeof *made->variables);
    made->variables[i] = clopt_strndup(name, length);
    return made->variable_count++;
}

static uint32_t parse_name(struct parser *parser)
{
    static const char *const yes[] = {"True", "true", NULL}, *const no[] = {"False", "false", NULL};
    const char *position = parser->token.start;
    size_t length = parser->token.length;
    bool is_true = is_among(parser, yes), is_constant = is_true || is_among(parser, no);
    advance(parser);
    if (accept(parser, "(")) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", length < 60 ? (int)length : 60, position);
        return parse_call(parser, position, name);
    }
    if (is_constant)
        return add_number(parser, position, clopt_number_integer(is_true));
    uint32_t variable = number_variable(parser, position, length);
    uint32_t node = add_node(parser, CLOPT_OPERATION_VARIABLE, position, CLOPT_NO_NODE);
    if (!parser->status)
        parser->made->nodes[node].variable = variable;
    return node;
}

/* Parses what is before an operator; a sign binds less than the power to its right. */
static uint32_t parse_operand(struct parser *parser, enum precedence least)
{
    static const char *const words[] = {"and", "or", "not", "if", "else", "in", NULL};
    const char *position = parser->token.start;
    struct clopt_number number = parser->token.number;
    bool is_number = parser->token.kind == CLOPT_EXPRESSION_NUMBER;
    if (least <= INVERSION && accept(parser, "not"))
        return add_node(parser, CLOPT_OPERATION_NOT, position, parse(parser, INVERSION));
    if (accept(parser, "-"))
        return add_node(parser, CLOPT_OPERATION_NEGATE, position, parse(parser, SIGN));
    if (accept(parser, "!"))
        return add_node(parser, CLOPT_OPERATION_NOT, position, parse(parser, SIGN));
    if (accept(parser, "+"))
        return parse(parser, SIGN);
    if (accept(parser, "(")) {
        uint32_t node = parse(parser, CHOICE);
        expect(parser, ")");
        return node;
    }
    if (parser->token.kind == CLOPT_EXPRESSION_NAME && !is_among(parser, words))
        return parse_name(parser);
    if (is_number)
        advance(parser);
    else
        fail_expected(parser, "a value");
    return add_number(parser, position, number);
}

/* ---- operators ---- */

static const struct operator
{
    const char *text;
    enum clopt_operation operation;
    enum precedence precedence;
}
operators[] = {
    {"?", CLOPT_OPERATION_CHOOSE, CHOICE},
    {"if", CLOPT_OPERATION_CHOOSE, CHOICE},
    {"or", CLOPT_OPERATION_OR, OR},
    {"||", CLOPT_OPERATION_OR, OR},
    {"and", CLOPT_OPERATION_AND, AND},
    {"&&", CLOPT_OPERATION_AND, AND},
    {"==", CLOPT_OPERATION_EQUAL, COMPARISON},
    {"!=", CLOPT_OPERATION_UNEQUAL, COMPARISON},
    {"<", CLOPT_OPERATION_LESS, COMPARISON},
    {"<=", CLOPT_OPERATION_LESS_EQUAL, COMPARISON},
    {">", CLOPT_OPERATION_GREATER, COMPARISON},
    {">=", CLOPT_OPERATION_GREATER_EQUAL, COMPARISON},
    {"in", CLOPT_OPERATION_IN, COMPARISON},
    {"not", CLOPT_OPERATION_NOT_IN, COMPARISON},
    {"+", CLOPT_OPERATION_ADD, SUM},
    {"-", CLOPT_OPERATION_SUBTRACT, SUM},
    {"*", CLOPT_OPERATION_MULTIPLY, PRODUCT},
    {"/", CLOPT_OPERATION_DIVIDE, PRODUCT},
    {"//", CLOPT_OPERATION_FLOOR_DIVIDE, PRODUCT},
    {"%", CLOPT_OPERATION_MODULO, PRODUCT},
    {"**", CLOPT_OPERATION_POWER, POWER},
};

/* Returns the operator that the token is; NULL: none. */
static const struct operator* find_operator(const struct parser *parser)
{
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++)
        if (is_token(parser, operators[i].text))
            return &operators[i];
    return NULL;
}

static uint32_t parse_list(struct parser *parser)
{
    const char *position = parser->token.start;
    const char *end = accept(parser, "[") ? "]" : ")";
    size_t count;
    if (*end == ')' && !accept(parser, "("))
        fail_expected(parser, "a list in ( ) or [ ]");
    return add_node(parser, CLOPT_OPERATION_LIST, position, parse_operands(parser, end, &count));
}

/* As in mathematics, 1 <= a <= 8 holds if both comparisons do. A list ends them. */
static uint32_t parse_comparison(struct parser *parser, uint32_t first)
{
    const char *position = parser->token.start;
    const struct operator* relation = find_operator(parser);
    for (uint32_t last = first; relation && relation->precedence == COMPARISON;) {
        bool is_list = relation->operation >= CLOPT_OPERATION_IN;
        advance(parser);
        if (relation->operation == CLOPT_OPERATION_NOT_IN)
            expect(parser, "in");
        last = chain(parser, last, is_list ? parse_list(parser) : parse(parser, SUM));
        if (!parser->status)
            parser->made->nodes[last].relation = relation->operation;
        relation = is_list ? NULL : find_operator(parser);
    }
    return add_node(parser, CLOPT_OPERATION_COMPARE, position, first);
}

/* Parses `value if condition else other`, or `condition ? value : other`, after what is first. */
static uint32_t parse_choice(struct parser *parser, uint32_t first)
{
    const char *position = parser->token.start;
    bool is_python = is_token(parser, "if");
    advance(parser);
    uint32_t second = parse(parser, is_python ? OR : CHOICE);
    expect(parser, is_python ? "else" : ":");
    uint32_t other = parse(parser, CHOICE);
    uint32_t condition = is_python ? second : first;
    chain(parser, chain(parser, condition, is_python ? first : second), other);
    return add_node(parser, CLOPT_OPERATION_CHOOSE, position, condition);
}

/* Parses as much as operators of at least this precedence hold together. */
static uint32_t parse(struct parser *parser, enum precedence least)
{
    bool is_inverted = least <= INVERSION && is_token(parser, "not");
    enum precedence most = is_inverted ? AND : POWER;
    const struct operator* found;
    if (++parser->depth > DEEPEST)
        refuse(parser, parser->token.start, "too many operations within each other");
    if (parser->status)
        return CLOPT_NO_NODE;
    uint32_t node = parse_operand(parser, least);
    while ((found = find_operator(parser)) && found->precedence >= least &&
           found->precedence <= most) {
        const char *position = parser->token.start;
        most = found->precedence == COMPARISON ? AND : found->precedence;
        if (found->precedence == COMPARISON) {
            node = parse_comparison(parser, node);
        } else if (found->precedence == CHOICE) {
            node = parse_choice(parser, node);
        } else {
            advance(parser);
            /* A power has a sign to its right; what else is there binds more. */
            chain(parser, node,
                  parse(parser, found->precedence == POWER ? SIGN : found->precedence + 1));
            node = add_node(parser, found->operation, position, node);
        }
    }
    parser->depth--;
    return node;
}

/* ---- expressions ---- */

enum clopt_status clopt_expression_create(const char *text, struct clopt_expression **expression,
                                          struct clopt_error *error)
{
    *expression = NULL;
    struct clopt_expression *made = clopt_calloc(1, sizeof *made);
    struct parser parser = {.made = made, .error = error};
    made->text = clopt_strdup(text);
    parser.token.start = made->text;
    if (strlen(text) > MOST_CHARACTERS)
        refuse(&parser, made->text + MOST_CHARACTERS, "expressions have at most %d characters",
               MOST_CHARACTERS);
    else
        advance(&parser);
    made->root = parse(&parser, CHOICE);
    if (!parser.status && parser.token.kind != CLOPT_EXPRESSION_END)
        fail_expected(&parser, "an operator");
    if (parser.status)
        clopt_expression_destroy(made);
    else
        *expression = made;
    return parser.status;
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
    const struct clopt_expression_node *node = expression->nodes;
    while (node->operation != CLOPT_OPERATION_VARIABLE || node->variable != variable)
        node++;
    va_list arguments;
    va_start(arguments, format);
    clopt_expression_fail(expression->text, node->column, error, format, arguments);
    va_end(arguments);
    return CLOPT_INVALID;
}
