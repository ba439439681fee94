/* SPDX-License-Identifier: BSD-3-Clause */
/* Guards that a launch makes needless: if (i < n), where i is an identity and n an argument. */
#include "branches.h"

struct guards {
    struct clopt_source *source;
    struct clopt_ndrange_change change; /* what launches have to be */
};

/* ---- conditions ---- */

/* The number of the kernel's argument that an expression is, as it is passed; -1: it is none. */
static int argument_of(const struct guards *guards, const struct clopt_node *node)
{
    const struct clopt_function *kernel = guards->source->kernel;
    node = clopt_node_bare(node);
    const struct clopt_node *value =
        node->kind == CLOPT_NODE_CAST ? clopt_node_bare(node->children[0]) : node;
    if (value->kind != CLOPT_NODE_VARIABLE || !value->variable->bits || value->variable->changed ||
        node->bits < value->variable->bits ||
        (node->bits == value->variable->bits && node->is_signed && !value->variable->is_signed))
        return -1;
    for (size_t i = 0; i < kernel->parameter_count; i++)
        if (kernel->parameters[i] == value->variable)
            return (int)i;
    return -1;
}

/* Asks launches for no more work-items than an argument says; false: too much is asked. */
static bool require(struct guards *guards, unsigned argument, unsigned dimension)
{
    struct clopt_ndrange_change *change = &guards->change;
    for (size_t i = 0; i < change->multiple_count; i++)
        if (change->multiples[i].argument == argument &&
            change->multiples[i].covers == dimension + 1)
            return true;
    if (change->multiple_count == CLOPT_MOST_MULTIPLES)
        return false;
    change->multiples[change->multiple_count++] = (struct clopt_argument_multiple){
        .argument = argument, .multiple = 1, .covers = dimension + 1};
    return true;
}

/* Whether a comparison is one of an identity with an argument that holds (or does not hold) in all
 * launches that are asked for. */
static bool is_sure(void *user, const struct clopt_node *node, bool holds)
{
    struct guards *guards = user;
    bool less = clopt_node_is_operator(node, holds ? "<" : ">=");
    bool greater = clopt_node_is_operator(node, holds ? ">" : "<=");
    if (node->kind != CLOPT_NODE_BINARY || (!less && !greater))
        return false;
    int argument = argument_of(guards, node->children[less ? 1 : 0]);
    if (argument < 0)
        return false;
    const struct clopt_variable *bound = guards->source->kernel->parameters[argument];
    /* An identity below what an int holds is the same in one. */
    bool small = bound->bits < 32 || (bound->bits == 32 && bound->is_signed);
    unsigned dimension = clopt_node_identity(node->children[less ? 0 : 1], small ? 32 : 64);
    return dimension < 3 && require(guards, (unsigned)argument, dimension);
}

bool guards_reduce(struct clopt_source *source, struct clopt_node *node, bool holds,
                   clopt_condition_part test, void *user)
{
    while (node->kind == CLOPT_NODE_PAREN)
        node = node->children[0];
    if (node->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(node, "!"))
        return guards_reduce(source, node->children[0], !holds, test, user);
    if (node->kind != CLOPT_NODE_BINARY || !clopt_node_is_operator(node, holds ? "&&" : "||"))
        return !test(user, node, holds);
    bool left = guards_reduce(source, node->children[0], holds, test, user);
    bool right = guards_reduce(source, node->children[1], holds, test, user);
    if (left != right)
        clopt_replace_by(source, node, "$n", node->children[left ? 0 : 1]);
    return left || right;
}

/* ---- the kernel ---- */

/* What is inside goes first: it is moved with what holds it. */
static void open(struct guards *guards, struct clopt_node *node)
{
    struct clopt_source *source = guards->source;
    for (size_t i = node->child_count; i-- > 0;)
        open(guards, node->children[i]);
    if (node->kind != CLOPT_NODE_IF)
        return;
    bool holds = !guards_reduce(source, node->condition, true, is_sure, guards);
    if (!holds && guards_reduce(source, node->condition, false, is_sure, guards))
        return;
    struct clopt_node *left = holds ? node->body : node->otherwise;
    if (left)
        clopt_replace(source, node, clopt_remove(source, left));
    else if (node->parent->kind == CLOPT_NODE_COMPOUND)
        clopt_remove(source, node);
    else
        clopt_replace_by(source, node, ";");
}

static enum clopt_status edit(void *user, struct clopt_source *source, struct clopt_error *error)
{
    struct guards *guards = user;
    guards->source = source;
    open(guards, source->kernel->body);
    return guards->change.multiple_count
               ? CLOPT_OK
               : clopt_source_refuse(
                     source, source->kernel->body, error,
                     "guards: no condition of the kernel compares a global identity "
                     "with an argument, as in if (get_global_id(0) < n)");
}

enum clopt_status launch_is_as_it_was(const struct clopt_transform *transform, const char *step,
                                      struct clopt_error *error)
{
    for (unsigned d = 0; d < 3; d++)
        if (transform->change.merged_items[d] > 1 || transform->change.merged_groups[d] > 1 ||
            transform->change.divided_items[d] > 1)
            return clopt_fail(error, CLOPT_INFEASIBLE,
                              "%s: an earlier step has changed the number of work-items; put "
                              "branches before it",
                              step);
    return CLOPT_OK;
}

enum clopt_status guards_apply(struct clopt_transform *transform, struct clopt_error *error)
{
    struct guards guards = {.source = NULL};
    CLOPT_TRY(launch_is_as_it_was(transform, "guards", error));
    CLOPT_TRY(clopt_transform_edit(transform, CLOPT_INLINE_NONE, edit, &guards, error));
    return clopt_transform_change_ndrange(transform, &guards.change, error);
}
