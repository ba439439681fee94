/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses the expressions of patterns. */
#include <errno.h>

#include "kernel/build_parts.h"

/* ---- types ---- */

enum clopt_scalar clopt_scalar_parse(const char *type, unsigned *width, unsigned *bits,
                                     bool *is_signed)
{
    *width = 1;
    *bits = 0;
    *is_signed = false;
    for (const char *at = type; *at;) {
        struct clopt_token token = clopt_token_next(&at);
        enum clopt_scalar scalar = clopt_scalar_named(token.text, token.length, width);
        if (scalar == CLOPT_SCALAR_NONE)
            continue;
        *bits = clopt_scalar_integer(scalar, *width, is_signed);
        return scalar;
    }
    return CLOPT_SCALAR_NONE;
}

static bool is_type_word(const struct clopt_token *token)
{
    static const char *const words[] = {
        "const",  "volatile", "__global", "__local",  "__constant", "__private",
        "global", "local",    "private",  "constant", "unsigned",   "signed",
        "struct", "union",    "size_t",   "void",     "ptrdiff_t"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (clopt_token_is(token, words[i]))
            return true;
    unsigned width;
    return token->kind == CLOPT_TOKEN_NAME &&
           clopt_scalar_named(token->text, token->length, &width) != CLOPT_SCALAR_NONE;
}

/* Reads the type of a cast, after its parenthesis, with the closing one; NULL where there is none.
 */
static const char *accept_type(struct clopt_builder *builder)
{
    struct clopt_token token = clopt_builder_peek(builder);
    const struct clopt_builder_argument *argument = clopt_builder_accept_argument(builder, "t");
    const char *type = argument ? argument->pointer : token.text;
    size_t length = argument ? strlen(type) : strcspn(type, ")");
    if (!argument && !is_type_word(&token))
        return NULL;
    if (!argument)
        builder->text = type + length;
    clopt_builder_expect(builder, ")");
    return clopt_builder_copy_name(builder, type, length);
}

/* ---- expressions ---- */

static void set_operator(struct clopt_node *node, const struct clopt_token *token)
{
    memcpy(node->op, token->text,
           token->length < sizeof node->op ? token->length : sizeof node->op - 1);
}

static void take_type(struct clopt_node *node, const struct clopt_node *from)
{
    node->width = from->width;
    node->bits = from->bits;
    node->is_signed = from->is_signed;
    node->scalar = from->scalar;
    node->is_pointer = from->is_pointer;
}

/* Reads what is separated by commas up to a closing word. */
static void parse_list(struct clopt_builder *builder, struct clopt_node *node, const char *close)
{
    while (!builder->failed && !clopt_builder_accept(builder, close)) {
        const struct clopt_builder_argument *list = clopt_builder_accept_argument(builder, "N");
        if (list)
            clopt_builder_adopt_list(builder, node, list);
        else
            clopt_node_adopt(builder->source, node,
                             clopt_builder_expression(builder, CLOPT_LEVEL_ARGUMENT));
        struct clopt_token token = clopt_builder_peek(builder);
        if (!clopt_token_is(&token, close))
            clopt_builder_expect(builder, ",");
    }
}

static struct clopt_node *parse_name(struct clopt_builder *builder, const struct clopt_token *token)
{
    bool call = clopt_builder_accept(builder, "(");
    struct clopt_node *node =
        clopt_builder_make(builder, call ? CLOPT_NODE_CALL : CLOPT_NODE_LITERAL);
    node->name = clopt_builder_copy_name(builder, token->text, token->length);
    if (!call)
        return node;
    parse_list(builder, node, ")");
    if (strncmp(node->name, "as_", 3) == 0)
        node->kind = CLOPT_NODE_AS_TYPE;
    for (size_t i = 0; i < builder->source->function_count; i++)
        if (strcmp(builder->source->functions[i]->name, node->name) == 0)
            node->callee = builder->source->functions[i];
    bool converts = strncmp(node->name, "convert_", 8) == 0;
    if (converts || node->kind == CLOPT_NODE_AS_TYPE) {
        const char *type = node->name + (converts ? 8 : 3); /* convert_int4_sat_rte */
        node->scalar = clopt_scalar_named(type, strcspn(type, "_"), &node->width);
        node->bits = clopt_scalar_integer(node->scalar, node->width, &node->is_signed);
    }
    return node;
}

static struct clopt_node *parse_number(struct clopt_builder *builder,
                                       const struct clopt_token *token)
{
    struct clopt_node *node = clopt_builder_make(builder, CLOPT_NODE_LITERAL);
    char *end = NULL;
    node->name = clopt_builder_copy_name(builder, token->text, token->length);
    errno = 0;
    node->value = strtoll(node->name, &end, 0);
    node->known = !errno && !strpbrk(end, ".eEpPfF");
    node->scalar = node->known ? CLOPT_SCALAR_INT : CLOPT_SCALAR_FLOAT;
    node->bits = !node->known ? 0 : strpbrk(end, "lL") ? 64 : 32;
    node->is_signed = node->known && !strpbrk(end, "uU");
    return node;
}

static struct clopt_node *parse_variable(struct clopt_builder *builder,
                                         struct clopt_variable *variable)
{
    struct clopt_node *node = clopt_builder_make(builder, CLOPT_NODE_VARIABLE);
    node->variable = variable;
    node->name = variable->name;
    node->width = variable->width;
    node->bits = variable->bits;
    node->is_signed = variable->is_signed;
    node->scalar = variable->scalar;
    node->is_pointer = variable->is_pointer;
    node->is_array = variable->is_array;
    return node;
}

static struct clopt_node *parse_cast(struct clopt_builder *builder, const char *type)
{
    struct clopt_node *node = clopt_builder_make(builder, CLOPT_NODE_CAST);
    node->name = type;
    node->scalar = clopt_scalar_parse(type, &node->width, &node->bits, &node->is_signed);
    node->is_pointer = strchr(type, '*') != NULL;
    if (node->width > 1 && clopt_builder_accept(builder, "(")) {
        node->kind = CLOPT_NODE_VECTOR;
        parse_list(builder, node, ")");
    } else {
        clopt_node_adopt(builder->source, node, clopt_builder_expression(builder, 14));
    }
    return node;
}

static struct clopt_node *parse_primary(struct clopt_builder *builder)
{
    struct clopt_token token = clopt_builder_next(builder);
    const struct clopt_builder_argument *argument =
        clopt_builder_argument_of(builder, &token, "nv");
    if (argument && argument->kind == 'v')
        return parse_variable(builder, argument->pointer);
    if (argument)
        return argument->pointer;
    if (token.kind == CLOPT_TOKEN_NAME)
        return parse_name(builder, &token);
    if (token.kind == CLOPT_TOKEN_NUMBER || token.kind == CLOPT_TOKEN_STRING)
        return parse_number(builder, &token);
    if (clopt_token_is(&token, "(")) {
        struct clopt_node *node = clopt_builder_expression(builder, 1);
        clopt_builder_expect(builder, ")");
        return node;
    }
    struct clopt_node *list = clopt_builder_make(builder, CLOPT_NODE_LIST);
    builder->failed |= !clopt_token_is(&token, "{");
    parse_list(builder, list, "}");
    return list;
}

static struct clopt_node *parse_member(struct clopt_builder *builder, struct clopt_node *inner,
                                       const struct clopt_token *op)
{
    struct clopt_token name = clopt_builder_next(builder);
    bool vector = inner->width > 1 && clopt_token_is(op, ".");
    struct clopt_node *node =
        clopt_builder_make(builder, vector ? CLOPT_NODE_SWIZZLE : CLOPT_NODE_MEMBER);
    builder->failed |= name.kind != CLOPT_TOKEN_NAME;
    node->name = clopt_builder_copy_name(builder, name.text, name.length);
    set_operator(node, op);
    clopt_node_adopt(builder->source, node, inner);
    return node;
}

static struct clopt_node *parse_postfix(struct clopt_builder *builder)
{
    struct clopt_node *node = parse_primary(builder);
    while (!builder->failed) {
        struct clopt_token token = clopt_builder_peek(builder);
        bool step = clopt_token_is(&token, "++") || clopt_token_is(&token, "--");
        bool member = clopt_token_is(&token, ".") || clopt_token_is(&token, "->");
        struct clopt_node *inner = node;
        if (!step && !member && !clopt_token_is(&token, "["))
            break;
        clopt_builder_next(builder);
        if (member) {
            node = parse_member(builder, inner, &token);
            continue;
        }
        node = clopt_builder_make(builder, step ? CLOPT_NODE_POSTFIX : CLOPT_NODE_SUBSCRIPT);
        inner = clopt_node_adopt(builder->source, node, inner);
        if (step) {
            set_operator(node, &token);
            take_type(node, inner);
        } else {
            clopt_node_adopt(builder->source, node, clopt_builder_expression(builder, 1));
            clopt_builder_expect(builder, "]");
        }
    }
    return node;
}

/* Makes an operator in front of its operand. */
static struct clopt_node *apply(struct clopt_builder *builder, const struct clopt_token *op,
                                struct clopt_node *operand)
{
    struct clopt_node *node = clopt_builder_make(builder, CLOPT_NODE_UNARY);
    set_operator(node, op);
    take_type(node, clopt_node_adopt(builder->source, node, operand));
    return node;
}

/* The comparison of integers that holds where another one does not; NULL: it is none. (Of floating
 * point numbers, neither holds for what is not a number.) */
static const char *opposite_of(const struct clopt_node *node)
{
    static const char *const opposites[][2] = {{"<", ">="}, {">=", "<"},  {">", "<="},
                                               {"<=", ">"}, {"==", "!="}, {"!=", "=="}};
    for (size_t i = 0; node->kind == CLOPT_NODE_BINARY && i < 6; i++)
        if (clopt_node_is_operator(node, opposites[i][0]) && node->children[0]->bits &&
            node->children[1]->bits)
            return opposites[i][1];
    return NULL;
}

/* Makes !x, as a comparison where x is one. */
static struct clopt_node *negate(struct clopt_builder *builder, const struct clopt_token *op,
                                 struct clopt_node *operand)
{
    const struct clopt_node *bare = clopt_node_bare(operand);
    const char *opposite = opposite_of(bare);
    if (!opposite)
        return apply(builder, op, operand);
    const struct clopt_token token = {.text = opposite, .length = strlen(opposite)};
    struct clopt_node *node = clopt_builder_make(builder, CLOPT_NODE_BINARY);
    set_operator(node, &token);
    take_type(node, bare);
    clopt_node_adopt(builder->source, node, bare->children[0]);
    clopt_node_adopt(builder->source, node, bare->children[1]);
    return node;
}

static struct clopt_node *parse_unary(struct clopt_builder *builder)
{
    struct clopt_token token = clopt_builder_peek(builder);
    if (clopt_token_is(&token, "(")) {
        const char *before = builder->text;
        clopt_builder_next(builder);
        const char *type = accept_type(builder);
        if (type)
            return parse_cast(builder, type);
        builder->text = before;
    }
    if (token.kind != CLOPT_TOKEN_OTHER || !strchr("+-!~*&", *token.text) ||
        (token.length > 1 && !clopt_token_is(&token, "++") && !clopt_token_is(&token, "--")))
        return parse_postfix(builder);
    clopt_builder_next(builder);
    struct clopt_node *operand = clopt_builder_expression(builder, 14);
    return clopt_token_is(&token, "!") ? negate(builder, &token, operand)
                                       : apply(builder, &token, operand);
}

static bool is_assignment(const struct clopt_token *token)
{
    char last = token->length ? token->text[token->length - 1] : 0;
    return token->kind == CLOPT_TOKEN_OTHER && last == '=' && !clopt_token_is(token, "==") &&
           !clopt_token_is(token, "!=") && !clopt_token_is(token, "<=") &&
           !clopt_token_is(token, ">=");
}

/* ---- what changes nothing ---- */

static bool is_number(const struct clopt_node *node, int64_t value)
{
    return node->made && node->kind == CLOPT_NODE_LITERAL && node->known && node->value == value &&
           node->bits == 32 && node->is_signed;
}

static bool is_negative(const struct clopt_node *node)
{
    return node->made && node->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(node, "-");
}

/* The operand that a sum or a product is equal to: x of x + 0, 1 * x and the like; NULL: none. */
static struct clopt_node *find_equal(const struct clopt_token *op, struct clopt_node *left,
                                     struct clopt_node *right)
{
    bool adds = clopt_token_is(op, "+"), multiplies = clopt_token_is(op, "*");
    if ((adds && is_number(left, 0)) || (multiplies && is_number(left, 1)))
        return right;
    if (((adds || clopt_token_is(op, "-")) && is_number(right, 0)) ||
        ((multiplies || clopt_token_is(op, "/")) && is_number(right, 1)))
        return left;
    return multiplies && is_number(left, 0) ? left : NULL;
}

static struct clopt_node *join(struct clopt_builder *builder, enum clopt_node_kind kind,
                               const struct clopt_token *op, struct clopt_node *left,
                               struct clopt_node *right)
{
    struct clopt_node *equal = kind == CLOPT_NODE_BINARY ? find_equal(op, left, right) : NULL;
    if (equal)
        return equal;
    if (clopt_token_is(op, "*") && is_negative(left) && left->children[0]->known) {
        const struct clopt_token minus = {.text = "-", .length = 1};
        struct clopt_node *product = join(builder, kind, op, left->children[0], right);
        return apply(builder, &minus, product);
    }
    struct clopt_node *node = clopt_builder_make(builder, kind);
    set_operator(node, op);
    if ((*node->op == '+' || *node->op == '-') && is_negative(right)) {
        *node->op = *node->op == '+' ? '-' : '+'; /* a + -b is a - b */
        right = right->children[0];
    }
    clopt_node_adopt(builder->source, node, left);
    clopt_node_adopt(builder->source, node, right);
    unsigned level = clopt_node_level(node);
    take_type(node, left->width >= right->width ? left : right);
    if (level == 4 || level == 5 || level == 9 || level == 10) {
        node->bits = 32;
        node->is_signed = true;
        node->scalar = CLOPT_SCALAR_INT;
    }
    return node;
}

struct clopt_node *clopt_builder_expression(struct clopt_builder *builder, unsigned level)
{
    struct clopt_node *left = parse_unary(builder);
    while (!builder->failed) {
        struct clopt_token token = clopt_builder_peek(builder);
        struct clopt_node probe = {.kind = CLOPT_NODE_BINARY};
        set_operator(&probe, &token);
        bool assigns = is_assignment(&token);
        unsigned binds = assigns ? 2 : clopt_node_level(&probe);
        if (level <= 3 && clopt_token_is(&token, "?")) {
            clopt_builder_next(builder);
            struct clopt_node *node = clopt_builder_make(builder, CLOPT_NODE_CONDITIONAL);
            clopt_node_adopt(builder->source, node, left);
            clopt_node_adopt(builder->source, node, clopt_builder_expression(builder, 1));
            clopt_builder_expect(builder, ":");
            take_type(node, clopt_node_adopt(builder->source, node,
                                             clopt_builder_expression(builder, 3)));
            left = node;
        } else if (binds && binds >= level) {
            clopt_builder_next(builder);
            left = join(builder, assigns ? CLOPT_NODE_ASSIGN : CLOPT_NODE_BINARY, &token, left,
                        clopt_builder_expression(builder, binds + !assigns));
        } else {
            break;
        }
    }
    return left;
}
