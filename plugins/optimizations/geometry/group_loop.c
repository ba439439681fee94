/* SPDX-License-Identifier: BSD-3-Clause */
/* One work-group does the work of several neighbouring ones, one after the other in a loop, so that
 * what a group does once (its part of a counter, say) is done less often. */
#include "coarsen.h"

struct group_loop {
    const struct clopt_merging *merging;
    struct clopt_cloning cloning;
    struct clopt_variable *group; /* the number of the one whose work is done */
};

static struct clopt_node *make_node(void *user, const struct clopt_node *node)
{
    const struct group_loop *loop = user;
    return clopt_merging_node(loop->merging, &loop->cloning, node, 0, loop->group);
}

/* ---- what cannot be repeated ---- */

/* Groups one after the other would share their local memory, and see changed parameters. */
static enum clopt_status check(const struct clopt_source *source, struct clopt_error *error)
{
    const struct clopt_node *body = source->kernel->body;
    const struct clopt_node *call = clopt_node_find_effect(body, CLOPT_EFFECT_COLLECTIVE);
    if (call)
        return clopt_source_refuse(source, call, error,
                                   "group_loop: %s; merge=groups merges groups that wait",
                                   call->name ? call->name : "a barrier");
    for (size_t i = 0; i < source->variable_count; i++) {
        const struct clopt_variable *variable = source->variables[i];
        bool local = variable->space == CLOPT_SPACE_LOCAL ||
                     (variable->is_parameter && variable->is_pointer &&
                      variable->pointee == CLOPT_SPACE_LOCAL);
        bool changes = variable->is_parameter && variable->changed;
        if (variable->function == source->kernel && (local || changes))
            return clopt_source_refuse(source, variable->declarator ? variable->declarator : body,
                                       error, "group_loop: %s is %s", variable->name,
                                       local ? "in local memory, which each group needs anew"
                                             : "a parameter that the kernel changes");
    }
    return CLOPT_OK;
}

/* ---- the kernel ---- */

static enum clopt_status rewrite(const struct clopt_transform *transform, struct clopt_merge merge,
                                 struct clopt_source **source, struct clopt_error *error)
{
    struct clopt_merging merging = {0};
    struct clopt_divergence *divergence = NULL;
    CLOPT_TRY(check(*source, error));
    CLOPT_TRY(clopt_merging_prepare(transform, source, merge, false, &merging, &divergence, error));
    struct clopt_node *body = (*source)->kernel->body;
    const struct clopt_node *leaves = clopt_node_find(body, CLOPT_NODE_RETURN);
    if (leaves)
        return clopt_source_refuse(*source, leaves, error,
                                   "group_loop: this return would end the work of all groups");
    struct group_loop loop = {.merging = &merging};
    loop.group = clopt_variable_make(*source, "uint", "", "group");
    loop.cloning = (struct clopt_cloning){*source, &loop, make_node, NULL, false};
    clopt_replace_by(*source, body, "{ for ($V = 0; $v < $u; $v++) $n }", loop.group, loop.group,
                     merge.factor, loop.group, clopt_clone(&loop.cloning, body));
    return clopt_merging_finish(&merging, error);
}

enum clopt_status group_loop_apply(struct clopt_transform *transform, unsigned groups,
                                   struct clopt_error *error)
{
    const struct clopt_merge merge = {.factor = groups, .stride = 1, .groups = true};
    const struct clopt_ndrange_change change = {
        .merged_groups = {groups}, .added = {{.number = 0}}, .added_count = 1};
    CLOPT_HELD(clopt_source) source = NULL;
    CLOPT_TRY(clopt_transform_parse_inlined(transform, CLOPT_INLINE_BARRIERS, &source, error));
    CLOPT_TRY(rewrite(transform, merge, &source, error));
    CLOPT_TRY(clopt_transform_set_tree(transform, source, error));
    return clopt_transform_change_ndrange(transform, &change, error);
}
