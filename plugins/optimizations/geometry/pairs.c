/* SPDX-License-Identifier: BSD-3-Clause */
/* Work-groups that mirror each other: group (x, y) does the work of (y, x) as well, at the same
 * time. A matrix and what is transposed of it are then read once: what one of the two has read the
 * other one finds in a cache.
 *
 * The kernel becomes one of groups with two work-items in dimension 2, of which the second does the
 * other group's work, in local memory of its own; then these are merged. */
#include "coarsen.h"

struct pairing {
    struct clopt_cloning cloning;
    struct clopt_variable *groups[2]; /* the numbers of the one whose work is done */
    struct clopt_variable *side;      /* which of the two that is: 0, 1 */
};

static struct clopt_node *make_paired(void *user, const struct clopt_node *node)
{
    const struct pairing *pairing = user;
    unsigned group = clopt_node_dimension(node, "get_group_id");
    unsigned global = clopt_node_dimension(node, "get_global_id");
    unsigned begin = clopt_node_group_begin(node);
    if (node->kind == CLOPT_NODE_VARIABLE && node->variable->is_array &&
        node->variable->space == CLOPT_SPACE_LOCAL)
        return clopt_build(pairing->cloning.source, node, "$v[$v]", node->variable, pairing->side);
    if (begin < 2)
        return clopt_build(pairing->cloning.source, node, "$v * get_local_size($u)",
                           pairing->groups[begin], begin);
    if (group < 2)
        return clopt_build(pairing->cloning.source, node, "$v", pairing->groups[group]);
    return global < 2 ? clopt_build(pairing->cloning.source, node,
                                    "$v * get_local_size($u) + get_local_id($u)",
                                    pairing->groups[global], global, global)
                      : NULL;
}

/* Whether a call asks which group it is in, in a way that is not replaced: in a function, or of a
 * dimension that is no constant. */
static bool asks_group(const struct clopt_node *node, const void *function)
{
    bool identity =
        clopt_node_calls(node, "get_group_id") || clopt_node_calls(node, "get_global_id");
    if (node->kind == CLOPT_NODE_CALL && node->callee)
        return clopt_node_search(node->callee->body, asks_group, node->callee);
    return clopt_node_calls(node, "get_global_linear_id") ||
           (identity && (function || !node->child_count || !node->children[0]->known));
}

static enum clopt_status check_kernel(const struct clopt_source *source, struct clopt_error *error)
{
    const struct clopt_function *kernel = source->kernel;
    const struct clopt_node *node = clopt_node_find(kernel->body, CLOPT_NODE_RETURN);
    if (node)
        return clopt_source_refuse(source, node, error,
                                   "pairs: this return would end the work of both groups");
    node = clopt_node_search(kernel->body, asks_group, NULL);
    if (node)
        return clopt_source_refuse(source, node, error,
                                   "pairs: %s cannot be answered for both groups", node->name);
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        const struct clopt_variable *parameter = kernel->parameters[i];
        bool local = parameter->is_pointer && parameter->pointee == CLOPT_SPACE_LOCAL;
        if (local || parameter->changed)
            return clopt_source_refuse(source, kernel->body, error, "pairs: %s is %s",
                                       parameter->name,
                                       local ? "local memory that the kernel is given"
                                             : "a parameter that the kernel changes");
    }
    return CLOPT_OK;
}

/* Declares arrays in local memory twice as large: each group has a part of its own. */
static enum clopt_status double_local(struct clopt_source *source, struct clopt_error *error)
{
    size_t count = source->variable_count;
    for (size_t i = 0; i < count; i++) {
        struct clopt_variable *array = source->variables[i];
        char dimensions[256] = "[2]";
        size_t length = strlen(dimensions), extent;
        if (array->space != CLOPT_SPACE_LOCAL || !array->declarator)
            continue;
        if (!array->is_array)
            return clopt_source_refuse(source, array->declarator, error,
                                       "pairs: %s is local memory, but no array", array->name);
        for (size_t d = 0; (extent = clopt_variable_extent(array, d)) && length < 200; d++)
            length +=
                (size_t)snprintf(dimensions + length, sizeof dimensions - length, "[%zu]", extent);
        clopt_variable_resize(source, array, dimensions);
    }
    return CLOPT_OK;
}

/* Makes the second work-item of dimension 2 do the work of the group across the diagonal. */
static enum clopt_status mirror(struct clopt_source *source, struct clopt_error *error)
{
    struct clopt_node *body = source->kernel->body;
    struct pairing pairing = {.cloning = {.source = source, .user = &pairing, .node = make_paired}};
    struct clopt_variable *own[2];
    struct clopt_variable *paired = clopt_variable_make(source, "const bool", "", "paired");
    struct clopt_nodes list = {0};
    pairing.side = clopt_variable_make(source, "const int", "", "side");
    for (unsigned d = 0; d < 2; d++) {
        own[d] = clopt_variable_make(source, "const size_t", "", d ? "own_y" : "own_x");
        pairing.groups[d] =
            clopt_variable_make(source, "const size_t", "", d ? "group_y" : "group_x");
        clopt_nodes_put(source, &list, body, "$V = get_group_id($u);", own[d], d);
    }
    CLOPT_TRY(double_local(source, error));
    clopt_nodes_put(source, &list, body, "$V = $v < get_num_groups(1) && $v < get_num_groups(0);",
                    paired, own[0], own[1]);
    clopt_nodes_put(source, &list, body, "if ($v && $v > $v) return;", paired, own[0], own[1]);
    clopt_nodes_put(source, &list, body, "$V = get_local_id(2);", pairing.side);
    for (unsigned d = 0; d < 2; d++)
        clopt_nodes_put(source, &list, body, "$V = $v ? $v : $v;", pairing.groups[d], pairing.side,
                        own[1 - d], own[d]);
    clopt_nodes_put(source, &list, body, "if ($v && !($v && $v < $v)) return;", pairing.side,
                    paired, own[0], own[1]);
    clopt_nodes_add_body(&pairing.cloning, &list, body);
    clopt_replace_by(source, body, "{ $N }", &list);
    return CLOPT_OK;
}

enum clopt_status pairs_apply(struct clopt_transform *transform, struct clopt_error *error)
{
    const struct clopt_ndrange *ndrange = transform->ndrange;
    const struct clopt_merge request = {.factor = 2, .dimension = 2, .stride = 1, .whole = true};
    struct clopt_ndrange_change change;
    CLOPT_HELD(clopt_source) source = NULL;
    if (!ndrange || ndrange->dimensions != 2)
        return clopt_fail(error, CLOPT_INFEASIBLE,
                          "pairs = yes: %s is launched in other than two dimensions",
                          transform->kernel);
    CLOPT_TRY(clopt_transform_parse_inlined(transform, CLOPT_INLINE_ALL, &source, error));
    CLOPT_TRY(check_kernel(source, error));
    CLOPT_TRY(mirror(source, error));
    CLOPT_TRY(clopt_source_reread(transform, &source, error));
    transform->ndrange = NULL; /* launches have no dimension 2 */
    enum clopt_status status = coarsen_merge(transform, &request, &source, &change, error);
    transform->ndrange = ndrange;
    return status;
}
