/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes branches of returns that have something to do before. */
#include "returns.h"

#include <clopt/rewrite.h>

/* Whether a node is `if (c) { work; return; }`. */
static bool is_late(const struct clopt_node *node)
{
    if (node->kind != CLOPT_NODE_IF || node->otherwise || node->body->kind != CLOPT_NODE_COMPOUND ||
        node->body->child_count < 2)
        return false;
    const struct clopt_node *block = node->body;
    for (size_t i = 0; i + 1 < block->child_count; i++)
        if (clopt_node_find(block->children[i], CLOPT_NODE_RETURN))
            return false;
    return block->children[block->child_count - 1]->kind == CLOPT_NODE_RETURN;
}

static bool returns(const struct clopt_node *node)
{
    return is_late(node) || clopt_node_is_early_return(node);
}

/* Whether the statements from number `first` on can follow an else. */
static bool can_join(const struct clopt_node *body, size_t first)
{
    for (size_t i = first; i < body->child_count; i++) {
        const struct clopt_node *node = body->children[i];
        if (clopt_node_find_effect(node, CLOPT_EFFECT_COLLECTIVE) ||
            clopt_node_declares_local(node) ||
            (clopt_node_find(node, CLOPT_NODE_RETURN) && !returns(node)))
            return false;
    }
    return true;
}

/* Makes a branch of statement number `index`, which returns, with what follows it. */
static void join(struct clopt_source *source, struct clopt_node *body, size_t index)
{
    struct clopt_node *node = body->children[index];
    struct clopt_node *work = node->body;
    struct clopt_nodes rest = {0};
    bool late = is_late(node);
    for (size_t i = index + 1, count = body->child_count; i < body->child_count;) {
        clopt_nodes_add(source, &rest, clopt_remove(source, body->children[i]));
        i += body->child_count == count; /* what is left holds a comment */
        count = body->child_count;
    }
    if (late)
        clopt_remove(source, work->children[work->child_count - 1]);
    clopt_replace(
        source, node,
        late ? clopt_build(source, node, "if ($n) $n else { $N }", node->condition, work, &rest)
             : clopt_build(source, node, "if (!$n) { $N }", node->condition, &rest));
}

void returns_join(struct clopt_source *source)
{
    const struct clopt_function *kernel = source->kernel;
    struct clopt_node *body = kernel->body;
    size_t first = 0;
    while (first < body->child_count && !is_late(body->children[first]))
        first++;
    if ((kernel->effects & CLOPT_EFFECT_GOTO) || !can_join(body, first))
        return;
    for (size_t i = body->child_count; i-- > first;)
        if (returns(body->children[i]))
            join(source, body, i);
}
