/* SPDX-License-Identifier: BSD-3-Clause */
/* Returns that only some of the merged work-items take. */
#include "leave.h"

#include <stdio.h>

#include "fuse.h"

/* Whether only some work-items return from a statement of the body. */
static bool is_left(const struct replication *replication, const struct clopt_node *node)
{
    return clopt_node_is_region(replication->divergence, node) &&
           clopt_node_find(node, CLOPT_NODE_RETURN);
}

static const struct clopt_node *find_meeting(const struct clopt_node *body, size_t first)
{
    const struct clopt_node *call = NULL;
    for (size_t i = first; i < body->child_count && !call; i++)
        call = clopt_node_find_effect(body->children[i], CLOPT_EFFECT_COLLECTIVE);
    return call;
}

enum clopt_status leave_check(const struct replication *replication, const struct clopt_node *body,
                              struct clopt_error *error)
{
    for (size_t i = 0; i < body->child_count; i++) {
        const struct clopt_node *node = body->children[i];
        if (!is_left(replication, node) || clopt_node_is_early_return(node))
            continue;
        const struct clopt_node *call = find_meeting(body, i + 1);
        if (call)
            return clopt_source_refuse(replication->coarsening.source, call, error,
                                       "%s behind a return that diverges, in line %u", call->name,
                                       clopt_source_line(replication->coarsening.source, node));
    }
    return CLOPT_OK;
}

/* ---- where they meet again ---- */

/* Appends that a replica stays only under a condition. */
static void add_staying(struct replication *replication, struct clopt_node *condition,
                        unsigned replica, struct clopt_nodes *made)
{
    struct clopt_source *source = replication->coarsening.source;
    struct clopt_variable **flag = &replication->flags[replica];
    char name[32];
    if (*flag) {
        clopt_nodes_add(source, made,
                        clopt_build(source, condition, "$v = $v && $n;", *flag, *flag, condition));
        return;
    }
    snprintf(name, sizeof name, "active_%u", replica);
    *flag = clopt_variable_make(source, "int", name, "");
    clopt_nodes_add(source, made, clopt_build(source, condition, "$V = $n;", *flag, condition));
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
    for (unsigned r = 0; r < replication->request.factor; r++) {
        struct clopt_node *leaves = clopt_coarsening_replica(coarsening, node->condition, r);
        add_staying(replication, clopt_build(source, node, "!$n", leaves), r, &made);
        any = replication_join(replication, any, "||",
                               clopt_build(source, node, "$v", replication->flags[r]));
    }
    clopt_nodes_add(source, &made, clopt_build(source, node, "if (!$n) return;", any));
    return clopt_build(source, node, "$N", &made);
}

/* ---- where they need not ---- */

/* Makes the statements of the body from number `first` on, one replica after the other, when they
 * were made together before. */
static struct clopt_node *make_rest(struct replication *replication, const struct clopt_node *body,
                                    size_t first)
{
    struct clopt_cloning *cloning = &replication->coarsening.cloning;
    bool outer = cloning->plain;
    cloning->plain = true;
    struct clopt_node *rest = clopt_coarsening_rest(&replication->coarsening, body, first);
    cloning->plain = outer;
    return rest;
}

/* Makes a return that not all take and what follows it: all together where nobody returns. */
static struct clopt_node *make_guarded(struct replication *replication,
                                       const struct clopt_node *body, size_t first)
{
    struct clopt_source *source = replication->coarsening.source;
    const struct clopt_node *node = body->children[first];
    struct clopt_nodes together = {0};
    struct fusion fusion;
    if (replication->active || !clopt_node_is_early_return(node) ||
        !fuse_may_stay(replication, node))
        return clopt_coarsening_rest(&replication->coarsening, body, first);
    struct clopt_node *none = fuse_make_none(replication, node->condition);
    if (fuse_enter(replication, node, body->stop, &fusion, &together)) {
        leave_add_list(replication, body, first + 1, body->child_count, &together);
        fuse_leave(replication, &fusion);
    }
    return clopt_build(source, node, "if ($n) { $N } else $n", none, &together,
                       make_rest(replication, body, first));
}

struct clopt_node *leave_make_region(void *user, const struct clopt_node *node)
{
    struct replication *replication = user;
    const struct clopt_node *body = node->parent;
    size_t index = 0;
    if (body->parent || !clopt_node_find(node, CLOPT_NODE_RETURN))
        return fuse_if(replication, node);
    while (body->children[index] != node)
        index++;
    return find_meeting(body, index + 1) ? make_leaving(replication, node)
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
    struct clopt_node *all = replication_counts(replication, replication->request.factor - 1);
    replication->fused++;
    leave_add_list(replication, body, 0, body->child_count, &together);
    replication->fused--;
    replication->counted = true;
    clopt_coarsening_parameters(coarsening, &apart);
    clopt_nodes_add(source, &apart, make_rest(replication, body, 0));
    replication->counted = false;
    clopt_nodes_add(
        source, made,
        clopt_build(source, body, "if ($n) { $N } else { $N }", all, &together, &apart));
}

static void add_groups(struct replication *replication, const struct clopt_node *body,
                       struct clopt_nodes *made)
{
    if (!find_meeting(body, 0)) {
        add_counted(replication, body, made);
        return;
    }
    /* The first of them is there in any case. */
    for (unsigned r = 1; r < replication->request.factor; r++)
        add_staying(replication, replication_counts(replication, r), r, made);
    replication->active = replication->flags;
    leave_add_list(replication, body, 0, body->child_count, made);
}

/* ---- lists ---- */

void leave_add_list(struct replication *replication, const struct clopt_node *list, size_t first,
                    size_t end, struct clopt_nodes *made)
{
    struct clopt_coarsening *coarsening = &replication->coarsening;
    for (size_t i = first; i < end; i++) {
        const struct clopt_node *node = list->children[i];
        if (clopt_node_declares_local(node))
            continue;
        size_t versioned = fuse_active(replication, list, i, made);
        if (versioned) {
            i += versioned - 1;
            continue;
        }
        bool left = !list->parent && is_left(replication, node);
        clopt_nodes_add(coarsening->source, made, clopt_coarsening_form(coarsening, node));
        if (left && !find_meeting(list, i + 1))
            return; /* what follows is part of it */
    }
}

struct clopt_node *leave_make_list(void *user, const struct clopt_node *list)
{
    struct replication *replication = user;
    struct clopt_source *source = replication->coarsening.source;
    struct clopt_nodes made = {0};
    bool parts = list->parent ? replication->active != NULL : replication->request.groups;
    for (size_t i = 0; !list->parent && i < list->child_count; i++)
        parts |= is_left(replication, list->children[i]);
    if (!parts)
        return NULL;
    for (size_t i = 0; i < list->child_count; i++)
        if (clopt_node_declares_local(list->children[i]))
            clopt_nodes_add(source, &made,
                            clopt_coarsening_form(&replication->coarsening, list->children[i]));
    if (!list->parent && replication->request.groups)
        add_groups(replication, list, &made);
    else
        leave_add_list(replication, list, 0, list->child_count, &made);
    return clopt_build(source, list, "{ $N }", &made);
}
