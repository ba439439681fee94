/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations and expressions, one for each merged work-item, and returns that only some take. */
#include "replication.h"

struct clopt_node *replication_join(struct replication *replication, struct clopt_node *left,
                                    const char *op, struct clopt_node *right)
{
    if (!left || !right)
        return left ? left : right;
    return clopt_build(replication->coarsening.source, left, "$n $s $n", left, op, right);
}

struct clopt_node *replication_join_all(struct replication *replication,
                                        const struct clopt_node *node, const char *op)
{
    struct clopt_node *joined = NULL;
    unsigned count = replication_diverges(replication, node) ? replication->coarsening.factor : 1;
    for (unsigned r = 0; r < count; r++)
        joined =
            replication_join(replication, joined, op, replication_replica(replication, node, r));
    return joined;
}

/* ---- what differs ---- */

static bool is_region(void *user, const struct clopt_node *statement)
{
    const struct replication *replication = user;
    return clopt_node_is_region(replication->divergence, statement);
}

static bool is_several(void *user, const struct clopt_variable *variable)
{
    const struct replication *replication = user;
    return clopt_variable_diverges(replication->divergence, variable);
}

/* ---- declarations ---- */

static void add_declarations(void *user, const struct clopt_node *node, struct clopt_nodes *made)
{
    struct replication *replication = user;
    struct clopt_coarsening *coarsening = &replication->coarsening;
    bool any = false;
    for (size_t i = 0; i < node->child_count; i++)
        any |= is_several(replication, node->children[i]->variable);
    for (size_t i = 0; any && i < node->child_count; i++) {
        const struct clopt_node *declarator = node->children[i];
        const struct clopt_node *value = declarator->condition;
        bool each = is_several(replication, declarator->variable);
        for (unsigned r = 0; r < (each ? coarsening->factor : 1); r++)
            clopt_nodes_put(coarsening->source, made, declarator, "$V = $n;",
                            clopt_coarsening_variable(coarsening, declarator->variable, r),
                            value ? clopt_coarsening_replica(coarsening, value, r) : NULL);
    }
}

/* ---- expressions ---- */

/* Appends an expression for each replica, or once if they all agree on it. The parts of a comma
 * expression, which come one after the other anyhow, are looked at one by one. */
static void add_each(struct replication *replication, const struct clopt_node *node,
                     struct clopt_nodes *made)
{
    bool diverges = replication_diverges(replication, node);
    if (diverges && clopt_node_is_operator(node, ",")) {
        add_each(replication, node->children[0], made);
        add_each(replication, node->children[1], made);
        return;
    }
    for (unsigned r = 0; r < (diverges ? replication->coarsening.factor : 1); r++)
        clopt_nodes_add(replication->coarsening.source, made,
                        replication_replica(replication, node, r));
}

static void add_expressions(void *user, const struct clopt_node *node, struct clopt_nodes *made)
{
    struct replication *replication = user;
    if (replication_diverges(replication, node))
        add_each(replication, node, made);
}

/* ---- returns that only some take ---- */

/* Makes a return that all replicas take or none of them does. All compute a condition that writes
 * something. */
static struct clopt_node *make_common_return(struct replication *replication,
                                             const struct clopt_node *node)
{
    struct clopt_source *source = replication->coarsening.source;
    const struct clopt_node *condition = node->condition;
    if (!(clopt_node_effects(condition) & ~(unsigned)CLOPT_EFFECT_MEMORY_READ))
        return clopt_build(source, node, "if ($n) return;",
                           replication_join_all(replication, condition, "&&"));
    struct clopt_node *any_stays = NULL;
    for (unsigned r = 0; r < replication->coarsening.factor; r++)
        any_stays = replication_join(
            replication, any_stays, "|",
            clopt_build(source, node, "!$n", replication_replica(replication, condition, r)));
    return clopt_build(source, node, "if (!$n) return;", any_stays);
}

/* Makes a divergent region: a return that is taken where all replicas take it, if they meet again
 * after it, or a branch. NULL: one replica after the other. */
static struct clopt_node *make_region(void *user, const struct clopt_node *node)
{
    struct replication *replication = user;
    const struct clopt_node *body = node->parent;
    bool common = !body->parent && clopt_node_is_early_return(node) &&
                  clopt_node_find_collective(body, clopt_node_position(node) + 1);
    return common ? make_common_return(replication, node) : fuse_if(replication, node);
}

/* ---- groups past the last one ---- */

/* Whether a node asks whether the group is there. */
static bool asks(const struct clopt_merge *merge, const struct clopt_node *node)
{
    return clopt_node_is_operator(node, "<") &&
           clopt_node_dimension(node->children[0], "get_group_id") == merge->dimension &&
           clopt_node_dimension(node->children[1], "get_num_groups") == merge->dimension;
}

/* The first of merged groups is there in any case: what is guarded by that it does. */
static struct clopt_node *make_first(void *user, const struct clopt_node *node, unsigned replica)
{
    struct replication *replication = user;
    const struct clopt_merge *merge = &replication->coarsening.merging->merge;
    bool guards = node->kind == CLOPT_NODE_IF || node->kind == CLOPT_NODE_CONDITIONAL ||
                  clopt_node_is_operator(node, "&&");
    if (replica || !merge->groups)
        return NULL;
    if (guards && asks(merge, node->children[0]))
        return replication_replica(replication, node->children[1], 0);
    return asks(merge, node) ? clopt_build(replication->coarsening.source, node, "1") : NULL;
}

static struct clopt_node *make_node(void *user, const struct clopt_node *node, unsigned replica)
{
    struct replication *replication = user;
    struct clopt_node *made =
        replication->fused ? NULL : clopt_dealing_merge(&replication->coarsening, node);
    return made ? made : make_first(user, node, replica);
}

/* ---- the kernel ---- */

enum clopt_status replicate_kernel(struct replication *replication, struct clopt_error *error)
{
    static const struct clopt_coarsening_policy policy = {
        .is_region = is_region,
        .is_several = is_several,
        .region = make_region,
        .declare = add_declarations,
        .expression = add_expressions,
        .node = make_node,
    };
    struct clopt_coarsening *coarsening = &replication->coarsening;
    coarsening->policy = &policy;
    coarsening->user = replication;
    coarsening->factor = coarsening->merging->merge.factor;
    clopt_coarsening_init(coarsening);
    return clopt_coarsening_kernel(coarsening, replication->divergence, error);
}
