/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes variables, and finds how they are declared. */

#include "kernel/tree.h"
#include "text/text.h"
#include "text/token.h"

static const char *copy_text(struct clopt_source *source, const char *text)
{
    return clopt_arena_copy(&source->inner->arena, text, strlen(text));
}

const char *clopt_source_take_text(struct clopt_source *source, struct clopt_text *text)
{
    const char *copy = copy_text(source, clopt_text_string(text));
    clopt_text_fini(text);
    return copy;
}

static struct clopt_variable *add_variable(struct clopt_source *source,
                                           const struct clopt_variable *like, const char *name)
{
    struct clopt_variable *variable = clopt_arena_get(&source->inner->arena, sizeof *variable);
    *variable = *like;
    variable->name = name;
    variable->declarator = NULL;
    variable->value = NULL;
    variable->original = NULL;
    variable->is_parameter = false;
    variable->index = source->inner->made_variable_count++ + source->variable_count;
    return variable;
}

/* The text of a variable's type without what a copy of the parameter is not. */
static void put_type(struct clopt_text *before, const char *type, const char *end)
{
    for (const char *at = type; at < end;) {
        struct clopt_token token = clopt_token_next(&at);
        if (token.text < end && !clopt_token_is(&token, "restrict") &&
            !clopt_token_is(&token, "__private") && !clopt_token_is(&token, "__generic"))
            clopt_text_printf(before, "%.*s%s", (int)token.length, token.text,
                              token.kind == CLOPT_TOKEN_NAME ? " " : "");
    }
}

void clopt_variable_find_declaration(struct clopt_source *source, struct clopt_variable *variable)
{
    const struct clopt_node *declarator = variable->declarator;
    struct clopt_text before = {0}, after = {0};
    if (variable->before)
        return;
    if (!declarator) {
        /* A pointer to an array is declared inside of parentheses. */
        const char *type = variable->type;
        const char *inner = strchr(type, '(');
        const char *name = inner && strchr(inner, '*') ? strchr(inner, ')') : NULL;
        put_type(&before, type, name ? name : type + strlen(type));
        clopt_text_append(&after, name ? name : "");
    } else {
        const char *text = source->text;
        const struct clopt_node *declare = declarator->parent;
        const char *end = text + declarator->name_begin;
        const char *close = text + declarator->end;
        clopt_token_next(&end);
        if (declarator->condition) {
            close = end;
            struct clopt_token token = clopt_token_next(&close);
            while (token.kind != CLOPT_TOKEN_END && !clopt_token_is(&token, "="))
                token = clopt_token_next(&close);
            for (close = token.text; close > end && close[-1] == ' ';)
                close--;
        }
        clopt_text_append_bytes(&before, text + declare->begin,
                                declare->children[0]->text_begin - declare->begin);
        clopt_text_append_bytes(&before, text + declarator->text_begin,
                                declarator->name_begin - declarator->text_begin);
        clopt_text_append_bytes(&after, end, (size_t)(close - end));
    }
    variable->before = clopt_source_take_text(source, &before);
    variable->after = clopt_source_take_text(source, &after);
}

struct clopt_variable *clopt_variable_make(struct clopt_source *source, const char *type,
                                           const char *dimensions, const char *format, ...)
{
    struct clopt_variable like = {.width = 1, .is_array = *dimensions != '\0'};
    struct clopt_text wanted = {0}, before = {0};
    va_list arguments;
    va_start(arguments, format);
    clopt_text_vprintf(&wanted, format, arguments);
    va_end(arguments);
    const char *name = clopt_source_free_name(source, clopt_source_take_text(source, &wanted));
    like.type = copy_text(source, type);
    put_type(&before, type, type + strlen(type));
    like.before = clopt_source_take_text(source, &before);
    like.after = copy_text(source, dimensions);
    like.is_pointer = strchr(type, '*') != NULL;
    like.scalar = clopt_scalar_parse(type, &like.width, &like.bits, &like.is_signed);
    return add_variable(source, &like, name);
}

struct clopt_variable *clopt_variable_copy(struct clopt_source *source,
                                           const struct clopt_variable *variable, unsigned number)
{
    struct clopt_variable like = *variable;
    clopt_variable_find_declaration(source, &like);
    return add_variable(source, &like, clopt_source_unique_name(source, variable->name, number));
}

struct clopt_variable *clopt_variable_like(struct clopt_source *source,
                                           const struct clopt_variable *variable, const char *type,
                                           const char *attribute)
{
    struct clopt_variable like = *variable;
    struct clopt_text after = {0};
    clopt_variable_find_declaration(source, &like);
    if (type) {
        like.scalar = clopt_scalar_parse(type, &like.width, &like.bits, &like.is_signed);
        like.before = copy_text(source, type);
    }
    clopt_text_printf(&after, "%s%s", like.after, attribute);
    like.after = clopt_source_take_text(source, &after);
    struct clopt_variable *made = add_variable(source, &like, variable->name);
    made->original = variable->original ? variable->original : variable;
    return made;
}

/* Declares each variable of a statement by a statement of its own. */
static void split_declaration(struct clopt_source *source, struct clopt_node *declare)
{
    for (size_t i = 0; i < declare->child_count; i++) {
        struct clopt_node *declarator = declare->children[i];
        struct clopt_node *own = clopt_build(source, declarator, "$V = $n;", declarator->variable,
                                             declarator->condition);
        if (i + 1 < declare->child_count)
            clopt_insert_before(source, declare, own);
        else
            clopt_replace(source, declare, own);
    }
}

void clopt_variable_resize(struct clopt_source *source, struct clopt_variable *array,
                           const char *dimensions)
{
    struct clopt_node *declare = array->declarator->parent;
    clopt_variable_find_declaration(source, array);
    array->after = copy_text(source, dimensions);
    if (!declare->made && declare->parent)
        split_declaration(source, declare);
}
