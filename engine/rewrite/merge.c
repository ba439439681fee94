/* SPDX-License-Identifier: BSD-3-Clause */
/* What merged work-items see as their identity: the NDRange that the initial code was written for.
 */
#include "rewrite/merging.h"

#include "kernel/effect.h"

/* Which merged work-item executes something: by number, or in the copy of a function by the
 * parameter that holds the number. */
struct replica {
    const struct clopt_merging *merging;
    unsigned item;
    struct clopt_variable *given; /* the parameter; NULL: `item` counts */
};

/* ---- identities ---- */

static bool is_id(const struct clopt_merge *merge, const struct clopt_node *call)
{
    return clopt_node_calls(call, "get_global_id") ||
           clopt_node_calls(call, merge->groups ? "get_group_id" : "get_local_id");
}

static bool is_size(const struct clopt_merge *merge, const struct clopt_node *call)
{
    return clopt_node_calls(call, "get_global_size") ||
           clopt_node_calls(call, merge->groups ? "get_num_groups" : "get_local_size");
}

static bool in_dimension(const struct clopt_merge *merge, const struct clopt_node *call)
{
    return call->child_count == 1 && call->children[0]->known &&
           call->children[0]->value == merge->dimension;
}

/* ---- nodes ---- */

/* Returns an identity of merged work-item 0 in that of a given number. */
static struct clopt_node *add_item(const struct replica *replica, struct clopt_node *first,
                                   const struct clopt_node *call, unsigned stride)
{
    struct clopt_source *source = replica->merging->source;
    return replica->given ? clopt_build(source, call, "$n + $v * $u", first, replica->given, stride)
                          : clopt_build(source, call, "$n + $u", first, replica->item * stride);
}

static struct clopt_node *make_id(const struct replica *replica, const struct clopt_node *call)
{
    const struct clopt_merge *merge = &replica->merging->merge;
    struct clopt_source *source = replica->merging->source;
    unsigned d = merge->dimension;
    unsigned stride = merge->stride;
    const char *name = call->name;
    if (merge->whole && clopt_node_calls(call, "get_local_id"))
        return replica->given ? clopt_build(source, call, "$v", replica->given)
                              : clopt_build(source, call, "$u", replica->item);
    if (stride == 1)
        return add_item(replica, clopt_build(source, call, "$u * $s($u)", merge->factor, name, d),
                        call, 1);
    return add_item(replica,
                    clopt_build(source, call, "$s($u) / $u * $u + $s($u) % $u", name, d, stride,
                                merge->factor * stride, name, d, stride),
                    call, stride);
}

static struct clopt_node *make_group_identity(const struct replica *replica,
                                              const struct clopt_node *call)
{
    const struct clopt_merge *merge = &replica->merging->merge;
    struct clopt_source *source = replica->merging->source;
    unsigned d = merge->dimension;
    if (clopt_node_calls(call, "get_num_groups"))
        return clopt_build(source, call, "$v", replica->merging->count);
    if (clopt_node_calls(call, "get_global_size"))
        return clopt_build(source, call, "$v * get_local_size($u)", replica->merging->count, d);
    struct clopt_node *group = add_item(
        replica, clopt_build(source, call, "$u * get_group_id($u)", merge->factor, d), call, 1);
    return clopt_node_calls(call, "get_group_id")
               ? group
               : clopt_build(source, call, "$n * get_local_size($u) + get_local_id($u)", group, d,
                             d);
}

static struct clopt_node *make_copy_call(const struct replica *replica,
                                         const struct clopt_cloning *cloning,
                                         const struct clopt_node *call)
{
    const struct clopt_merging *merging = replica->merging;
    struct clopt_source *source = merging->source;
    struct clopt_nodes arguments = {0};
    for (size_t i = 0; i < call->child_count; i++)
        clopt_nodes_add(source, &arguments, clopt_clone(cloning, call->children[i]));
    clopt_nodes_add(source, &arguments,
                    replica->given ? clopt_build(source, call, "$v", replica->given)
                                   : clopt_build(source, call, "$u", replica->item));
    if (merging->merge.groups)
        clopt_nodes_put(source, &arguments, call, "$v", merging->count);
    return clopt_build(source, call, "$s($N)", merging->copies[call->callee->index], &arguments);
}

struct clopt_node *clopt_merging_node(const struct clopt_merging *merging,
                                      const struct clopt_cloning *cloning,
                                      const struct clopt_node *node, unsigned item,
                                      struct clopt_variable *given)
{
    const struct replica replica = {merging, item, given};
    const struct clopt_merge *merge = &merging->merge;
    if (!merge->groups && clopt_node_group_begin(node) == merge->dimension)
        return clopt_build(merging->source, node, "$u * (get_global_id($u) - get_local_id($u))",
                           merge->factor, merge->dimension, merge->dimension);
    if (node->kind != CLOPT_NODE_CALL)
        return NULL;
    if (node->callee)
        return merging->copies[node->callee->index] ? make_copy_call(&replica, cloning, node)
                                                    : NULL;
    if (!in_dimension(merge, node) || (!is_id(merge, node) && !is_size(merge, node)))
        return NULL;
    if (merge->groups)
        return make_group_identity(&replica, node);
    return is_id(merge, node) ? make_id(&replica, node)
                              : clopt_build(merging->source, node, "$u * $s($u)", merge->factor,
                                            node->name, merge->dimension);
}

/* ---- what cannot be merged ---- */

/* Whether a call asks for an identity or size of a dimension that is no constant. */
static bool varies(const struct clopt_node *node, const void *merge)
{
    return (is_id(merge, node) || is_size(merge, node)) && node->child_count == 1 &&
           !node->children[0]->known;
}

/* Whether a call asks what cannot be answered for merged work-items. Merged work-groups keep their
 * sub-groups. */
static bool is_unknown(const struct clopt_node *node, const void *user)
{
    const struct clopt_merge *merge = user;
    static const char *const names[] = {"get_global_offset",
                                        "get_global_linear_id",
                                        "get_local_linear_id",
                                        "get_enqueued",
                                        "work_group_",
                                        "enqueue_",
                                        "intel_"};
    if (node->kind != CLOPT_NODE_CALL || node->callee ||
        clopt_node_calls(node, "work_group_barrier"))
        return false;
    if (clopt_call_is_of_sub_group(node))
        return !merge->groups;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (clopt_name_starts(node->name, names[i]))
            return true;
    return false;
}

static enum clopt_status check_calls(const struct clopt_merging *merging,
                                     const struct clopt_node *body, struct clopt_error *error)
{
    const struct clopt_node *call = clopt_node_search(body, varies, &merging->merge);
    if (call)
        return clopt_source_refuse(merging->source, call, error,
                                   "%s of a dimension that is not constant", call->name);
    call = clopt_node_search(body, is_unknown, &merging->merge);
    if (call && clopt_call_is_of_sub_group(call))
        return clopt_source_refuse(merging->source, call, error,
                                   "%s: other work-items would be a sub-group; "
                                   "geometry(merge=groups) keeps sub-groups whole",
                                   call->name);
    return call ? clopt_source_refuse(merging->source, call, error,
                                      "%s, whose result depends on the number of work-items",
                                      call->name)
                : CLOPT_OK;
}

struct caller {
    const struct clopt_merging *merging;
    const struct clopt_function *function;
};

/* Whether a call is that of the kernel, or of a function whose copy would follow the caller. */
static bool is_early(const struct clopt_node *node, const void *user)
{
    const struct caller *caller = user;
    const struct clopt_merging *merging = caller->merging;
    const struct clopt_function *callee = node->callee;
    return callee && (callee == merging->source->kernel ||
                      (merging->copies[callee->index] && callee->begin > caller->function->begin));
}

/* What a part of the program needs is checked before any of it is printed. */
static enum clopt_status check_program(const struct clopt_merging *merging,
                                       struct clopt_error *error)
{
    struct clopt_source *source = merging->source;
    const struct clopt_function *kernel = source->kernel;
    if (kernel->effects & CLOPT_EFFECT_GOTO)
        return clopt_source_refuse(source, clopt_node_find_effect(kernel->body, CLOPT_EFFECT_GOTO),
                                   error, "%s uses goto" CLOPT_GOTO_OF_RETURN, kernel->name);
    for (size_t i = 0; i < source->function_count; i++) {
        const struct clopt_function *function = source->functions[i];
        const struct caller caller = {merging, function};
        CLOPT_TRY(check_calls(merging, function->body, error));
        const struct clopt_node *call = clopt_node_search(function->body, is_early, &caller);
        if (call && call->callee == kernel)
            return clopt_source_refuse(source, function->body, error, "%s is called by %s",
                                       kernel->name, function->name);
        if (call)
            return clopt_source_refuse(source, function->body, error,
                                       "%s is defined after %s, which calls it", call->callee->name,
                                       function->name);
    }
    return CLOPT_OK;
}

/* ---- copies of functions ---- */

/* Whether a call asks for an identity or size, itself or through the function that it calls. */
static bool asks(const struct clopt_node *node, const void *user)
{
    const struct clopt_merging *merging = user;
    if (node->kind != CLOPT_NODE_CALL)
        return false;
    return node->callee ? merging->copies[node->callee->index] != NULL
                        : in_dimension(&merging->merge, node) &&
                              (is_id(&merging->merge, node) || is_size(&merging->merge, node));
}

/* Functions that ask for identities or sizes get a copy, and so do those that call them. */
static void choose_copies(struct clopt_merging *merging)
{
    struct clopt_source *source = merging->source;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = source->function_count; i-- > 1;) {
            const struct clopt_function *function = source->functions[i];
            if (merging->copies[i] || !clopt_node_search(function->body, asks, merging))
                continue;
            merging->copies[i] =
                clopt_source_unique_name(source, function->name, merging->merge.factor);
            changed = true;
        }
    }
}

/* Makes the parameters that tell which part of a parameter's local memory each group has. */
static enum clopt_status make_parts(struct clopt_merging *merging, struct clopt_error *error)
{
    const struct clopt_function *kernel = merging->source->kernel;
    size_t added = 1; /* the number of groups */
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        const struct clopt_variable *parameter = kernel->parameters[i];
        if (!parameter->is_pointer || parameter->pointee != CLOPT_SPACE_LOCAL)
            continue;
        if (added++ == CLOPT_MOST_ADDED)
            return clopt_source_refuse(merging->source, kernel->body, error,
                                       "more than %d arguments lead to local memory, of which "
                                       "merged work-groups need some each",
                                       CLOPT_MOST_ADDED - 1);
        merging->parts[i] =
            clopt_variable_make(merging->source, "ulong", "", "%s_bytes", parameter->name);
    }
    return CLOPT_OK;
}

enum clopt_status clopt_merging_init(struct clopt_merging *merging, struct clopt_source *source,
                                     struct clopt_merge merge, struct clopt_error *error)
{
    *merging = (struct clopt_merging){.source = source, .merge = merge};
    if (merge.groups)
        merging->count = clopt_variable_make(source, "ulong", "", "groups_%u", merge.dimension);
    merging->copies = clopt_source_table(source, source->function_count, sizeof *merging->copies);
    merging->parts =
        clopt_source_table(source, source->kernel->parameter_count, sizeof *merging->parts);
    choose_copies(merging);
    CLOPT_TRY(merge.groups ? make_parts(merging, error) : CLOPT_OK);
    return check_program(merging, error);
}

/* Lets work-items stay that return while others go on to a collective call, and those of groups
 * past the last one. */
static enum clopt_status guard_returns(struct clopt_source *source, const struct clopt_merge *merge,
                                       const struct clopt_divergence *divergence,
                                       struct clopt_error *error)
{
    struct clopt_node *body = source->kernel->body;
    struct clopt_nodes returns = {0};
    for (size_t i = 0; i < body->child_count; i++)
        if (clopt_node_is_early_return(body->children[i]) &&
            clopt_node_is_region(divergence, body->children[i]))
            clopt_nodes_add(source, &returns, body->children[i]);
    struct clopt_node *there =
        merge->groups ? clopt_build(source, body, "get_group_id($u) < get_num_groups($u)",
                                    merge->dimension, merge->dimension)
                      : NULL;
    return clopt_returns_guard(source, there, &returns, divergence, error);
}

/* Finds out what differs in a group, where each launch has groups of one size. */
static void look_at_group(const struct clopt_transform *transform, struct clopt_merging *merging)
{
    const struct clopt_ndrange *ndrange = transform->ndrange;
    const struct clopt_identity identity = {
        .dimension = CLOPT_ANY_DIMENSION, .local = merging->local, .local_id = true};
    if (!ndrange || merging->merge.groups)
        return;
    for (unsigned d = 0; d < 3; d++) {
        merging->local[d] = d < ndrange->dimensions ? ndrange->local[d] : 1;
        if (d < ndrange->dimensions && !transform->change.local_only[d])
            return;
    }
    merging->group = clopt_divergence_create(merging->source, identity);
}

enum clopt_status clopt_merging_prepare(const struct clopt_transform *transform,
                                        struct clopt_source **source, struct clopt_merge merge,
                                        bool inside, struct clopt_merging *merging,
                                        struct clopt_divergence **divergence,
                                        struct clopt_error *error)
{
    const struct clopt_identity identity = {
        .dimension = merge.dimension,
        .local_id = !merge.groups,
        .group_id = merge.groups,
        .inside = inside,
        .block = merge.groups ? 0 : (size_t)merge.factor * merge.stride,
    };
    *divergence = clopt_divergence_create(*source, identity);
    CLOPT_TRY(guard_returns(*source, &merge, *divergence, error));
    CLOPT_TRY(clopt_source_reread(transform, source, error));
    CLOPT_TRY(clopt_returns_join(transform, source, identity, error));
    CLOPT_TRY(clopt_merging_init(merging, *source, merge, error));
    look_at_group(transform, merging);
    *divergence = clopt_divergence_create(*source, identity);
    return CLOPT_OK;
}

struct clone {
    const struct clopt_merging *merging;
    struct clopt_cloning cloning;
    struct clopt_variable *item;
};

static struct clopt_node *make_node_of_copy(void *user, const struct clopt_node *node)
{
    const struct clone *clone = user;
    return clopt_merging_node(clone->merging, &clone->cloning, node, 0, clone->item);
}

enum clopt_status clopt_merging_finish(const struct clopt_merging *merging,
                                       struct clopt_error *error)
{
    const struct clopt_merge *merge = &merging->merge;
    struct clopt_source *source = merging->source;
    struct clopt_variable *item = clopt_variable_make(source, "const uint", "", "item");
    struct clone clone = {.merging = merging, .item = item};
    clone.cloning = (struct clopt_cloning){
        .source = source, .user = &clone, .node = make_node_of_copy, .plain = true};
    size_t count = source->function_count;
    for (size_t i = 1; i < count; i++) {
        if (!merging->copies[i])
            continue;
        struct clopt_function *copy = clopt_function_copy(&clone.cloning, source->functions[i]);
        copy->name = merging->copies[i];
        clopt_function_add_parameter(source, copy, item);
        if (merge->groups)
            clopt_function_add_parameter(source, copy, merging->count);
    }
    if (merge->groups) {
        clopt_function_add_parameter(source, source->kernel, merging->count);
        for (size_t i = 0; i < source->kernel->parameter_count; i++)
            if (merging->parts[i])
                clopt_function_add_parameter(source, source->kernel, merging->parts[i]);
        return CLOPT_OK;
    }
    return clopt_kernel_divide_size(source, merge->dimension, (size_t)merge->factor * merge->stride,
                                    merge->factor, error);
}
