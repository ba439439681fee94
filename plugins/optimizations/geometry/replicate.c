/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations and expressions, one for each merged work-item. */
#include "replication.h"

#include <string.h>

struct clopt_node *replication_join(struct replication *replication, struct clopt_node *left,
                                    const char *op, struct clopt_node *right)
{
    if (!left || !right)
        return left ? left : right;
    return clopt_build(replication->coarsening.source, left, "$n $s $n", left, op, right);
}

/* ---- who is there ---- */

/* The variable that says whether a replica is still there; NULL: it is. */
static struct clopt_variable *flag_of(const struct replication *replication, unsigned replica)
{
    return replication->active ? replication->active[replica] : NULL;
}

struct clopt_node *replication_counts(const struct replication *replication, unsigned replica)
{
    const struct clopt_merge *request = &replication->coarsening.merging->merge;
    struct clopt_source *source = replication->coarsening.source;
    return clopt_build(source, source->kernel->body, "$u * get_group_id($u) + $u < $v",
                       request->factor, request->dimension, replica,
                       replication->coarsening.merging->count);
}

static struct clopt_node *is_active(void *user, unsigned replica)
{
    const struct replication *replication = user;
    struct clopt_source *source = replication->coarsening.source;
    struct clopt_variable *flag = flag_of(replication, replica);
    if (replication->counted)
        return replica ? replication_counts(replication, replica) : NULL;
    return flag ? clopt_build(source, NULL, "$v", flag) : NULL;
}

/* ---- what differs ---- */

/* Whether evaluating an expression does more than to compute from variables. */
static bool has_effects(const struct clopt_node *node)
{
    return clopt_node_effects(node) & ~(unsigned)CLOPT_EFFECT_PRIVATE_WRITE;
}

static bool is_region(void *user, const struct clopt_node *statement)
{
    const struct replication *replication = user;
    return clopt_node_is_region(replication->divergence, statement);
}

/* Where groups do their work one after the other, a parameter is to each what it was at first. */
static bool is_several(void *user, const struct clopt_variable *variable)
{
    const struct replication *replication = user;
    bool changes = variable->is_parameter && (variable->uses & CLOPT_WRITE);
    return clopt_variable_diverges(replication->divergence, variable) ||
           (replication->counted && changes);
}

/* ---- declarations ---- */

/* Makes a value of a list, for a replica that may have left 0. */
static struct clopt_node *make_guarded(void *user, const struct clopt_node *node, unsigned replica)
{
    struct replication *replication = user;
    struct clopt_source *source = replication->coarsening.source;
    struct clopt_variable *guard = replication->guard;
    bool value = node->parent && node->parent->kind == CLOPT_NODE_LIST &&
                 clopt_node_is_expression(node) && node->kind != CLOPT_NODE_LIST;
    if (!guard || !value || !has_effects(node))
        return NULL;
    if (node->is_record || node->is_array)
        replication->unguarded = node;
    replication->guard = NULL;
    struct clopt_node *clone = replication_replica(replication, node, replica);
    replication->guard = guard;
    if (node->width > 1)
        return clopt_build(source, node, "$v ? $n : ($s$u)(0)", guard, clone,
                           clopt_scalar_name(node->scalar), node->width);
    return clopt_build(source, node, "$v ? $n : 0", guard, clone);
}

/* Appends a declaration for one replica. One that has left must not read memory, where it may not
 * have been allowed to. */
static void declare_one(struct replication *replication, const struct clopt_node *declarator,
                        unsigned replica, struct clopt_nodes *made)
{
    struct clopt_coarsening *coarsening = &replication->coarsening;
    struct clopt_source *source = coarsening->source;
    const struct clopt_node *value = declarator->condition;
    struct clopt_variable *variable =
        clopt_coarsening_variable(coarsening, declarator->variable, replica);
    struct clopt_variable *flag = flag_of(replication, replica);
    bool split = flag && value && value->kind != CLOPT_NODE_LIST && !variable->is_array &&
                 has_effects(value);
    replication->guard = flag;
    struct clopt_node *initial =
        value ? clopt_coarsening_replica(coarsening, value, replica) : NULL;
    replication->guard = NULL;
    if (!value || split)
        clopt_nodes_put(source, made, declarator, "$V;", variable);
    else
        clopt_nodes_put(source, made, declarator, "$V = $n;", variable, initial);
    if (split)
        clopt_nodes_put(source, made, declarator, "if ($v) $v = $n;", flag, variable, initial);
}

static void add_declarations(void *user, const struct clopt_node *node, struct clopt_nodes *made)
{
    struct replication *replication = user;
    bool any = false;
    for (size_t i = 0; i < node->child_count; i++)
        any |= is_several(replication, node->children[i]->variable);
    for (size_t i = 0; any && i < node->child_count; i++) {
        bool each = is_several(replication, node->children[i]->variable);
        for (unsigned r = 0; r < (each ? replication->coarsening.factor : 1); r++)
            declare_one(replication, node->children[i], r, made);
    }
}

/* ---- expressions ---- */

/* Appends an expression for each replica, or once if they all agree on it. The parts of a comma
 * expression, which come one after the other anyhow, are looked at one by one. */
static void add_each(struct replication *replication, const struct clopt_node *node, bool in_head,
                     struct clopt_nodes *made)
{
    struct clopt_source *source = replication->coarsening.source;
    bool diverges = replication_diverges(replication, node);
    if (diverges && clopt_node_is_operator(node, ",")) {
        add_each(replication, node->children[0], in_head, made);
        add_each(replication, node->children[1], in_head, made);
        return;
    }
    if (diverges && in_head && replication->active && has_effects(node))
        replication->unguarded = node;
    for (unsigned r = 0; r < (diverges ? replication->coarsening.factor : 1); r++) {
        struct clopt_node *clone = replication_replica(replication, node, r);
        struct clopt_variable *flag = diverges && !in_head ? flag_of(replication, r) : NULL;
        if (flag)
            clone = clopt_build(source, node, "if ($v) $n", flag, clone);
        clopt_nodes_add(source, made, clone);
    }
}

static void add_expressions(void *user, const struct clopt_node *node, struct clopt_nodes *made)
{
    struct replication *replication = user;
    bool in_head = node->parent->init == node || node->parent->step == node;
    if (replication_diverges(replication, node))
        add_each(replication, node, in_head, made);
}

/* ---- the kernel ---- */

static enum clopt_status check_guards(const struct replication *replication,
                                      struct clopt_error *error)
{
    const struct clopt_node *node = replication->unguarded;
    if (replication->failed)
        return clopt_fail_memory(error);
    if (!node)
        return CLOPT_OK;
    return clopt_source_refuse(
        replication->coarsening.source, node, error,
        node->parent->kind == CLOPT_NODE_LIST
            ? "structure in a list of initial values that not all merged work-items compute:"
              " assign it instead"
            : "memory access in the head of a loop after a return that diverges");
}

enum clopt_status replicate_kernel(struct replication *replication, struct clopt_error *error)
{
    static const struct clopt_coarsening_policy policy = {
        .is_region = is_region,
        .is_several = is_several,
        .region = leave_make_region,
        .declare = add_declarations,
        .expression = add_expressions,
        .compound = leave_make_list,
        .sequence = fuse_active,
        .node = make_guarded,
        .active = is_active,
    };
    struct clopt_coarsening *coarsening = &replication->coarsening;
    coarsening->policy = &policy;
    coarsening->user = replication;
    coarsening->factor = coarsening->merging->merge.factor;
    enum clopt_status status = clopt_coarsening_init(coarsening, error);
    if (!status)
        status = clopt_coarsening_kernel(coarsening, replication->divergence, error);
    return status ? status : check_guards(replication, error);
}
