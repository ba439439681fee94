/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds nodes from patterns of OpenCL C: a parser of statements and expressions by recursive
 * descent, binary operators by precedence climbing. */
#include <clopt/rewrite.h>

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
    const char *name = clopt_arena_copy(&builder->source->inner->arena, text, length);
    return name ? name : "";
}

void clopt_builder_adopt_list(struct clopt_builder *builder, struct clopt_node *node,
                              const struct clopt_builder_argument *list)
{
    const struct clopt_nodes *nodes = list->pointer;
    for (size_t i = 0; i < nodes->count; i++)
        clopt_node_adopt(builder->source, node, nodes->items[i]);
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
    source->inner->arena.failed |= text.failed;
    struct clopt_node *node = clopt_builder_make(&builder, CLOPT_NODE_EMPTY);
    if (!builder.failed)
        node = clopt_builder_statement(&builder);
    builder.failed |= clopt_builder_peek(&builder).kind != CLOPT_TOKEN_END;
    if (builder.failed && !source->inner->arena.failed && !source->inner->wrong)
        source->inner->wrong = pattern;
    return node;
}
