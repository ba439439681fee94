/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes one list of statements of blocks that follow each other, as unrolled loops leave them, so
 * that what they load is seen together: { int u = x + 1; s += in[u]; } becomes s += in[x + 1]. */
#include <clopt/rewrite.h>

#include "vector.h"

#define MOST_NODES 12 /* of an index that takes the place of its name */

/* ---- names of indices ---- */

/* Whether an expression is a sum or product of numbers and of variables that do not change in a
 * block: also of counters of loops around it. */
static bool is_index(const struct clopt_node *node, const struct clopt_node *block)
{
    const struct clopt_variable *variable = node->variable;
    bool computes = node->kind == CLOPT_NODE_PAREN ||
                    ((node->kind == CLOPT_NODE_BINARY || node->kind == CLOPT_NODE_UNARY) &&
                     (clopt_node_is_operator(node, "+") || clopt_node_is_operator(node, "-") ||
                      (clopt_node_is_operator(node, "*") && node->kind == CLOPT_NODE_BINARY)));
    if (node->kind == CLOPT_NODE_VARIABLE)
        return (!variable->changed || (!(variable->uses & CLOPT_ADDRESS) &&
                                       !(clopt_node_uses(block, variable) & CLOPT_WRITE))) &&
               variable->space == CLOPT_SPACE_PRIVATE && variable->bits && !variable->is_volatile;
    for (size_t i = 0; i < node->child_count; i++)
        if (!is_index(node->children[i], block))
            return false;
    return computes || node->kind == CLOPT_NODE_LITERAL;
}

static bool is_block_among_others(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_COMPOUND && node->parent &&
           node->parent->kind == CLOPT_NODE_COMPOUND;
}

/* Whether a variable of a block only names an index: it has one value, and is used as one. */
static bool is_name(const struct clopt_source *source, const struct clopt_variable *variable)
{
    const struct clopt_node *declarator = variable->declarator;
    const struct clopt_node *value = declarator ? declarator->condition : NULL;
    return value && variable->function == source->kernel && !variable->changed &&
           !variable->is_volatile && variable->is_signed && variable->bits >= 32 &&
           value->is_signed && value->bits == variable->bits &&
           is_block_among_others(declarator->parent->parent) &&
           is_index(value, declarator->parent->parent) && clopt_node_count(value) <= MOST_NODES;
}

static void put_value(struct clopt_source *source, struct clopt_node *node,
                      const struct clopt_variable *variable)
{
    if (clopt_node_names(node, variable)) {
        clopt_replace_by(source, node, "$n", variable->declarator->condition);
        return;
    }
    for (size_t i = 0; i < node->child_count; i++)
        put_value(source, node->children[i], variable);
}

/* Puts values in place of names that blocks declare. */
static void put_values(struct clopt_source *source)
{
    size_t count = source->variable_count;
    bool *names = clopt_source_table(source, count, sizeof *names);
    for (size_t i = 0; i < count; i++)
        names[i] = is_name(source, source->variables[i]);
    for (size_t i = 0; i < count; i++)
        if (names[i])
            put_value(source, source->variables[i]->declarator->parent->parent,
                      source->variables[i]);
    for (size_t i = 0; i < count; i++)
        if (names[i] && source->variables[i]->declarator->parent->parent)
            declaration_split(source, names, source->variables[i]->declarator->parent);
}

/* ---- blocks ---- */

/* A block whose statements take its place, with variables under names of their own. */
struct dissolving {
    struct clopt_source *source;
    const struct clopt_node *block;
    unsigned number;                /* of the block */
    struct clopt_variable **copies; /* by variable */
    size_t count;                   /* of variables that were read */
};

static struct clopt_variable *copy_variable(void *user, const struct clopt_variable *variable)
{
    const struct dissolving *dissolving = user;
    if (variable->index >= dissolving->count || !variable->declarator ||
        variable->declarator->parent->parent != dissolving->block)
        return NULL;
    struct clopt_variable **copy = &dissolving->copies[variable->index];
    if (!*copy)
        *copy = clopt_variable_copy(dissolving->source, variable, dissolving->number);
    return *copy;
}

static void dissolve(struct dissolving *dissolving, struct clopt_node *node)
{
    for (size_t i = 0; i < node->child_count; i++)
        dissolve(dissolving, node->children[i]);
    if (!is_block_among_others(node))
        return;
    const struct clopt_cloning cloning = {
        .source = dissolving->source, .user = dissolving, .variable = copy_variable};
    struct clopt_nodes statements = {0};
    dissolving->block = node;
    dissolving->number++;
    clopt_nodes_add_body(&cloning, &statements, node);
    clopt_replace_by(dissolving->source, node, "$N", &statements);
}

enum clopt_status source_straighten(const struct clopt_transform *transform,
                                    struct clopt_source **source, struct clopt_error *error)
{
    put_values(*source);
    CLOPT_TRY(clopt_source_reread(transform, source, error));
    size_t count = (*source)->variable_count;
    struct dissolving dissolving = {.source = *source, .count = count};
    dissolving.copies = clopt_source_table(*source, count, sizeof(struct clopt_variable *));
    if (!((*source)->kernel->effects & CLOPT_EFFECT_GOTO))
        dissolve(&dissolving, (*source)->kernel->body);
    return clopt_source_reread(transform, source, error);
}
