/* SPDX-License-Identifier: BSD-3-Clause */
/* What all changes of loops have in common: a kernel is parsed, its loops are chosen, and each is
 * edited. */
#include <clopt/loop.h>

#include <stdlib.h>
#include <string.h>

#include <clopt/rewrite.h>

#include "rewrite/loop_choice.h"

enum clopt_status clopt_rewriting_init(struct clopt_rewriting *rewriting,
                                       const struct clopt_transform *transform, const char *loops,
                                       unsigned factor, struct clopt_error *error)
{
    *rewriting = (struct clopt_rewriting){.loops = loops, .error = error};
    rewriting->status =
        clopt_transform_parse_inlined(transform, CLOPT_INLINE_LOOPS, &rewriting->source, error);
    if (rewriting->status)
        return rewriting->status;
    rewriting->factors = calloc(rewriting->source->node_count + 1, sizeof *rewriting->factors);
    if (!rewriting->factors)
        rewriting->status = clopt_fail_memory(error);
    else
        rewriting->status =
            clopt_loops_choose(rewriting->source, loops, factor, rewriting->factors, error);
    return rewriting->status;
}

bool clopt_rewriting_decide(struct clopt_rewriting *rewriting, enum clopt_status status,
                            const struct clopt_error *error)
{
    if (!status) {
        rewriting->changed++;
        return true;
    }
    if (status == CLOPT_INFEASIBLE && !clopt_loops_are_numbered(rewriting->loops)) {
        if (!rewriting->first.status)
            rewriting->first = *error;
    } else if (!rewriting->status) {
        rewriting->status = status;
        *rewriting->error = *error;
    }
    return false;
}

static void collect(const struct clopt_rewriting *rewriting, struct clopt_node *node,
                    struct clopt_nodes *chosen)
{
    if (rewriting->factors[node->index] >= 0)
        clopt_nodes_add(rewriting->source, chosen, node);
    for (size_t i = 0; i < node->child_count; i++)
        collect(rewriting, node->children[i], chosen);
}

static void change_all(struct clopt_rewriting *rewriting, clopt_loop_change change, void *user)
{
    struct clopt_nodes chosen = {0};
    collect(rewriting, rewriting->source->kernel->body, &chosen);
    for (size_t i = 0; i < chosen.count && !rewriting->status; i++) {
        struct clopt_error reason = {0};
        if (rewriting->factors[chosen.items[i]->index] >= 0)
            clopt_rewriting_decide(rewriting, change(user, rewriting, chosen.items[i], &reason),
                                   &reason);
    }
}

enum clopt_status clopt_rewriting_finish(struct clopt_rewriting *rewriting,
                                         struct clopt_transform *transform)
{
    if (!rewriting->status && !rewriting->changed && rewriting->first.status) {
        rewriting->status = rewriting->first.status;
        *rewriting->error = rewriting->first;
    }
    if (!rewriting->status)
        rewriting->status =
            clopt_transform_set_tree(transform, rewriting->source, rewriting->error);
    clopt_source_destroy(rewriting->source);
    free(rewriting->factors);
    return rewriting->status;
}

enum clopt_status clopt_loops_rewrite(struct clopt_transform *transform, const char *loops,
                                      unsigned factor, clopt_loop_change change, void *user,
                                      struct clopt_error *error)
{
    struct clopt_rewriting rewriting;
    if (!clopt_rewriting_init(&rewriting, transform, loops, factor, error))
        change_all(&rewriting, change, user);
    return clopt_rewriting_finish(&rewriting, transform);
}
