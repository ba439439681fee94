/* SPDX-License-Identifier: BSD-3-Clause */
/* Divergent branches that become selects. */
#include "flatten.h"

#include <stdlib.h>

#include "check.h"
#include "divergent.h"
#include "expression.h"
#include "selects.h"

struct search {
    const struct divergent *divergent;
    struct check check;
    bool *flat;    /* by node */
    size_t chosen; /* branches */
    bool refused;
    struct check first; /* what refused the first one */
};

/* Chooses the outermost branches that can become selects. */
static void choose(struct search *search, const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_IF && divergent_has(search->divergent, node->condition)) {
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

static enum clopt_status flatten(struct clopt_transform *transform, struct clopt_source *source,
                                 unsigned cost, struct clopt_error *error)
{
    struct divergent divergent = {0};
    bool *flat = calloc(source->node_count + 1, sizeof *flat);
    struct search search = {
        .divergent = &divergent,
        .check = {.source = source, .cost = cost},
        .flat = flat,
    };
    enum clopt_status status = flat ? CLOPT_OK : clopt_fail_memory(error);
    if (!status)
        status = divergent_init(&divergent, source, error);
    if (!status)
        status = choose_checked(&search, error);
    if (!status)
        status = selects_rewrite(source, flat, error);
    if (!status)
        status = clopt_transform_set_tree(transform, source, error);
    divergent_fini(&divergent);
    free(flat);
    return status;
}

/* Branches in functions are changed where the kernel's own cannot be. */
enum clopt_status flatten_apply(struct clopt_transform *transform, unsigned cost,
                                struct clopt_error *error)
{
    struct clopt_source *source = NULL;
    struct clopt_error inlined = {0};
    enum clopt_status status = clopt_transform_parse(transform, &source, error);
    if (!status)
        status = flatten(transform, source, cost, error);
    clopt_source_destroy(source);
    if (status != CLOPT_INFEASIBLE ||
        clopt_transform_parse_inlined(transform, CLOPT_INLINE_BRANCHES, &source, &inlined))
        return status;
    if (!flatten(transform, source, cost, &inlined))
        status = CLOPT_OK;
    clopt_source_destroy(source);
    return status;
}
