/* SPDX-License-Identifier: BSD-3-Clause */
/* Interchange: two loops, one right inside the other, change places. */
#include "loops.h"

static bool is_other_loop(const struct clopt_node *node, const void *loop)
{
    return node != loop && clopt_node_repeats(node);
}

/* Finds the two loops, the chosen one among them: an innermost one goes with that around it, which
 * is the target of its jumps. */
static enum clopt_status find_nest(struct nest *nest, struct clopt_node *chosen,
                                   struct clopt_error *error)
{
    const struct clopt_source *source = nest->source;
    struct clopt_node *outer =
        clopt_node_search(chosen, is_other_loop, chosen) ? chosen : clopt_node_target(chosen);
    nest->loops[0] = outer;
    if (!outer)
        return clopt_source_refuse(source, chosen, error,
                                   "no loop around this one to interchange it with");
    nest->loops[1] = nest_inner(outer);
    if (!nest->loops[1])
        return clopt_source_refuse(
            source, outer, error,
            "the loop holds more than one loop alone, so they cannot be interchanged");
    if (outer->parent->kind == CLOPT_NODE_ATTRIBUTED)
        return clopt_source_refuse(
            source, outer, error,
            "the loop has a pragma or attribute, so it cannot be interchanged");
    if (outer->step && outer->step->moved)
        return clopt_source_refuse(source, outer, error,
                                   "the loop around this one has changed places already");
    return CLOPT_OK;
}

/* Returns a loop with the head of another one and a body to be put in. */
static struct clopt_node *build_loop(struct clopt_source *source, const struct clopt_node *head)
{
    return clopt_build(source, head, "for ($n; $n; $n) ;", head->init, head->condition, head->step);
}

/* Lets heads change places: bodies, and the comments around them, stay. */
static void swap(struct nest *nest)
{
    struct clopt_source *source = nest->source;
    struct clopt_node *outer = nest->loops[0];
    struct clopt_node *inner = nest->loops[1];
    struct clopt_node *loops[2] = {build_loop(source, inner), build_loop(source, outer)};
    struct clopt_node *body = clopt_remove(source, inner->body);
    clopt_replace(source, inner, loops[1]);
    clopt_replace(source, loops[1]->body, body);
    body = clopt_remove(source, outer->body);
    clopt_replace(source, outer, loops[0]);
    clopt_replace(source, loops[0]->body, body);
}

/* Interchanges a loop that is chosen with one that may be changed already. */
static enum clopt_status change(void *user, struct clopt_rewriting *rewriting,
                                struct clopt_node *loop, struct clopt_error *error)
{
    bool *lonely = user; /* the reason so far is a loop without another one */
    struct nest nest = {.source = rewriting->source, .depth = 2};
    enum clopt_status status = find_nest(&nest, loop, error);
    if (!status)
        status = nest_check(&nest, "interchanged", error);
    const struct clopt_trip *inner = &nest.trips[1];
    if (!status && (clopt_node_find_trap(inner->first) || clopt_node_find_trap(inner->bound)))
        status = clopt_source_refuse(nest.source, nest.loops[1], error,
                                     "a division in the loop's head might be by 0");
    /* Other reasons say more. */
    if (*lonely && nest.loops[0])
        rewriting->first = (struct clopt_error){0};
    *lonely = !rewriting->first.status && !nest.loops[0];
    if (status)
        return status;
    rewriting->factors[nest.loops[0]->index] = rewriting->factors[nest.loops[1]->index] = -1;
    swap(&nest);
    return CLOPT_OK;
}

enum clopt_status interchange_apply(struct clopt_transform *transform, const char *loops,
                                    unsigned factor, struct clopt_error *error)
{
    bool lonely = false;
    return clopt_loops_rewrite(transform, loops, factor, change, &lonely, error);
}
