/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints nodes as they stand in the text, but for what a printer changes. */
#include <clopt/source.h>

#include <string.h>

#include "source/token.h"

static const char *name_of(const struct clopt_printer *printer,
                           const struct clopt_variable *variable)
{
    const char *name = printer->name ? printer->name(printer->user, variable) : NULL;
    return name ? name : variable->name;
}

static void print_range(const struct clopt_printer *printer, struct clopt_output *output,
                        const struct clopt_node *node, size_t at, size_t end);

void clopt_print(const struct clopt_printer *printer, struct clopt_output *output,
                 const struct clopt_node *node)
{
    clopt_output_mark(output, printer->source, node->begin);
    if (printer->replace && printer->replace(printer->user, output, node))
        return;
    if (node->kind == CLOPT_NODE_VARIABLE)
        clopt_output_put(output, name_of(printer, node->variable));
    else
        print_range(printer, output, node, node->begin,
                    node->stop > node->end ? node->stop : node->end);
}

/* Prints the text from `at` to `end`, with the children that start in it. */
static void print_range(const struct clopt_printer *printer, struct clopt_output *output,
                        const struct clopt_node *node, size_t at, size_t end)
{
    bool named = node->kind != CLOPT_NODE_DECLARATOR || at > node->name_begin;
    for (size_t i = 0; i <= node->child_count; i++) {
        const struct clopt_node *child = i < node->child_count ? node->children[i] : NULL;
        size_t next = child ? child->begin : end;
        if (!named && next > node->name_begin) {
            clopt_output_copy(output, printer->source, at, node->name_begin);
            clopt_output_put(output, name_of(printer, node->variable));
            at = node->name_begin + strlen(node->variable->name);
            named = true;
        }
        if (!child || child->begin >= end)
            break;
        if (child->begin < at)
            continue; /* a macro of OpenCL stands for both */
        clopt_output_copy(output, printer->source, at, child->begin);
        clopt_print(printer, output, child);
        at = child->stop > child->end ? child->stop : child->end;
    }
    clopt_output_copy(output, printer->source, at, end);
}

/* The end of the specifiers that all declarators of a statement share. */
static size_t specifiers_end(const struct clopt_source *source, const struct clopt_node *statement)
{
    const char *text = clopt_source_text(source);
    const char *limit = text + statement->children[0]->name_begin;
    const char *end = text + statement->begin;
    unsigned depth = 0;
    for (const char *at = end; at < limit;) {
        struct clopt_token token = clopt_token_next(&at);
        bool attribute = clopt_token_is(&token, "__attribute__");
        if (!depth && (clopt_token_is(&token, "*") || token.text >= limit))
            break;
        if (attribute) {
            token = clopt_token_next(&at);
            depth++;
        } else if (clopt_token_is(&token, "(")) {
            if (!depth)
                break;
            depth++;
        } else if (clopt_token_is(&token, ")") && depth) {
            depth--;
        }
        end = at;
    }
    return (size_t)(end - text);
}

/* Puts specifiers without a word. */
static void put_without(struct clopt_output *output, const struct clopt_source *source,
                        size_t begin, size_t end, const char *word)
{
    const char *text = clopt_source_text(source);
    for (const char *at = text + begin; at < text + end;) {
        struct clopt_token token = clopt_token_next(&at);
        if (token.text >= text + end)
            break;
        if (clopt_token_is(&token, word))
            continue;
        clopt_output_printf(output, "%.*s ", (int)token.length, token.text);
    }
}

/* Where a declarator's own text starts: behind the specifiers, or behind the comma before it. */
static size_t own_begin(const struct clopt_printer *printer, const struct clopt_node *statement,
                        const struct clopt_node *declarator)
{
    const char *text = clopt_source_text(printer->source);
    if (statement->children[0] == declarator) {
        const char *at = text + specifiers_end(printer->source, statement);
        return (size_t)(clopt_token_skip_space(at) - text);
    }
    size_t i = 1;
    while (statement->children[i] != declarator)
        i++;
    const char *at = clopt_token_skip_space(text + statement->children[i - 1]->end);
    at += *at == ',';
    return (size_t)(clopt_token_skip_space(at) - text);
}

void clopt_print_declarator(const struct clopt_printer *printer, struct clopt_output *output,
                            const struct clopt_node *declarator, bool value)
{
    const struct clopt_node *statement = declarator->parent;
    const struct clopt_variable *variable = declarator->variable;
    size_t shared = specifiers_end(printer->source, statement);
    size_t own = own_begin(printer, statement, declarator);
    size_t end = declarator->end;
    if (!value && declarator->condition) {
        const char *text = clopt_source_text(printer->source);
        end = declarator->name_begin + strlen(variable->name);
        const char *at = text + end;
        /* Keep the sizes of an array. */
        while (*clopt_token_skip_space(at) == '[') {
            unsigned depth = 0;
            do {
                struct clopt_token token = clopt_token_next(&at);
                depth += clopt_token_is(&token, "[");
                depth -= clopt_token_is(&token, "]");
            } while (depth && *at);
            end = (size_t)(at - text);
        }
    }
    if (!value && !variable->is_pointer) {
        put_without(output, printer->source, statement->begin, shared, "const");
    } else {
        clopt_output_copy(output, printer->source, statement->begin, shared);
        clopt_output_put(output, " ");
    }
    print_range(printer, output, declarator, own, end);
    clopt_output_put(output, ";");
}
