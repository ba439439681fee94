/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds nodes from patterns of OpenCL C: a parser of statements and expressions by recursive
 * descent, binary operators by precedence climbing. */

#include "kernel/build_parts.h"
#include "text/text.h"

/* What a pattern has in it in place of an argument: a name that no source has. */
#define ARGUMENT "__clopt_argument_"

/* ---- patterns ---- */

/* Writes the pattern with words in place of arguments. */
static void expand(struct clopt_builder *builder, struct clopt_text *text, const char *pattern,
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
            if (builder->argument_count == CLOPT_MOST_ARGUMENTS) {
                builder->failed = true;
                return;
            }
            clopt_text_printf(text, ARGUMENT "%zu", builder->argument_count);
            builder->arguments[builder->argument_count++] =
                (struct clopt_builder_argument){*at, va_arg(arguments, void *)};
            break;
        default:
            builder->failed = true;
            return;
        }
    }
}

struct clopt_token clopt_builder_peek(const struct clopt_builder *builder)
{
    const char *at = builder->text;
    return clopt_token_next(&at);
}

struct clopt_token clopt_builder_next(struct clopt_builder *builder)
{
    return clopt_token_next(&builder->text);
}

bool clopt_builder_accept(struct clopt_builder *builder, const char *word)
{
    struct clopt_token token = clopt_builder_peek(builder);
    if (!clopt_token_is(&token, word))
        return false;
    clopt_builder_next(builder);
    return true;
}

void clopt_builder_expect(struct clopt_builder *builder, const char *word)
{
    builder->failed |= !clopt_builder_accept(builder, word);
}

const struct clopt_builder_argument *clopt_builder_argument_of(const struct clopt_builder *builder,
                                                               const struct clopt_token *token,
                                                               const char *kinds)
{
    size_t length = strlen(ARGUMENT);
    if (token->length <= length || strncmp(token->text, ARGUMENT, length) != 0)
        return NULL;
    size_t index = strtoul(token->text + length, NULL, 10);
    const struct clopt_builder_argument *argument = &builder->arguments[index];
    return index < builder->argument_count && strchr(kinds, argument->kind) ? argument : NULL;
}

const struct clopt_builder_argument *clopt_builder_accept_argument(struct clopt_builder *builder,
                                                                   const char *kinds)
{
    struct clopt_token token = clopt_builder_peek(builder);
    const struct clopt_builder_argument *argument =
        clopt_builder_argument_of(builder, &token, kinds);
    if (argument)
        clopt_builder_next(builder);
    return argument;
}

/* ---- nodes ---- */

struct clopt_node *clopt_builder_make(struct clopt_builder *builder, enum clopt_node_kind kind)
{
    return clopt_node_new(builder->source, kind, builder->at);
}

const char *clopt_builder_copy_name(struct clopt_builder *builder, const char *text, size_t length)
{
    return clopt_arena_copy(&builder->source->inner->arena, text, length);
}

void clopt_builder_adopt_list(struct clopt_builder *builder, struct clopt_node *node,
                              const struct clopt_builder_argument *list)
{
    const struct clopt_nodes *nodes = list->pointer;
    for (size_t i = 0; i < nodes->count; i++)
        clopt_node_adopt(builder->source, node, nodes->items[i]);
}

/* ---- statements ---- */

/* Parses a statement; an expression that ends the pattern may be one without a semicolon. */
static struct clopt_node *parse_statement(struct clopt_builder *builder);

/* Reads an argument for a node that there is none for. */
static bool accept_nothing(struct clopt_builder *builder)
{
    struct clopt_token token = clopt_builder_peek(builder);
    const struct clopt_builder_argument *given = clopt_builder_argument_of(builder, &token, "n");
    bool nothing = given && !given->pointer;
    if (nothing)
        clopt_builder_next(builder);
    return nothing;
}

static struct clopt_node *parse_declaration(struct clopt_builder *builder,
                                            struct clopt_variable *variable)
{
    struct clopt_node *node = clopt_builder_make(builder, CLOPT_NODE_DECLARE);
    struct clopt_node *declarator = clopt_builder_make(builder, CLOPT_NODE_DECLARATOR);
    clopt_variable_find_declaration(builder->source, variable);
    declarator->variable = variable;
    if (clopt_builder_accept(builder, "=") && !accept_nothing(builder))
        declarator->condition = clopt_node_adopt(
            builder->source, declarator, clopt_builder_expression(builder, CLOPT_LEVEL_ARGUMENT));
    clopt_builder_expect(builder, ";");
    clopt_node_adopt(builder->source, node, declarator);
    return node;
}

static struct clopt_node *adopt_condition(struct clopt_builder *builder, struct clopt_node *node)
{
    clopt_builder_expect(builder, "(");
    struct clopt_node *condition =
        clopt_node_adopt(builder->source, node, clopt_builder_expression(builder, 1));
    clopt_builder_expect(builder, ")");
    return condition;
}

static struct clopt_node *adopt_statement(struct clopt_builder *builder, struct clopt_node *node)
{
    return clopt_node_adopt(builder->source, node, parse_statement(builder));
}

/* Reads what follows `if` or `while`. */
static struct clopt_node *parse_conditional(struct clopt_builder *builder,
                                            enum clopt_node_kind kind)
{
    struct clopt_node *node = clopt_builder_make(builder, kind);
    node->condition = adopt_condition(builder, node);
    node->body = adopt_statement(builder, node);
    if (kind == CLOPT_NODE_IF && clopt_builder_accept(builder, "else"))
        node->otherwise = adopt_statement(builder, node);
    return node;
}

/* Reads the first or second part of a for's head, with its semicolon. */
static struct clopt_node *adopt_part(struct clopt_builder *builder, struct clopt_node *node)
{
    accept_nothing(builder);
    return clopt_builder_accept(builder, ";") ? NULL : adopt_statement(builder, node);
}

static struct clopt_node *parse_for(struct clopt_builder *builder)
{
    struct clopt_node *node = clopt_builder_make(builder, CLOPT_NODE_FOR);
    clopt_builder_expect(builder, "(");
    node->init = adopt_part(builder, node);
    node->condition = adopt_part(builder, node);
    accept_nothing(builder);
    if (!clopt_builder_accept(builder, ")")) {
        node->step = clopt_node_adopt(builder->source, node, clopt_builder_expression(builder, 1));
        clopt_builder_expect(builder, ")");
    }
    node->body = adopt_statement(builder, node);
    return node;
}

static struct clopt_node *parse_do(struct clopt_builder *builder)
{
    struct clopt_node *node = clopt_builder_make(builder, CLOPT_NODE_DO);
    node->body = adopt_statement(builder, node);
    clopt_builder_expect(builder, "while");
    node->condition = adopt_condition(builder, node);
    clopt_builder_expect(builder, ";");
    return node;
}

static struct clopt_node *parse_compound(struct clopt_builder *builder)
{
    struct clopt_node *node = clopt_builder_make(builder, CLOPT_NODE_COMPOUND);
    while (!builder->failed && !clopt_builder_accept(builder, "}")) {
        const struct clopt_builder_argument *list = clopt_builder_accept_argument(builder, "N");
        builder->failed |= clopt_builder_peek(builder).kind == CLOPT_TOKEN_END;
        if (list)
            clopt_builder_adopt_list(builder, node, list);
        else
            adopt_statement(builder, node);
    }
    for (size_t i = 0; i < node->child_count; i++)
        node->children[i]->on_own_line = true;
    return node;
}

/* Statements that take the place of one. */
static struct clopt_node *make_sequence(struct clopt_builder *builder,
                                        const struct clopt_builder_argument *list)
{
    struct clopt_node *node = clopt_builder_make(builder, CLOPT_NODE_COMPOUND);
    node->bare = true;
    clopt_builder_adopt_list(builder, node, list);
    return node;
}

static struct clopt_node *parse_jump(struct clopt_builder *builder, const struct clopt_token *word)
{
    bool leaves = clopt_token_is(word, "return");
    enum clopt_node_kind kind = leaves                          ? CLOPT_NODE_RETURN
                                : clopt_token_is(word, "break") ? CLOPT_NODE_BREAK
                                : clopt_token_is(word, "goto")  ? CLOPT_NODE_GOTO
                                                                : CLOPT_NODE_CONTINUE;
    struct clopt_node *node = clopt_builder_make(builder, kind);
    if (kind == CLOPT_NODE_GOTO) {
        struct clopt_token label = clopt_builder_next(builder);
        node->name = clopt_builder_copy_name(builder, label.text, label.length);
    } else if (leaves && *clopt_token_skip_space(builder->text) != ';') {
        node->condition =
            clopt_node_adopt(builder->source, node, clopt_builder_expression(builder, 1));
    }
    clopt_builder_expect(builder, ";");
    return node;
}

/* A line such as #pragma unroll 1, and the statement that it is for. */
static struct clopt_node *parse_pragma(struct clopt_builder *builder)
{
    struct clopt_node *node = clopt_builder_make(builder, CLOPT_NODE_ATTRIBUTED);
    const char *line = clopt_token_skip_space(builder->text);
    size_t length = strcspn(line, "\n");
    node->name = clopt_builder_copy_name(builder, line, length);
    builder->text = line + length;
    node->body = adopt_statement(builder, node);
    return node;
}

static struct clopt_node *parse_label(struct clopt_builder *builder, const struct clopt_token *name)
{
    struct clopt_node *node = clopt_builder_make(builder, CLOPT_NODE_LABEL);
    node->name = clopt_builder_copy_name(builder, name->text, name->length);
    clopt_builder_expect(builder, ":");
    node->body = adopt_statement(builder, node);
    return node;
}

static struct clopt_node *parse_statement(struct clopt_builder *builder)
{
    const struct clopt_builder_argument *declared = clopt_builder_accept_argument(builder, "V");
    if (declared)
        return parse_declaration(builder, declared->pointer);
    const struct clopt_builder_argument *list = clopt_builder_accept_argument(builder, "N");
    if (list)
        return make_sequence(builder, list);
    struct clopt_token token = clopt_builder_peek(builder);
    const struct clopt_builder_argument *given = clopt_builder_argument_of(builder, &token, "n");
    if (given && !clopt_node_is_expression(given->pointer)) {
        clopt_builder_next(builder);
        clopt_builder_accept(builder, ";");
        return given->pointer;
    }
    if (clopt_token_is(&token, "#"))
        return parse_pragma(builder);
    const char *after = builder->text;
    clopt_token_next(&after);
    if (!given && token.kind == CLOPT_TOKEN_NAME && *clopt_token_skip_space(after) == ':') {
        clopt_builder_next(builder);
        return parse_label(builder, &token);
    }
    if (clopt_builder_accept(builder, "{"))
        return parse_compound(builder);
    if (clopt_builder_accept(builder, "if"))
        return parse_conditional(builder, CLOPT_NODE_IF);
    if (clopt_builder_accept(builder, "for"))
        return parse_for(builder);
    if (clopt_builder_accept(builder, "while"))
        return parse_conditional(builder, CLOPT_NODE_WHILE);
    if (clopt_builder_accept(builder, "do"))
        return parse_do(builder);
    if (clopt_builder_accept(builder, ";"))
        return clopt_builder_make(builder, CLOPT_NODE_EMPTY);
    if (clopt_token_is(&token, "return") || clopt_token_is(&token, "break") ||
        clopt_token_is(&token, "continue") || clopt_token_is(&token, "goto")) {
        clopt_builder_next(builder);
        return parse_jump(builder, &token);
    }
    struct clopt_node *node = clopt_builder_expression(builder, 1);
    bool alone = given && node == given->pointer;
    if (!clopt_builder_accept(builder, ";") && !alone)
        builder->failed |= clopt_builder_peek(builder).kind != CLOPT_TOKEN_END;
    return node;
}

/* ---- the whole ---- */

struct clopt_node *clopt_build(struct clopt_source *source, const struct clopt_node *at,
                               const char *pattern, ...)
{
    struct clopt_builder builder = {.source = source, .at = at};
    CLOPT_OWNED(clopt_text) text = {0};
    va_list arguments;
    va_start(arguments, pattern);
    expand(&builder, &text, pattern, arguments);
    va_end(arguments);
    builder.text = clopt_text_string(&text);
    struct clopt_node *node =
        builder.failed ? clopt_builder_make(&builder, CLOPT_NODE_EMPTY) : parse_statement(&builder);
    builder.failed |= clopt_builder_peek(&builder).kind != CLOPT_TOKEN_END;
    if (builder.failed && !source->inner->wrong)
        source->inner->wrong = pattern;
    return node;
}
