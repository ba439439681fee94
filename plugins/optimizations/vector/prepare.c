/* SPDX-License-Identifier: BSD-3-Clause */
/* Prepares a kernel whose work-items become lanes. */
#include <clopt/coarsen.h>
#include <clopt/loop.h>

#include "vector.h"

/* ---- variables that are declared where they are used ---- */

static bool names(const struct clopt_node *node, const struct clopt_variable *variable)
{
    return clopt_node_search(node, clopt_node_names, variable);
}

/* Whether each use of a variable below a node follows an assignment in its own block, which may
 * become its declaration, or is covered by one in a for's head; adds these assignments. */
static bool find_assignments(struct clopt_source *source, const struct clopt_node *node,
                             const struct clopt_variable *variable, struct clopt_nodes *assignments)
{
    bool block = node->kind == CLOPT_NODE_COMPOUND;
    if (!names(node, variable))
        return true;
    if (!block && node->kind != CLOPT_NODE_IF && !clopt_node_is_loop(node) &&
        node->kind != CLOPT_NODE_ATTRIBUTED)
        return false;
    for (size_t i = 0; i < node->child_count; i++) {
        struct clopt_node *child = node->children[i];
        if ((block || child == node->init) && clopt_node_sets(child, variable)) {
            clopt_nodes_add(source, assignments, child);
            return true;
        }
        bool statement = block || child == node->body || child == node->otherwise;
        if (statement ? !find_assignments(source, child, variable, assignments)
                      : names(child, variable))
            return false;
    }
    return true;
}

/* Declares a variable of the kernel where it is used; false where that cannot be. */
static bool move(struct clopt_source *source, struct clopt_variable *variable)
{
    const struct clopt_node *declarator = variable->declarator;
    const struct clopt_node *block = declarator ? declarator->parent->parent : NULL;
    struct clopt_nodes assignments = {0};
    bool moves = block && block->kind == CLOPT_NODE_COMPOUND && !declarator->condition &&
                 variable->function == source->kernel && variable->space == CLOPT_SPACE_PRIVATE &&
                 (variable->scalar != CLOPT_SCALAR_NONE || variable->is_pointer) &&
                 !variable->is_array && !variable->is_record && !variable->is_volatile &&
                 !(variable->uses & CLOPT_ADDRESS) &&
                 find_assignments(source, block, variable, &assignments);
    for (size_t i = 0; moves && i < assignments.count; i++)
        clopt_replace_by(source, assignments.items[i], "$V = $n;", variable,
                         assignments.items[i]->children[1]);
    return moves;
}

void declaration_split(struct clopt_source *source, const bool *moves, struct clopt_node *statement)
{
    for (size_t i = 0; i < statement->child_count; i++) {
        const struct clopt_node *declarator = statement->children[i];
        if (!moves[declarator->variable->index])
            clopt_insert_before(source, statement,
                                clopt_build(source, statement, "$V = $n;", declarator->variable,
                                            declarator->condition));
    }
    clopt_remove(source, statement);
}

static void localize(struct clopt_source *source)
{
    size_t count = source->kernel->effects & CLOPT_EFFECT_GOTO ? 0 : source->variable_count;
    bool *moves = clopt_source_table(source, count, sizeof *moves);
    for (size_t i = 0; i < count; i++)
        moves[i] = move(source, source->variables[i]);
    for (size_t i = 0; i < count; i++) {
        const struct clopt_variable *variable = source->variables[i];
        if (moves[i] && variable->declarator->parent->parent)
            declaration_split(source, moves, variable->declarator->parent);
    }
}

/* ---- the whole ---- */

enum clopt_status source_prepare(const struct clopt_transform *transform, unsigned width,
                                 struct clopt_source **source, struct clopt_error *error)
{
    const struct clopt_identity lanes = {.local_id = true, .block = width};
    bool masked;
    enum clopt_status status =
        clopt_transform_parse_inlined(transform, CLOPT_INLINE_ALL, source, error);
    if (status == CLOPT_INFEASIBLE) /* what can remain a call does then */
        status = clopt_transform_parse_inlined(transform, CLOPT_INLINE_BARRIERS, source, error);
    if (status)
        return status;
    CLOPT_TRY(clopt_returns_join(transform, source, lanes, error));
    CLOPT_TRY(clopt_jumps_mask(transform, source, lanes, &masked, error));
    clopt_scalars_replace(*source, NULL);
    clopt_exchanges_replace(*source);
    CLOPT_TRY(clopt_source_reread(transform, source, error));
    localize(*source);
    return clopt_source_reread(transform, source, error);
}
