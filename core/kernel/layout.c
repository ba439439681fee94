/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds where the text of nodes lies: their own, and the gaps that their places have. */
#include "kernel/tree.h"

#include <string.h>

#include "kernel/token.h"

/* The end of the specifiers that all declarators of a statement share. */
static size_t specifiers_end(const char *text, const struct clopt_node *declare)
{
    const char *limit = text + declare->children[0]->name_begin;
    const char *end = text + declare->begin;
    unsigned depth = 0;
    for (const char *at = end; at < limit;) {
        struct clopt_token token = clopt_token_next(&at);
        if (!depth && (clopt_token_is(&token, "*") || token.text >= limit))
            break;
        if (clopt_token_is(&token, "__attribute__")) {
            clopt_token_next(&at);
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

static size_t skip_space(const char *text, size_t at)
{
    return (size_t)(clopt_token_skip_space(text + at) - text);
}

/* Declarators of one statement all begin at its specifiers: each starts after what is before it. */
static void find_declare(const char *text, struct clopt_node *node)
{
    size_t end = specifiers_end(text, node);
    for (size_t i = 0; i < node->child_count; i++) {
        struct clopt_node *declarator = node->children[i];
        size_t begin = skip_space(text, end);
        if (i && text[begin] == ',')
            begin = skip_space(text, begin + 1);
        declarator->text_begin = begin;
        end = declarator->end;
    }
}

static void find_children(const char *text, struct clopt_node *node)
{
    size_t at = node->text_begin;
    if (node->kind == CLOPT_NODE_DECLARE && node->child_count)
        find_declare(text, node);
    for (size_t i = 0; i < node->child_count; i++) {
        struct clopt_node *child = node->children[i];
        if (child->kind != CLOPT_NODE_DECLARATOR)
            child->text_begin = child->begin;
        find_children(text, child);
        child->gap_begin = child->gap_end = SIZE_MAX;
        if (child->text_begin < at)
            continue; /* both are in a macro of OpenCL */
        child->gap_begin = at;
        child->gap_end = child->text_begin;
        at = child->stop > child->end ? child->stop : child->end;
    }
    node->tail_begin = at;
}

void clopt_layout_find(struct clopt_source *source, struct clopt_function *function)
{
    function->body->text_begin = function->body_begin = function->body->begin;
    find_children(source->text, function->body);
}
