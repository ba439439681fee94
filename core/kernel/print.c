/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints nodes as they stand in the text, but for what a printer changes. */
#include <clopt/source.h>

#include <string.h>

#include "kernel/output.h"
#include "kernel/token.h"

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

/* Puts specifiers without a word. */
static void put_without(struct clopt_output *output, const struct clopt_source *source,
                        size_t begin, size_t end, const char *word)
{
    const char *text = source->text;
    for (const char *at = text + begin; at < text + end;) {
        struct clopt_token token = clopt_token_next(&at);
        if (token.text >= text + end)
            break;
        if (clopt_token_is(&token, word))
            continue;
        clopt_output_printf(output, "%.*s ", (int)token.length, token.text);
    }
}

void clopt_print_declarator(const struct clopt_printer *printer, struct clopt_output *output,
                            const struct clopt_node *declarator, bool value)
{
    const struct clopt_node *statement = declarator->parent;
    const struct clopt_variable *variable = declarator->variable;
    size_t shared = statement->children[0]->text_begin;
    size_t end = declarator->end;
    if (!value && declarator->condition) {
        const char *text = printer->source->text;
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
    }
    print_range(printer, output, declarator, declarator->text_begin, end);
    clopt_output_put(output, ";");
}
