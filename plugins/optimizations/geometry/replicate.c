/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations and expressions, one for each merged work-item, and returns that only some take. */
#include "replication.h"

#include <stdio.h>

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

/* ---- returns that only some take, where they meet again ---- */

/* Appends that a replica stays only under a condition. */
static void add_staying(struct replication *replication, struct clopt_node *condition,
                        unsigned replica, struct clopt_nodes *made)
{
    struct clopt_source *source = replication->coarsening.source;
    struct clopt_variable **flag = &replication->flags[replica];
    char name[32];
    if (*flag) {
        clopt_nodes_put(source, made, condition, "$v = $v && $n;", *flag, *flag, condition);
        return;
    }
    snprintf(name, sizeof name, "active_%u", replica);
    *flag = clopt_variable_make(source, "int", name, "");
    clopt_nodes_put(source, made, condition, "$V = $n;", *flag, condition);
}

/* Makes what becomes of `if (c) return;` for work-items that meet again after it: who returns is
 * remembered, and the merged work-item stays as long as one of them does. */
static struct clopt_node *make_leaving(struct replication *replication,
                                       const struct clopt_node *node)
{
    struct clopt_coarsening *coarsening = &replication->coarsening;
    struct clopt_source *source = coarsening->source;
    struct clopt_node *any = NULL;
    struct clopt_nodes made = {0};
    replication->active = replication->flags;
    for (unsigned r = 0; r < replication->coarsening.factor; r++) {
        struct clopt_node *leaves = clopt_coarsening_replica(coarsening, node->condition, r);
        add_staying(replication, clopt_build(source, node, "!$n", leaves), r, &made);
        any = replication_join(replication, any, "||",
                               clopt_build(source, node, "$v", replication->flags[r]));
    }
    clopt_nodes_put(source, &made, node, "if (!$n) return;", any);
    return clopt_build(source, node, "$N", &made);
}

/* ---- where they need not ---- */

/* Makes a statement of the body and those after it, one replica after the other, when they were
 * made together before. */
static struct clopt_node *make_rest(struct replication *replication, const struct clopt_node *first)
{
    struct clopt_cloning *cloning = &replication->coarsening.cloning;
    bool outer = cloning->plain;
    cloning->plain = true;
    struct clopt_node *rest = clopt_coarsening_rest(&replication->coarsening, first);
    cloning->plain = outer;
    return rest;
}

/* Makes a return that not all take and what follows it: all together where nobody returns. NULL if
 * that is not worth it. */
static struct clopt_node *make_guarded_rest(struct replication *replication,
                                            const struct clopt_node *body, size_t first)
{
    struct clopt_source *source = replication->coarsening.source;
    const struct clopt_node *node = body->children[first];
    struct clopt_nodes together = {0};
    struct fusion fusion;
    if (replication->active || !clopt_node_is_early_return(node) ||
        !fuse_may_stay(replication, node))
        return NULL;
    struct clopt_node *none = fuse_make_none(replication, node->condition);
    if (fuse_enter(replication, node, clopt_node_end(body), &fusion, &together)) {
        clopt_coarsening_add_list(&replication->coarsening, body, first + 1, body->child_count,
                                  &together);
        fuse_leave(replication, &fusion);
    }
    return clopt_build(source, node, "if ($n) { $N } else $n", none, &together,
                       make_rest(replication, node));
}

/* Makes a divergent region: a return that only some take, with what follows it if they need not
 * meet again there, or a branch. NULL: one replica after the other. */
static struct clopt_node *make_region(void *user, const struct clopt_node *node)
{
    struct replication *replication = user;
    const struct clopt_node *body = node->parent;
    if (body->parent || !clopt_node_find(node, CLOPT_NODE_RETURN))
        return fuse_if(replication, node);
    size_t index = clopt_node_number(node);
    return clopt_coarsening_find_meeting(body, index + 1)
               ? make_leaving(replication, node)
               : make_guarded_rest(replication, body, index);
}

/* ---- groups past the last one ---- */

/* Appends the whole body: all groups together where the last one is there. */
static void add_counted(struct replication *replication, const struct clopt_node *body,
                        struct clopt_nodes *made)
{
    struct clopt_coarsening *coarsening = &replication->coarsening;
    struct clopt_source *source = coarsening->source;
    struct clopt_nodes together = {0};
    struct clopt_nodes apart = {0};
    struct clopt_node *all = replication_counts(replication, replication->coarsening.factor - 1);
    replication->fused++;
    clopt_coarsening_add_list(coarsening, body, 0, body->child_count, &together);
    replication->fused--;
    replication->counted = true;
    clopt_coarsening_parameters(coarsening, &apart);
    clopt_nodes_add(source, &apart, make_rest(replication, body->children[0]));
    replication->counted = false;
    clopt_nodes_put(source, made, body, "if ($n) { $N } else { $N }", all, &together, &apart);
}

static void add_groups(struct replication *replication, const struct clopt_node *body,
                       struct clopt_nodes *made)
{
    if (!clopt_coarsening_find_meeting(body, 0)) {
        add_counted(replication, body, made);
        return;
    }
    /* The first of them is there in any case. */
    for (unsigned r = 1; r < replication->coarsening.factor; r++)
        add_staying(replication, replication_counts(replication, r), r, made);
    replication->active = replication->flags;
    clopt_coarsening_add_list(&replication->coarsening, body, 0, body->child_count, made);
}

/* ---- lists ---- */

/* Makes a compound statement in which not all replicas do all; NULL: they do. */
static struct clopt_node *make_list(void *user, const struct clopt_node *list)
{
    struct replication *replication = user;
    struct clopt_coarsening *coarsening = &replication->coarsening;
    struct clopt_nodes made = {0};
    bool groups =
        !list->parent && replication->coarsening.merging->merge.groups && list->child_count;
    if (!groups && !(list->parent && replication->active))
        return NULL;
    clopt_coarsening_add_local(coarsening, list, &made);
    if (groups)
        add_groups(replication, list, &made);
    else
        clopt_coarsening_add_list(coarsening, list, 0, list->child_count, &made);
    return clopt_build(coarsening->source, list, "{ $N }", &made);
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
        .region = make_region,
        .declare = add_declarations,
        .expression = add_expressions,
        .compound = make_list,
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
