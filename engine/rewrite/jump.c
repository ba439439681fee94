/* SPDX-License-Identifier: BSD-3-Clause */
/* Jumps: branches take the place of returns at the end of a kernel, and of what leaves an
 * iteration; flags say who is still there where a loop, or a branch before its end, is left. */
#include <clopt/coarsen.h>
#include <clopt/loop.h>

#include "rewrite/merging.h"

struct clopt_node *clopt_condition_opposite(struct clopt_source *source,
                                            const struct clopt_node *condition)
{
    const struct clopt_node *bare = clopt_node_bare(condition);
    return clopt_node_is_operator(bare, "!")
               ? clopt_build(source, condition, "$n", clopt_node_bare(bare->children[0]))
               : clopt_build(source, condition, "!$n", bare);
}

/* ---- branches in place of returns ---- */

static bool has_comment(const struct clopt_source *source, const struct clopt_node *node)
{
    return node->trivia_begin != SIZE_MAX &&
           node->trivia_begin + strspn(source->text + node->trivia_begin, " \t\r\n") <
               node->trivia_end;
}

/* Takes what follows a statement out of its list; local memory is declared before. */
static struct clopt_nodes take_rest(struct clopt_source *source, struct clopt_node *node)
{
    struct clopt_node *list = node->parent;
    struct clopt_nodes rest = {0};
    for (size_t i = clopt_node_position(node) + 1; i < list->child_count;) {
        size_t count = list->child_count;
        struct clopt_node *next = clopt_remove(source, list->children[i]);
        struct clopt_node *left =
            list->child_count == count ? clopt_remove(source, list->children[i]) : NULL;
        if (left && has_comment(source, left))
            clopt_nodes_add(source, &rest, left);
        if (clopt_node_declares_local(next)) {
            clopt_insert_before(source, node, next);
            i++;
        } else {
            clopt_nodes_add(source, &rest, next);
        }
    }
    return rest;
}

static bool leaves_first(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_IF && clopt_node_leaves(node->body);
}

static bool leaves_second(const struct clopt_node *node)
{
    return node->otherwise && clopt_node_leaves(node->otherwise);
}

static bool join_list(struct clopt_source *source, struct clopt_node *list,
                      const struct clopt_divergence *divergence);

/* Returns one statement for one that leaves and what follows it: `if (c) return; rest`, which is
 * `bare`, becomes `if (!c) { rest }`; where an arm of two leaves, the rest is part of the other
 * one.
 */
static struct clopt_node *build_joined(struct clopt_source *source, const struct clopt_node *node,
                                       const struct clopt_nodes *rest, bool bare)
{
    const struct clopt_node *condition = node->condition, *body = node->body;
    const struct clopt_node *otherwise = node->otherwise;
    if (bare) {
        condition = clopt_condition_opposite(source, condition);
        bool single = rest->count == 1 && clopt_node_is_expression(rest->items[0]) &&
                      !has_comment(source, rest->items[0]);
        return single ? clopt_build(source, node, "if ($n) $n", condition, rest->items[0])
                      : clopt_build(source, node, "if ($n) { $N }", condition, rest);
    }
    if (leaves_first(node) && otherwise)
        return clopt_build(source, node, "if ($n) $n else { $n $N }", condition, body, otherwise,
                           rest);
    if (leaves_first(node))
        return clopt_build(source, node, "if ($n) $n else { $N }", condition, body, rest);
    if (leaves_second(node))
        return clopt_build(source, node, "if ($n) { $n $N } else $n", condition, body, rest,
                           otherwise);
    return clopt_build(source, node, "{ $n $N }", node, rest);
}

/* Makes one statement of one that returns and what follows it, at the end of a work-item's work:
 * branches as far as there are some, else the returns stay inside it. Returns whether that edited
 * the tree. */
static bool join(struct clopt_source *source, struct clopt_node *node)
{
    const struct clopt_node *list = node->parent;
    struct clopt_nodes rest = {0};
    bool listed = list->kind == CLOPT_NODE_COMPOUND;
    bool block = listed && list->parent && list->parent->kind == CLOPT_NODE_COMPOUND;
    if (block && !leaves_first(node) && !leaves_second(node) &&
        list->children[list->child_count - 1] != node)
        return false; /* they are in one statement */
    if (listed)
        rest = take_rest(source, node);
    if (node->kind == CLOPT_NODE_RETURN)
        return clopt_remove(source, node);
    bool bare = clopt_node_is_early_return(node);
    bool joined = rest.count || bare;
    struct clopt_node *made = joined ? build_joined(source, node, &rest, bare) : node;
    if (joined)
        clopt_replace(source, node, made);
    if (made->kind == CLOPT_NODE_COMPOUND && joined)
        made->children[0]->trivia_begin = made->children[0]->trivia_end = SIZE_MAX;
    else if (made->kind == CLOPT_NODE_COMPOUND)
        joined = join_list(source, made, NULL);
    struct clopt_node *const arms[] = {made->body, made->otherwise};
    for (size_t i = 0; made->kind == CLOPT_NODE_IF && i < 2; i++)
        if (arms[i] && clopt_node_find(arms[i], CLOPT_NODE_RETURN))
            joined |= join(source, arms[i]);
    return joined;
}

/* Does so with those statements of a list that diverge; `divergence` NULL: with all. */
static bool join_list(struct clopt_source *source, struct clopt_node *list,
                      const struct clopt_divergence *divergence)
{
    bool joined = false;
    for (size_t i = list->child_count; i-- > 0;) {
        struct clopt_node *node = list->children[i];
        if (clopt_node_find_effect(node, CLOPT_EFFECT_COLLECTIVE))
            break;
        if (clopt_node_find(node, CLOPT_NODE_RETURN) &&
            (!divergence || clopt_node_is_region(divergence, node)))
            joined |= join(source, node);
    }
    return joined;
}

enum clopt_status clopt_returns_join(const struct clopt_transform *transform,
                                     struct clopt_source **source, struct clopt_identity identity,
                                     struct clopt_error *error)
{
    bool joined = !((*source)->kernel->effects & CLOPT_EFFECT_GOTO);
    while (joined && clopt_node_find((*source)->kernel->body, CLOPT_NODE_RETURN)) {
        joined =
            join_list(*source, (*source)->kernel->body, clopt_divergence_create(*source, identity));
        CLOPT_TRY(clopt_source_reread(transform, source, error));
    }
    return CLOPT_OK;
}

/* ---- flags in place of jumps ---- */

struct masking {
    struct clopt_source *source;
    struct clopt_node *loop;       /* that is left; NULL: the kernel */
    struct clopt_variable *active; /* who goes on with it, or NULL: nobody leaves it */
    struct clopt_variable *going;  /* who goes on with this iteration, or NULL */
    struct clopt_variable *stays;  /* who does not return, where some only leave the loop */
};

static bool is_jump(const struct clopt_node *node, const void *user)
{
    const struct masking *masking = user;
    bool leaves = node->kind == CLOPT_NODE_BREAK || node->kind == CLOPT_NODE_CONTINUE;
    return node->kind == CLOPT_NODE_RETURN ||
           (leaves && masking->loop && clopt_node_target(node) == masking->loop);
}

static bool jumps(const struct masking *masking, const struct clopt_node *node)
{
    return clopt_node_search(node, is_jump, masking);
}

/* Lets flags say what a jump does. */
static void set_flags(const struct masking *masking, struct clopt_node *jump)
{
    struct clopt_source *source = masking->source;
    struct clopt_nodes list = {0};
    bool leaves = jump->kind != CLOPT_NODE_CONTINUE;
    bool returns = jump->kind == CLOPT_NODE_RETURN && masking->stays != masking->active;
    struct clopt_variable *const flags[] = {leaves ? masking->active : NULL, masking->going,
                                            returns ? masking->stays : NULL};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (flags[i])
            clopt_nodes_put(source, &list, jump, "$v = 0;", flags[i]);
    bool listed = jump->parent->kind == CLOPT_NODE_COMPOUND;
    if (list.count == 1)
        clopt_replace(source, jump, list.items[0]);
    else if (listed && !list.count)
        clopt_remove(source, jump);
    else
        clopt_replace_by(source, jump, "{ $N }", &list);
}

static void mask_list(struct masking *masking, struct clopt_node *list);

static void mask(struct masking *masking, struct clopt_node *node)
{
    if (!node || !jumps(masking, node))
        return;
    if (is_jump(node, masking)) {
        set_flags(masking, node);
    } else if (node->kind == CLOPT_NODE_COMPOUND) {
        mask_list(masking, node);
    } else {
        mask(masking, node->body);
        mask(masking, node->otherwise);
    }
}

/* Whether a statement is a condition under which an iteration ends, and no more. */
static bool is_bare(const struct masking *masking, const struct clopt_node *node)
{
    const struct clopt_node *body = node->body;
    if (node->kind != CLOPT_NODE_IF || node->otherwise || masking->going)
        return false;
    if (body->kind == CLOPT_NODE_COMPOUND && body->child_count == 1)
        body = body->children[0];
    return body->kind == CLOPT_NODE_CONTINUE;
}

/* Puts what follows a statement in which some leave under a condition. */
static struct clopt_node *mask_rest(struct masking *masking, struct clopt_node *node,
                                    const struct clopt_nodes *rest)
{
    struct clopt_source *source = masking->source;
    if (leaves_first(node) || leaves_second(node)) {
        struct clopt_node *made = build_joined(source, node, rest, is_bare(masking, node));
        clopt_replace(source, node, made);
        return made;
    }
    if (masking->loop && !masking->going && clopt_node_find(node, CLOPT_NODE_CONTINUE))
        masking->going = clopt_variable_make(source, "int", "", "going");
    clopt_insert_after(source, node,
                       clopt_build(source, node, "if ($v) { $N }",
                                   masking->going ? masking->going : masking->active, rest));
    return node;
}

static void mask_list(struct masking *masking, struct clopt_node *list)
{
    for (size_t i = list->child_count; i-- > 0;) {
        struct clopt_node *node = list->children[i];
        if (!jumps(masking, node))
            continue;
        struct clopt_nodes rest = take_rest(masking->source, node);
        if (rest.count && !is_jump(node, masking)) /* else nobody comes to the rest */
            node = mask_rest(masking, node, &rest);
        mask(masking, node);
    }
}

/* ---- what can be masked ---- */

/* Whether jumps leave blocks and branches alone. */
static bool can_mask(const struct masking *masking, const struct clopt_node *top)
{
    for (const struct clopt_node *node = top; node; node = clopt_node_next(node, top)) {
        if (!is_jump(node, masking))
            continue;
        for (const struct clopt_node *at = node->parent; at != top; at = at->parent)
            if (at->kind != CLOPT_NODE_COMPOUND && at->kind != CLOPT_NODE_IF)
                return false;
    }
    return true;
}

static bool is_divergent_jump(const struct masking *masking, const struct clopt_node *top,
                              const struct clopt_divergence *divergence)
{
    for (const struct clopt_node *node = top; node; node = clopt_node_next(node, top))
        for (const struct clopt_node *at = is_jump(node, masking) ? node->parent : top; at != top;
             at = at->parent)
            if (at->kind == CLOPT_NODE_IF && clopt_node_diverges(divergence, at->condition))
                return true;
    return false;
}

/* Whether all work-items could do all iterations, of which some do not do all. */
static bool is_common(const struct clopt_node *loop, const struct clopt_divergence *divergence,
                      struct clopt_trip *trip)
{
    return clopt_trip_find(loop, NULL, trip) && !trip->unequal && trip->first &&
           !clopt_node_diverges(divergence, trip->first) &&
           !clopt_node_diverges(divergence, trip->bound);
}

/* ---- loops ---- */

struct counting {
    const struct clopt_variable *counter;
    struct clopt_variable *copy;
};

static struct clopt_variable *copy_of(void *user, const struct clopt_variable *variable)
{
    const struct counting *counting = user;
    return variable == counting->counter ? counting->copy : NULL;
}

/* Lets all count by a variable of their own, where a counter keeps what it had when some left. */
static void count_apart(const struct masking *masking, const struct clopt_trip *trip,
                        struct clopt_nodes *list)
{
    struct clopt_source *source = masking->source;
    struct clopt_node *loop = masking->loop;
    struct clopt_variable *counter = source->variables[trip->counter->index];
    struct counting counting = {counter, clopt_variable_copy(source, counter, 1)};
    const struct clopt_cloning cloning = {.source = source, .user = &counting, .variable = copy_of};
    struct clopt_nodes body = {0};
    clopt_nodes_put(source, &body, loop, "$v = $v;", counter, counting.copy);
    clopt_nodes_add_body(&cloning, &body, loop->body);
    clopt_nodes_put(source, list, loop, "$V;", counting.copy);
    clopt_nodes_put(source, list, loop, "for ($n; $n; $n) if ($v) { $N }",
                    clopt_clone(&cloning, loop->init), clopt_clone(&cloning, loop->condition),
                    clopt_clone(&cloning, loop->step), masking->active, &body);
    clopt_nodes_put(source, list, loop, "if ($v) $v = $v;", masking->active, counter,
                    counting.copy);
}

/* Lets all do the iterations of a loop that some leave. */
static void stay_in(const struct masking *masking, const struct clopt_trip *trip)
{
    struct clopt_source *source = masking->source;
    struct clopt_node *loop = masking->loop;
    struct clopt_nodes list = {0};
    bool pragma = loop->parent->kind == CLOPT_NODE_ATTRIBUTED;
    clopt_nodes_put(source, &list, loop, "$V = 1;", masking->active);
    if (masking->stays && masking->stays != masking->active)
        clopt_nodes_put(source, &list, loop, "$V = 1;", masking->stays);
    if (!trip->declared && !clopt_loop_ends_variable(loop, trip->counter))
        count_apart(masking, trip, &list);
    else
        clopt_nodes_put(source, &list, loop, "for ($n; $n; $n) if ($v) $n", loop->init,
                        loop->condition, loop->step, masking->active, loop->body);
    if (masking->stays)
        clopt_nodes_put(source, &list, loop, "if (!$v) return;", masking->stays);
    clopt_replace_by(source, pragma ? loop->parent : loop, "$N", &list);
}

/* Masks what leaves a loop or its iterations; false: nothing diverges, or that cannot be. */
static bool mask_loop(struct clopt_source *source, struct clopt_node *loop,
                      const struct clopt_divergence *divergence)
{
    struct masking masking = {.source = source, .loop = loop};
    struct clopt_trip trip;
    bool returns = clopt_node_find(loop, CLOPT_NODE_RETURN);
    bool leaves = clopt_loop_find_jump(loop, CLOPT_NODE_BREAK);
    if (!jumps(&masking, loop) || !can_mask(&masking, loop) ||
        !is_divergent_jump(&masking, loop, divergence) ||
        clopt_node_find_effect(loop, CLOPT_EFFECT_COLLECTIVE) ||
        ((returns || leaves) && !is_common(loop, divergence, &trip)))
        return false;
    if (returns || leaves)
        masking.active = clopt_variable_make(source, "int", "", "active");
    if (returns)
        masking.stays = leaves ? clopt_variable_make(source, "int", "", "stays") : masking.active;
    mask(&masking, loop->body);
    if (masking.going) {
        struct clopt_node *going = clopt_build(source, loop, "$V = 1;", masking.going);
        if (loop->body->kind == CLOPT_NODE_COMPOUND)
            clopt_prepend(source, loop->body, going);
        else
            clopt_insert_before(source, loop->body, going);
    }
    if (masking.active)
        stay_in(&masking, &trip);
    return true;
}

/* Masks the first loop that can be, of two the inner one first. */
static bool mask_loops(struct clopt_source *source, struct clopt_node *node,
                       const struct clopt_divergence *divergence)
{
    for (size_t i = 0; i < node->child_count; i++)
        if (mask_loops(source, node->children[i], divergence))
            return true;
    return clopt_node_is_loop(node) && mask_loop(source, node, divergence);
}

/* Masks returns inside branches, after the last collective call. */
static bool mask_kernel(struct clopt_source *source, const struct clopt_divergence *divergence)
{
    struct clopt_node *body = source->kernel->body;
    struct masking masking = {.source = source};
    size_t first = 0;
    while (first < body->child_count && !jumps(&masking, body->children[first]))
        first++;
    if (first == body->child_count || clopt_node_find_collective(body, first) ||
        !can_mask(&masking, body) || !is_divergent_jump(&masking, body, divergence))
        return false;
    masking.active = clopt_variable_make(source, "int", "", "active");
    mask_list(&masking, body);
    clopt_prepend(source, body, clopt_build(source, body, "$V = 1;", masking.active));
    return true;
}

enum clopt_status clopt_jumps_mask(const struct clopt_transform *transform,
                                   struct clopt_source **source, struct clopt_identity identity,
                                   bool *masked, struct clopt_error *error)
{
    bool again = !((*source)->kernel->effects & CLOPT_EFFECT_GOTO);
    identity.inside = true;
    for (*masked = false; again; *masked |= again) {
        struct clopt_divergence *divergence = clopt_divergence_create(*source, identity);
        again = mask_loops(*source, (*source)->kernel->body, divergence) ||
                mask_kernel(*source, divergence);
        if (again) {
            CLOPT_TRY(clopt_source_reread(transform, source, error));
            CLOPT_TRY(clopt_returns_join(transform, source, identity, error));
        }
    }
    return CLOPT_OK;
}
