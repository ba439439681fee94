/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds nodes from patterns of OpenCL C: a parser of statements and expressions by recursive
 * descent, binary operators by precedence climbing. */
#include <clopt/rewrite.h>

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "source/token.h"
#include "source/tree.h"

#define MOST_ARGUMENTS 32

/* What a pattern has in it in place of an argument: a name that no source has. */
#define ARGUMENT "__clopt_argument_"

/* An argument that is no words. */
struct argument {
    char kind; /* as its letter in the pattern */
    void *pointer;
};

struct builder {
    struct clopt_source *source;
    const struct clopt_node *at;
    const char *text; /* what is left */
    struct argument arguments[MOST_ARGUMENTS];
    size_t argument_count;
    bool failed;
};

static struct clopt_node *parse_statement(struct builder *builder);
static struct clopt_node *parse_expression(struct builder *builder, unsigned level);

/* ---- patterns ---- */

/* Writes the pattern with words in place of arguments. */
static void expand(struct builder *builder, struct clopt_text *text, const char *pattern,
                   va_list arguments)
{
    for (const char *at = pattern; *at; at++) {
        if (*at != '$') {
            clopt_text_append_char(text, *at);
            continue;
        }
        switch (*++at) {
        case 's':
            clopt_text_append(text, va_arg(arguments, const char *));
            break;
        case 'd':
            clopt_text_printf(text, "%d", va_arg(arguments, int));
            break;
        case 'u':
            clopt_text_printf(text, "%u", va_arg(arguments, unsigned));
            break;
        case 'l':
            clopt_text_printf(text, "%" PRId64, va_arg(arguments, int64_t));
            break;
        case 'n':
        case 'N':
        case 'v':
        case 'V':
        case 't':
            if (builder->argument_count == MOST_ARGUMENTS) {
                builder->failed = true;
                return;
            }
            clopt_text_printf(text, ARGUMENT "%zu", builder->argument_count);
            builder->arguments[builder->argument_count++] =
                (struct argument){*at, va_arg(arguments, void *)};
            break;
        default:
            builder->failed = true;
            return;
        }
    }
}

static struct clopt_token peek(const struct builder *builder)
{
    const char *at = builder->text;
    return clopt_token_next(&at);
}

static struct clopt_token next(struct builder *builder)
{
    return clopt_token_next(&builder->text);
}

static bool accept(struct builder *builder, const char *word)
{
    struct clopt_token token = peek(builder);
    if (!clopt_token_is(&token, word))
        return false;
    next(builder);
    return true;
}

static void expect(struct builder *builder, const char *word)
{
    builder->failed |= !accept(builder, word);
}

/* The argument that a token stands for, if it is of one of these kinds; NULL: none. */
static const struct argument *argument_of(const struct builder *builder,
                                          const struct clopt_token *token, const char *kinds)
{
    size_t length = strlen(ARGUMENT);
    if (token->length <= length || strncmp(token->text, ARGUMENT, length) != 0)
        return NULL;
    size_t index = strtoul(token->text + length, NULL, 10);
    const struct argument *argument = &builder->arguments[index];
    return index < builder->argument_count && strchr(kinds, argument->kind) ? argument : NULL;
}

static const struct argument *accept_argument(struct builder *builder, const char *kinds)
{
    struct clopt_token token = peek(builder);
    const struct argument *argument = argument_of(builder, &token, kinds);
    if (argument)
        next(builder);
    return argument;
}

/* ---- nodes ---- */

static struct clopt_node *make(struct builder *builder, enum clopt_node_kind kind)
{
    return clopt_node_new(builder->source, kind, builder->at);
}

static void adopt(struct builder *builder, struct clopt_node *node, struct clopt_node *child)
{
    clopt_node_adopt(builder->source, node, child);
}

static struct clopt_node *last_child(struct clopt_node *node)
{
    return node->child_count ? node->children[node->child_count - 1] : NULL;
}

static const char *copy_name(struct builder *builder, const char *text, size_t length)
{
    const char *name = clopt_arena_copy(&builder->source->arena, text, length);
    return name ? name : "";
}

static void set_operator(struct clopt_node *node, const struct clopt_token *token)
{
    memcpy(node->operator, token->text,
           token->length < sizeof node->operator? token->length : sizeof node->operator- 1);
}

static void take_type(struct clopt_node *node, const struct clopt_node *from)
{
    node->width = from->width;
    node->bits = from->bits;
    node->is_signed = from->is_signed;
    node->scalar = from->scalar;
    node->is_pointer = from->is_pointer;
}

/* Adds what an argument stands for: a node, or those of a list. */
static void adopt_argument(struct builder *builder, struct clopt_node *node,
                           const struct argument *argument)
{
    if (argument->kind == 'n') {
        adopt(builder, node, argument->pointer);
        return;
    }
    const struct clopt_nodes *nodes = argument->pointer;
    for (size_t i = 0; i < nodes->count; i++)
        adopt(builder, node, nodes->items[i]);
}

/* ---- types ---- */

enum clopt_scalar clopt_scalar_parse(const char *type, unsigned *width, unsigned *bits,
                                     bool *is_signed)
{
    static const unsigned sizes[] = {
        [CLOPT_SCALAR_CHAR] = 8,  [CLOPT_SCALAR_UCHAR] = 8,   [CLOPT_SCALAR_SHORT] = 16,
        [CLOPT_SCALAR_INT] = 32,  [CLOPT_SCALAR_USHORT] = 16, [CLOPT_SCALAR_UINT] = 32,
        [CLOPT_SCALAR_LONG] = 64, [CLOPT_SCALAR_ULONG] = 64,  [CLOPT_SCALAR_DOUBLE] = 0,
    };
    *width = 1;
    *bits = 0;
    *is_signed = false;
    for (const char *at = type; *at;) {
        struct clopt_token token = clopt_token_next(&at);
        for (enum clopt_scalar s = CLOPT_SCALAR_BOOL; s <= CLOPT_SCALAR_DOUBLE; s++) {
            const char *name = clopt_scalar_name(s);
            size_t length = strlen(name);
            if (token.length < length || memcmp(token.text, name, length) != 0)
                continue;
            unsigned long elements = strtoul(token.text + length, NULL, 10);
            bool plain = token.length == length;
            if (!plain && (elements < 2 || elements > 16))
                continue;
            *width = plain ? 1 : (unsigned)elements;
            *bits = plain ? sizes[s] : 0;
            *is_signed = *bits && *name != 'u';
            return s;
        }
    }
    return CLOPT_SCALAR_NONE;
}

static bool is_type_word(const struct clopt_token *token)
{
    static const char *const words[] = {
        "const",  "volatile", "__global", "__local",  "__constant", "__private",
        "global", "local",    "private",  "constant", "unsigned",   "signed",
        "struct", "union",    "size_t",   "half",     "void",       "ptrdiff_t"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (clopt_token_is(token, words[i]))
            return true;
    unsigned width, bits;
    bool is_signed;
    char name[16] = "";
    if (token->kind != CLOPT_TOKEN_NAME || token->length >= sizeof name)
        return false;
    memcpy(name, token->text, token->length);
    return clopt_scalar_parse(name, &width, &bits, &is_signed) != CLOPT_SCALAR_NONE;
}

/* Reads the type of a cast, behind its parenthesis, with the closing one; NULL where there is none.
 */
static const char *accept_type(struct builder *builder)
{
    struct clopt_token token = peek(builder);
    const struct argument *argument = argument_of(builder, &token, "t");
    if (!argument && !is_type_word(&token))
        return NULL;
    const char *begin = token.text;
    next(builder);
    if (!argument)
        while (peek(builder).kind != CLOPT_TOKEN_END &&
               *clopt_token_skip_space(builder->text) != ')')
            next(builder);
    const char *type =
        argument ? argument->pointer : copy_name(builder, begin, (size_t)(builder->text - begin));
    if (argument)
        type = copy_name(builder, type, strlen(type));
    expect(builder, ")");
    return type;
}

/* ---- expressions ---- */

/* Reads what is separated by commas up to a closing word. */
static void parse_list(struct builder *builder, struct clopt_node *node, const char *close)
{
    while (!builder->failed && !accept(builder, close)) {
        const struct argument *list = accept_argument(builder, "N");
        if (list)
            adopt_argument(builder, node, list);
        else
            adopt(builder, node, parse_expression(builder, CLOPT_LEVEL_ARGUMENT));
        struct clopt_token token = peek(builder);
        if (!clopt_token_is(&token, close))
            expect(builder, ",");
    }
}

static struct clopt_node *parse_name(struct builder *builder, const struct clopt_token *token)
{
    bool call = accept(builder, "(");
    struct clopt_node *node = make(builder, call ? CLOPT_NODE_CALL : CLOPT_NODE_LITERAL);
    node->name = copy_name(builder, token->text, token->length);
    if (!call)
        return node;
    parse_list(builder, node, ")");
    if (strncmp(node->name, "as_", 3) == 0)
        node->kind = CLOPT_NODE_AS_TYPE;
    for (size_t i = 0; i < builder->source->function_count; i++)
        if (strcmp(builder->source->functions[i]->name, node->name) == 0)
            node->callee = builder->source->functions[i];
    bool converts = strncmp(node->name, "convert_", 8) == 0;
    if (converts || node->kind == CLOPT_NODE_AS_TYPE)
        node->scalar = clopt_scalar_parse(node->name + (converts ? 8 : 3), &node->width,
                                          &node->bits, &node->is_signed);
    return node;
}

static struct clopt_node *parse_number(struct builder *builder, const struct clopt_token *token)
{
    struct clopt_node *node = make(builder, CLOPT_NODE_LITERAL);
    char *end = NULL;
    node->name = copy_name(builder, token->text, token->length);
    errno = 0;
    node->value = strtoll(node->name, &end, 0);
    node->known = !errno && !strpbrk(end, ".eEpPfF");
    node->scalar = node->known ? CLOPT_SCALAR_INT : CLOPT_SCALAR_FLOAT;
    node->bits = !node->known ? 0 : strpbrk(end, "lL") ? 64 : 32;
    node->is_signed = node->known && !strpbrk(end, "uU");
    return node;
}

static struct clopt_node *parse_variable(struct builder *builder, struct clopt_variable *variable)
{
    struct clopt_node *node = make(builder, CLOPT_NODE_VARIABLE);
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

static struct clopt_node *parse_cast(struct builder *builder, const char *type)
{
    struct clopt_node *node = make(builder, CLOPT_NODE_CAST);
    node->name = type;
    node->scalar = clopt_scalar_parse(type, &node->width, &node->bits, &node->is_signed);
    node->is_pointer = strchr(type, '*') != NULL;
    if (node->width > 1 && accept(builder, "(")) {
        node->kind = CLOPT_NODE_VECTOR;
        parse_list(builder, node, ")");
    } else {
        adopt(builder, node, parse_expression(builder, 14));
    }
    return node;
}

static struct clopt_node *parse_primary(struct builder *builder)
{
    struct clopt_token token = next(builder);
    const struct argument *argument = argument_of(builder, &token, "nv");
    if (argument && argument->kind == 'v')
        return parse_variable(builder, argument->pointer);
    if (argument)
        return argument->pointer;
    if (token.kind == CLOPT_TOKEN_NAME)
        return parse_name(builder, &token);
    if (token.kind == CLOPT_TOKEN_NUMBER || token.kind == CLOPT_TOKEN_STRING)
        return parse_number(builder, &token);
    if (clopt_token_is(&token, "(")) {
        struct clopt_node *node = parse_expression(builder, 1);
        expect(builder, ")");
        return node;
    }
    struct clopt_node *list = make(builder, CLOPT_NODE_LIST);
    builder->failed |= !clopt_token_is(&token, "{");
    parse_list(builder, list, "}");
    return list;
}

static struct clopt_node *parse_member(struct builder *builder, struct clopt_node *inner,
                                       const struct clopt_token *operator)
{
    struct clopt_token name = next(builder);
    bool vector = inner->width > 1 && clopt_token_is(operator, ".");
    struct clopt_node *node = make(builder, vector ? CLOPT_NODE_SWIZZLE : CLOPT_NODE_MEMBER);
    builder->failed |= name.kind != CLOPT_TOKEN_NAME;
    node->name = copy_name(builder, name.text, name.length);
    set_operator(node, operator);
    adopt(builder, node, inner);
    return node;
}

static struct clopt_node *parse_postfix(struct builder *builder)
{
    struct clopt_node *node = parse_primary(builder);
    while (!builder->failed) {
        struct clopt_token token = peek(builder);
        bool step = clopt_token_is(&token, "++") || clopt_token_is(&token, "--");
        bool member = clopt_token_is(&token, ".") || clopt_token_is(&token, "->");
        struct clopt_node *inner = node;
        if (!step && !member && !clopt_token_is(&token, "["))
            break;
        next(builder);
        if (member) {
            node = parse_member(builder, inner, &token);
            continue;
        }
        node = make(builder, step ? CLOPT_NODE_POSTFIX : CLOPT_NODE_SUBSCRIPT);
        adopt(builder, node, inner);
        if (step) {
            set_operator(node, &token);
            take_type(node, last_child(node));
        } else {
            adopt(builder, node, parse_expression(builder, 1));
            expect(builder, "]");
        }
    }
    return node;
}

static struct clopt_node *parse_unary(struct builder *builder)
{
    struct clopt_token token = peek(builder);
    if (clopt_token_is(&token, "(")) {
        const char *before = builder->text;
        next(builder);
        const char *type = accept_type(builder);
        if (type)
            return parse_cast(builder, type);
        builder->text = before;
    }
    if (token.kind != CLOPT_TOKEN_OTHER || !strchr("+-!~*&", *token.text) ||
        (token.length > 1 && !clopt_token_is(&token, "++") && !clopt_token_is(&token, "--")))
        return parse_postfix(builder);
    next(builder);
    struct clopt_node *node = make(builder, CLOPT_NODE_UNARY);
    set_operator(node, &token);
    adopt(builder, node, parse_expression(builder, 14));
    if (node->child_count)
        take_type(node, node->children[0]);
    return node;
}

static bool is_assignment(const struct clopt_token *token)
{
    char last = token->length ? token->text[token->length - 1] : 0;
    return token->kind == CLOPT_TOKEN_OTHER && last == '=' && !clopt_token_is(token, "==") &&
           !clopt_token_is(token, "!=") && !clopt_token_is(token, "<=") &&
           !clopt_token_is(token, ">=");
}

static struct clopt_node *join(struct builder *builder, enum clopt_node_kind kind,
                               const struct clopt_token *operator, struct clopt_node * left,
                               struct clopt_node *right)
{
    struct clopt_node *node = make(builder, kind);
    set_operator(node, operator);
    adopt(builder, node, left);
    adopt(builder, node, right);
    unsigned level = clopt_node_level(node);
    take_type(node, left->width >= right->width ? left : right);
    if (level == 4 || level == 5 || level == 9 || level == 10) {
        node->bits = 32;
        node->is_signed = true;
        node->scalar = CLOPT_SCALAR_INT;
    }
    return node;
}

/* Parses what binds at least as tightly as `level`. */
static struct clopt_node *parse_expression(struct builder *builder, unsigned level)
{
    struct clopt_node *left = parse_unary(builder);
    while (!builder->failed) {
        struct clopt_token token = peek(builder);
        struct clopt_node probe = {.kind = CLOPT_NODE_BINARY};
        set_operator(&probe, &token);
        unsigned binds = token.kind == CLOPT_TOKEN_OTHER ? clopt_node_level(&probe) : 0;
        if (level <= 2 && is_assignment(&token)) {
            next(builder);
            left = join(builder, CLOPT_NODE_ASSIGN, &token, left, parse_expression(builder, 2));
        } else if (level <= 3 && clopt_token_is(&token, "?")) {
            next(builder);
            struct clopt_node *node = make(builder, CLOPT_NODE_CONDITIONAL);
            adopt(builder, node, left);
            adopt(builder, node, parse_expression(builder, 1));
            expect(builder, ":");
            adopt(builder, node, parse_expression(builder, 3));
            take_type(node, last_child(node));
            left = node;
        } else if (binds && binds >= level && level <= 13) {
            next(builder);
            left = join(builder, CLOPT_NODE_BINARY, &token, left,
                        parse_expression(builder, binds + 1));
        } else {
            break;
        }
    }
    return left;
}

/* ---- statements ---- */

static struct clopt_node *parse_declaration(struct builder *builder,
                                            struct clopt_variable *variable)
{
    struct clopt_node *node = make(builder, CLOPT_NODE_DECLARE);
    struct clopt_node *declarator = make(builder, CLOPT_NODE_DECLARATOR);
    clopt_variable_find_declaration(builder->source, variable);
    declarator->variable = variable;
    if (accept(builder, "=")) {
        adopt(builder, declarator, parse_expression(builder, CLOPT_LEVEL_ARGUMENT));
        declarator->condition = last_child(declarator);
    }
    expect(builder, ";");
    adopt(builder, node, declarator);
    return node;
}

static struct clopt_node *adopt_condition(struct builder *builder, struct clopt_node *node)
{
    expect(builder, "(");
    adopt(builder, node, parse_expression(builder, 1));
    expect(builder, ")");
    return last_child(node);
}

static struct clopt_node *adopt_statement(struct builder *builder, struct clopt_node *node)
{
    adopt(builder, node, parse_statement(builder));
    return last_child(node);
}

static struct clopt_node *parse_if(struct builder *builder)
{
    struct clopt_node *node = make(builder, CLOPT_NODE_IF);
    node->condition = adopt_condition(builder, node);
    node->body = adopt_statement(builder, node);
    if (accept(builder, "else"))
        node->otherwise = adopt_statement(builder, node);
    return node;
}

/* Reads a part of a for's head, and what follows it. */
static struct clopt_node *adopt_part(struct builder *builder, struct clopt_node *node,
                                     const char *close)
{
    if (accept(builder, close))
        return NULL;
    const struct argument *declared = accept_argument(builder, "V");
    struct clopt_token token = peek(builder);
    const struct argument *given = argument_of(builder, &token, "n");
    const struct clopt_node *init = given ? given->pointer : NULL;
    if (given && !init) {
        next(builder);
        expect(builder, close);
        return NULL;
    }
    if (init && !clopt_node_is_expression(init)) {
        next(builder); /* a declaration, which has its semicolon */
        accept(builder, close);
        adopt(builder, node, given->pointer);
    } else if (declared) {
        adopt(builder, node, parse_declaration(builder, declared->pointer));
    } else {
        adopt(builder, node, parse_expression(builder, 1));
        expect(builder, close);
    }
    return last_child(node);
}

static struct clopt_node *parse_for(struct builder *builder)
{
    struct clopt_node *node = make(builder, CLOPT_NODE_FOR);
    expect(builder, "(");
    node->init = adopt_part(builder, node, ";");
    node->condition = adopt_part(builder, node, ";");
    node->step = adopt_part(builder, node, ")");
    node->body = adopt_statement(builder, node);
    return node;
}

static struct clopt_node *parse_while(struct builder *builder)
{
    struct clopt_node *node = make(builder, CLOPT_NODE_WHILE);
    node->condition = adopt_condition(builder, node);
    node->body = adopt_statement(builder, node);
    return node;
}

static struct clopt_node *parse_do(struct builder *builder)
{
    struct clopt_node *node = make(builder, CLOPT_NODE_DO);
    node->body = adopt_statement(builder, node);
    expect(builder, "while");
    node->condition = adopt_condition(builder, node);
    expect(builder, ";");
    return node;
}

static struct clopt_node *parse_compound(struct builder *builder)
{
    struct clopt_node *node = make(builder, CLOPT_NODE_COMPOUND);
    while (!builder->failed && !accept(builder, "}")) {
        struct clopt_token token = peek(builder);
        const char *after = builder->text;
        clopt_token_next(&after);
        const struct argument *list = argument_of(builder, &token, "N");
        builder->failed |= token.kind == CLOPT_TOKEN_END;
        if (list) {
            next(builder);
            adopt_argument(builder, node, list);
        } else {
            adopt_statement(builder, node);
        }
    }
    for (size_t i = 0; i < node->child_count; i++)
        node->children[i]->on_own_line = true;
    return node;
}

/* Statements that take the place of one. */
static struct clopt_node *parse_sequence(struct builder *builder, const struct clopt_token *token)
{
    struct clopt_node *node = make(builder, CLOPT_NODE_COMPOUND);
    node->bare = true;
    adopt_argument(builder, node, argument_of(builder, token, "N"));
    return node;
}

static struct clopt_node *parse_jump(struct builder *builder, const struct clopt_token *word)
{
    bool leaves = clopt_token_is(word, "return");
    enum clopt_node_kind kind = leaves                          ? CLOPT_NODE_RETURN
                                : clopt_token_is(word, "break") ? CLOPT_NODE_BREAK
                                : clopt_token_is(word, "goto")  ? CLOPT_NODE_GOTO
                                                                : CLOPT_NODE_CONTINUE;
    struct clopt_node *node = make(builder, kind);
    if (kind == CLOPT_NODE_GOTO) {
        struct clopt_token label = next(builder);
        node->name = copy_name(builder, label.text, label.length);
    } else if (leaves && *clopt_token_skip_space(builder->text) != ';') {
        adopt(builder, node, parse_expression(builder, 1));
        node->condition = last_child(node);
    }
    expect(builder, ";");
    return node;
}

/* A line such as #pragma unroll 1, and the statement that it is for. */
static struct clopt_node *parse_pragma(struct builder *builder)
{
    struct clopt_node *node = make(builder, CLOPT_NODE_ATTRIBUTED);
    const char *line = clopt_token_skip_space(builder->text);
    size_t length = strcspn(line, "\n");
    node->name = copy_name(builder, line, length);
    builder->text = line + length;
    node->body = adopt_statement(builder, node);
    return node;
}

static struct clopt_node *parse_label(struct builder *builder, const struct clopt_token *name)
{
    struct clopt_node *node = make(builder, CLOPT_NODE_LABEL);
    node->name = copy_name(builder, name->text, name->length);
    expect(builder, ":");
    node->body = adopt_statement(builder, node);
    return node;
}

static bool is_jump(const struct clopt_token *token)
{
    return clopt_token_is(token, "return") || clopt_token_is(token, "break") ||
           clopt_token_is(token, "continue") || clopt_token_is(token, "goto");
}

static struct clopt_node *parse_statement(struct builder *builder)
{
    struct clopt_token token = peek(builder);
    const struct argument *declared = accept_argument(builder, "V");
    const struct argument *given = argument_of(builder, &token, "n");
    if (declared)
        return parse_declaration(builder, declared->pointer);
    if (accept_argument(builder, "N"))
        return parse_sequence(builder, &token);
    if (given && !clopt_node_is_expression(given->pointer)) {
        next(builder);
        return given->pointer;
    }
    if (clopt_token_is(&token, "#"))
        return parse_pragma(builder);
    const char *after = builder->text;
    clopt_token_next(&after);
    if (!given && token.kind == CLOPT_TOKEN_NAME && *clopt_token_skip_space(after) == ':') {
        next(builder);
        return parse_label(builder, &token);
    }
    if (accept(builder, "{"))
        return parse_compound(builder);
    if (accept(builder, "if"))
        return parse_if(builder);
    if (accept(builder, "for"))
        return parse_for(builder);
    if (accept(builder, "while"))
        return parse_while(builder);
    if (accept(builder, "do"))
        return parse_do(builder);
    if (accept(builder, ";"))
        return make(builder, CLOPT_NODE_EMPTY);
    if (is_jump(&token)) {
        next(builder);
        return parse_jump(builder, &token);
    }
    struct clopt_node *node = parse_expression(builder, 1);
    if (!accept(builder, ";"))
        builder->failed |= !given || node != given->pointer;
    return node;
}

/* Whether a pattern is one of a statement. */
static bool is_statement(const struct builder *builder)
{
    static const char *const words[] = {"if", "for", "while", "do", "#", "{"};
    const char *text = builder->text;
    struct clopt_token first = peek(builder);
    if (argument_of(builder, &first, "N"))
        return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (clopt_token_is(&first, words[i]))
            return true;
    size_t length = strlen(text);
    return length && (text[length - 1] == ';' || text[length - 1] == '}');
}

struct clopt_node *clopt_build(struct clopt_source *source, const struct clopt_node *at,
                               const char *pattern, ...)
{
    struct builder builder = {.source = source, .at = at};
    struct clopt_text text = {0};
    va_list arguments;
    va_start(arguments, pattern);
    expand(&builder, &text, pattern, arguments);
    va_end(arguments);
    builder.text = clopt_text_string(&text);
    source->arena.failed |= text.failed;
    struct clopt_node *node = make(&builder, CLOPT_NODE_EMPTY);
    if (!builder.failed)
        node = is_statement(&builder) ? parse_statement(&builder) : parse_expression(&builder, 1);
    builder.failed |= peek(&builder).kind != CLOPT_TOKEN_END;
    if (builder.failed && !source->arena.failed && !source->wrong)
        source->wrong = pattern;
    clopt_text_fini(&text);
    return node;
}
