/* SPDX-License-Identifier: BSD-3-Clause */
/* Divergent branches that become selects. */
#include <clopt/divergence.h>

#include "branches.h"
#include "check.h"
#include "expression.h"
#include "selects.h"

struct search {
    const struct clopt_divergence *divergence;
    struct check check;
    bool *flat;    /* by node */
    size_t chosen; /* branches */
    bool refused;
    struct check first; /* what refused the first one */
};

/* Chooses the outermost branches that can become selects. */
static void choose(struct search *search, const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_IF && clopt_node_diverges(search->divergence, node->condition)) {
        if (check_branch(&search->check, node)) {
            search->flat[node->index] = true;
            search->chosen++;
            return;
        }
        if (!search->refused)
            search->first = search->check;
        search->refused = true;
    }
    for (size_t i = 0; i < node->child_count; i++)
        choose(search, node->children[i]);
}

static enum clopt_status choose_checked(struct search *search, struct clopt_error *error)
{
    const struct check *check = &search->check;
    const struct clopt_node *body = check->source->kernel->body;
    if (clopt_node_effects(body) & CLOPT_EFFECT_GOTO)
        return clopt_source_refuse(check->source, clopt_node_find_effect(body, CLOPT_EFFECT_GOTO),
                                   error, "%s uses goto", check->source->kernel->name);
    choose(search, body);
    if (search->chosen)
        return CLOPT_OK;
    if (search->refused)
        return clopt_source_refuse(check->source, search->first.where, error, "%s",
                                   search->first.reason);
    return clopt_fail(error, CLOPT_INFEASIBLE, "%s has no divergent branch",
                      check->source->kernel->name);
}

enum clopt_status flatten_edit(void *cost, struct clopt_source *source, struct clopt_error *error)
{
    const struct clopt_identity identity = {.dimension = CLOPT_ANY_DIMENSION, .local_id = true};
    struct clopt_divergence *divergence = NULL;
    struct search search = {.check = {.source = source, .cost = *(const unsigned *)cost}};
    enum clopt_status status = clopt_divergence_create(source, identity, &divergence, error);
    search.divergence = divergence;
    search.flat = clopt_source_table(source, source->node_count, sizeof *search.flat);
    if (!status && !search.flat)
        status = clopt_fail_memory(error);
    if (!status)
        status = choose_checked(&search, error);
    if (!status)
        status = selects_rewrite(source, search.flat, error);
    clopt_divergence_destroy(divergence);
    return status;
}
