/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes branches of returns that have something to do before. */
#include "returns.h"

#include <string.h>

/* Whether a node is `if (c) { work; return; }`. */
static bool is_late(const struct clopt_node *node)
{
    if (node->kind != CLOPT_NODE_IF || node->otherwise || node->body->kind != CLOPT_NODE_COMPOUND ||
        node->body->child_count < 2)
        return false;
    const struct clopt_node *block = node->body;
    for (size_t i = 0; i + 1 < block->child_count; i++)
        if (clopt_node_holds_return(block->children[i]))
            return false;
    return block->children[block->child_count - 1]->kind == CLOPT_NODE_RETURN;
}

/* Whether a statement declares local memory, which only the kernel's own block may do. */
static bool is_local(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_DECLARE && node->child_count &&
           node->children[0]->variable->space == CLOPT_SPACE_LOCAL;
}

/* Whether the statements from number `first` on can stand behind an else. */
static bool can_join(const struct clopt_node *body, size_t first)
{
    for (size_t i = first; i < body->child_count; i++) {
        const struct clopt_node *node = body->children[i];
        if (clopt_node_find_collective(node) || is_local(node))
            return false;
        if (clopt_node_holds_return(node) && !is_late(node) && !clopt_node_is_early_return(node))
            return false;
    }
    return true;
}

/* Puts the statements from number `first` on. */
static void put_joined(const struct clopt_source *source, struct clopt_output *output,
                       const struct clopt_node *body, size_t first)
{
    size_t open = 0;
    size_t at = body->children[first]->begin;
    for (size_t i = first; i < body->child_count; i++) {
        const struct clopt_node *node = body->children[i];
        const struct clopt_node *block = node->body;
        if (is_late(node)) {
            clopt_output_copy(output, source, at, block->children[block->child_count - 2]->stop);
            clopt_output_put(output, "\n} else {");
        } else if (clopt_node_is_early_return(node)) {
            clopt_output_copy(output, source, at, node->begin);
            clopt_output_put(output, "if (!(");
            clopt_output_copy(output, source, node->condition->begin, node->condition->end);
            clopt_output_put(output, ")) {");
        } else {
            continue;
        }
        open++;
        at = node->stop;
    }
    clopt_output_copy(output, source, at, body->end - 1);
    for (; open; open--)
        clopt_output_put(output, "}\n");
}

bool returns_join(const struct clopt_source *source, struct clopt_output *output)
{
    const struct clopt_function *kernel = clopt_source_kernel(source);
    const struct clopt_node *body = kernel->body;
    size_t first = 0;
    while (first < body->child_count && !is_late(body->children[first]))
        first++;
    if (first == body->child_count || (kernel->effects & CLOPT_EFFECT_GOTO) ||
        !can_join(body, first))
        return false;
    clopt_output_copy(output, source, 0, kernel->begin);
    size_t from = clopt_output_length(output);
    clopt_output_copy(output, source, kernel->begin, body->children[first]->begin);
    put_joined(source, output, body, first);
    clopt_output_indent(output, from);
    clopt_output_copy(output, source, body->end - 1, strlen(clopt_source_text(source)));
    return true;
}
