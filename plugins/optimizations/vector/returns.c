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

/* Whether the statements from number `first` on can follow an else. */
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

static void add_clones(const struct clopt_cloning *cloning, const struct clopt_node *block,
                       size_t first, size_t end, struct clopt_nodes *list)
{
    for (size_t i = first; i < end; i++)
        clopt_nodes_add(cloning->source, list, clopt_clone(cloning, block->children[i]));
}

static bool returns(const struct clopt_node *node)
{
    return is_late(node) || clopt_node_is_early_return(node);
}

/* Adds the statements of the kernel's body from number `first` on to the first that returns. */
static void add_joined(struct clopt_source *source, size_t first, struct clopt_nodes *list);

/* Returns the branch that takes the place of a return of the kernel, with what follows. */
static struct clopt_node *branch(void *user, const struct clopt_node *node)
{
    struct clopt_source *source = user;
    const struct clopt_node *body = clopt_source_kernel(source)->body;
    const struct clopt_cloning cloning = {.source = source};
    struct clopt_nodes work = {0};
    struct clopt_nodes rest = {0};
    size_t i = 0;
    if (node->parent != body || !returns(node))
        return NULL;
    while (body->children[i] != node)
        i++;
    add_joined(source, i + 1, &rest);
    if (!is_late(node))
        return clopt_build(source, node, "if (!$n) { $N }", node->condition, &rest);
    add_clones(&cloning, node->body, 0, node->body->child_count - 1, &work);
    return clopt_build(source, node, "if ($n) { $N } else { $N }", node->condition, &work, &rest);
}

static void add_joined(struct clopt_source *source, size_t first, struct clopt_nodes *list)
{
    const struct clopt_node *body = clopt_source_kernel(source)->body;
    const struct clopt_cloning cloning = {.source = source, .user = source, .node = branch};
    size_t end = first;
    while (end < body->child_count && !returns(body->children[end]))
        end++;
    add_clones(&cloning, body, first, end < body->child_count ? end + 1 : end, list);
}

void returns_join(struct clopt_source *source)
{
    const struct clopt_function *kernel = clopt_source_kernel(source);
    struct clopt_node *body = kernel->body;
    const struct clopt_cloning cloning = {.source = source};
    struct clopt_nodes list = {0};
    size_t first = 0;
    while (first < body->child_count && !is_late(body->children[first]))
        first++;
    if (first == body->child_count || (kernel->effects & CLOPT_EFFECT_GOTO) ||
        !can_join(body, first))
        return;
    add_clones(&cloning, body, 0, first, &list);
    add_joined(source, first, &list);
    clopt_replace(source, body, clopt_build(source, body, "{ $N }", &list));
}
