/* SPDX-License-Identifier: BSD-3-Clause */
/* Returns that only some of the merged work-items take. */
#include <stdio.h>

#include "replication.h"

/* ---- where they meet again ---- */

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
static struct clopt_node *make_guarded(struct replication *replication,
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

struct clopt_node *leave_make_region(void *user, const struct clopt_node *node)
{
    struct replication *replication = user;
    const struct clopt_node *body = node->parent;
    if (body->parent || !clopt_node_find(node, CLOPT_NODE_RETURN))
        return fuse_if(replication, node);
    size_t index = clopt_node_number(node);
    return clopt_coarsening_find_meeting(body, index + 1) ? make_leaving(replication, node)
                                                          : make_guarded(replication, body, index);
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

struct clopt_node *leave_make_list(void *user, const struct clopt_node *list)
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
