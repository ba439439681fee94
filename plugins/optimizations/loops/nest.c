/* SPDX-License-Identifier: BSD-3-Clause */
/* Counted loops, each the whole body of the one around it.
 *
 * Loops can be permuted if no iteration must wait for one that would then come after it: for no two
 * accesses to the same memory is the second one in a later iteration of one loop and in an earlier
 * one of a loop inside it (direction vector (<, >); Kennedy, Allen: Optimizing Compilers for Modern
 * Architectures, 2001, 5.2). Reductions of integers may be done in any order. */
#include "loops.h"

/* ---- heads ---- */

struct clopt_node *nest_inner(const struct clopt_node *loop)
{
    struct clopt_node *body = loop->body;
    if (body->kind == CLOPT_NODE_COMPOUND)
        body = body->child_count == 1 ? body->children[0] : NULL;
    return body && clopt_node_is_loop(body) ? body : NULL;
}

/* The heads must mean the same wherever they are. */
static enum clopt_status check_heads(const struct nest *nest, const char *change,
                                     struct clopt_error *error)
{
    const struct clopt_node *outer = nest->loops[0];
    for (unsigned i = 0; i < nest->depth; i++) {
        const struct clopt_trip *trip = &nest->trips[i];
        if (!clopt_loop_is_invariant(outer, trip->first) ||
            !clopt_loop_is_invariant(outer, trip->bound))
            return clopt_source_refuse(nest->source, nest->loops[i ? i : 1], error,
                                       "where a loop starts or ends depends on the other one, so "
                                       "they cannot be %s",
                                       change);
    }
    for (unsigned i = 0; i < nest->depth; i++)
        if (!nest->trips[i].declared && !clopt_loop_ends_variable(outer, nest->trips[i].counter))
            return clopt_source_refuse(nest->source, outer, error,
                                       "%s is used after the loops, so they cannot be %s",
                                       nest->trips[i].counter->name, change);
    return CLOPT_OK;
}

/* ---- private variables ---- */

static enum clopt_status check_variable(const struct nest *nest, const struct clopt_node *node,
                                        const char *change, struct clopt_error *error)
{
    const struct clopt_node *inner = nest->loops[nest->depth - 1];
    const struct clopt_variable *variable = node->variable;
    const char *op = NULL;
    unsigned access = clopt_node_use(node, inner->body);
    if (!(access & (CLOPT_WRITE | CLOPT_ADDRESS)) || variable->space != CLOPT_SPACE_PRIVATE ||
        variable->is_array)
        return CLOPT_OK;
    for (unsigned i = 0; i < nest->depth; i++)
        if (variable == nest->trips[i].counter)
            return CLOPT_OK;
    bool integer =
        !variable->is_record && !variable->is_pointer && !clopt_scalar_is_real(variable->scalar);
    enum clopt_dependence dependence = clopt_loop_dependence(inner, variable, &op);
    if (access & CLOPT_ADDRESS || dependence == CLOPT_DEPENDENCE_OTHER)
        return clopt_source_refuse(nest->source, node, error,
                                   "%s has a loop-carried dependence, so the loops cannot be %s",
                                   variable->name, change);
    if (dependence == CLOPT_DEPENDENCE_REDUCTION && !integer)
        return clopt_source_refuse(
            nest->source, node, error,
            "%s would be accumulated in another order, which changes floating-point results",
            variable->name);
    return CLOPT_OK;
}

/* ---- memory ---- */

/* Whether an access may be to the memory of one that comes later, in a later iteration of one loop
 * and an earlier one of a loop inside it. */
static bool is_reversed(const struct nest *nest, const struct clopt_access *a,
                        const struct clopt_access *b)
{
    static const struct clopt_distance any = {-CLOPT_MANY_ITERATIONS, CLOPT_MANY_ITERATIONS};
    struct clopt_nest loops = {.depth = nest->depth};
    for (unsigned i = 0; i < nest->depth; i++) {
        loops.loops[i] = nest->loops[i];
        loops.trips[i] = &nest->trips[i];
    }
    for (unsigned later = 0; later < nest->depth; later++)
        for (unsigned earlier = later + 1; earlier < nest->depth; earlier++) {
            struct clopt_distance distances[CLOPT_MOST_NEST];
            for (unsigned i = 0; i < nest->depth; i++)
                distances[i] = i < later ? (struct clopt_distance){0, 0} : any;
            distances[later].least = 1;
            distances[earlier].most = -1;
            if (clopt_accesses_depend(&loops, a, b, distances))
                return true;
        }
    return false;
}

static enum clopt_status check_accesses(const struct nest *nest,
                                        const struct clopt_accesses *accesses, const char *change,
                                        struct clopt_error *error)
{
    for (size_t i = 0; i < accesses->count; i++)
        for (size_t j = 0; j < accesses->count; j++) {
            const struct clopt_access *a = &accesses->items[i];
            const struct clopt_access *b = &accesses->items[j];
            if (is_reversed(nest, a, b))
                return clopt_source_refuse(nest->source, a->node, error,
                                           "%s may be accessed again in line %u by an iteration "
                                           "that would come first, so the "
                                           "loops cannot be %s",
                                           a->root ? a->root->name : "memory",
                                           clopt_source_line(nest->source, b->node), change);
        }
    return CLOPT_OK;
}

enum clopt_status nest_check(struct nest *nest, const char *change, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_accesses) accesses = {0};
    const struct clopt_node *body = nest->loops[nest->depth - 1]->body;
    for (unsigned i = 0; i < nest->depth; i++)
        CLOPT_TRY(clopt_loop_check_order(nest->source, nest->loops[i], true, change,
                                         &nest->trips[i], error));
    CLOPT_TRY(check_heads(nest, change, error));
    for (const struct clopt_node *node = body; node; node = clopt_node_next(node, body))
        CLOPT_TRY(check_variable(nest, node, change, error));
    clopt_accesses_add(&accesses, body);
    return check_accesses(nest, &accesses, change, error);
}
