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

/* Groups one after the other would see changed parameters. */
static enum clopt_status check(const struct clopt_source *source, struct clopt_error *error)
{
    const struct clopt_function *kernel = source->kernel;
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        const struct clopt_variable *parameter = kernel->parameters[i];
        bool local = parameter->is_pointer && parameter->pointee == CLOPT_SPACE_LOCAL;
        if (local || parameter->changed)
            return clopt_source_refuse(source, kernel->body, error, "group_loop: %s is %s",
                                       parameter->name,
                                       local ? "local memory that the kernel is given; "
                                               "merge=groups merges groups that are"
                                             : "a parameter that the kernel changes");
    }
    return CLOPT_OK;
}

/* ---- local memory ---- */

/* Takes declarations of local memory, which groups use one after the other, out of the body. */
static struct clopt_nodes take_local(struct clopt_source *source)
{
    struct clopt_node *body = source->kernel->body;
    struct clopt_nodes taken = {0};
    for (size_t i = 0; i < body->child_count;)
        if (clopt_node_declares_local(body->children[i]))
            clopt_nodes_add(source, &taken, clopt_remove(source, body->children[i]));
        else
            i++;
    return taken;
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
    struct clopt_nodes local = take_local(*source);
    struct clopt_node *work = clopt_clone(&loop.cloning, body);
    if (local.count || clopt_node_find_effect(body, CLOPT_EFFECT_COLLECTIVE))
        clopt_append(*source, work, clopt_build(*source, body, "barrier(CLK_LOCAL_MEM_FENCE);"));
    clopt_replace_by(*source, body, "{ $N for ($V = 0; $v < $u; $v++) $n }", &local, loop.group,
                     loop.group, merge.factor, loop.group, work);
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
