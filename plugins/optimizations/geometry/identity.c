/* SPDX-License-Identifier: BSD-3-Clause */
/* What merged work-items see as their identity: the NDRange that the initial code was written for.
 *
 * Work-item l of a coarsened group does the work of l / s * (f * s) + l % s + r * s for r = 0 .. f
 * - 1 (formula 3 of the paper), s being the stride and f the factor. Groups hold whole multiples of
 * f * s work-items, so the same formula maps global identities. */
#include "identity.h"

#include <string.h>

static bool is_named(const struct clopt_node *call, const char *name)
{
    return strcmp(call->name, name) == 0;
}

static bool in_dimension(const struct replication *replication, const struct clopt_node *call)
{
    return call->child_count == 1 && call->children[0]->known &&
           call->children[0]->value == replication->request.dimension;
}

static bool is_id(const struct clopt_node *call)
{
    return is_named(call, "get_global_id") || is_named(call, "get_local_id");
}

static bool is_size(const struct clopt_node *call)
{
    return is_named(call, "get_global_size") || is_named(call, "get_local_size");
}

/* Whether an expression may stand there without parentheses. */
static bool stands_free(const struct clopt_node *node)
{
    const struct clopt_node *parent = node->parent;
    if (!parent)
        return false;
    return parent->kind == CLOPT_NODE_DECLARATOR || parent->kind == CLOPT_NODE_PAREN ||
           parent->kind == CLOPT_NODE_RETURN || parent->kind == CLOPT_NODE_CALL ||
           (parent->kind == CLOPT_NODE_ASSIGN && parent->children[1] == node) ||
           (parent->kind == CLOPT_NODE_SUBSCRIPT && parent->children[1] == node);
}

static void put_id(struct replication *replication, const char *name)
{
    const struct coarsening_request *request = &replication->request;
    struct clopt_output *output = replication->output;
    unsigned d = request->dimension;
    unsigned factor = request->factor;
    unsigned stride = request->stride;
    if (stride == 1)
        clopt_output_printf(output, "%u * %s(%u)", factor, name, d);
    else
        clopt_output_printf(output, "%s(%u) / %u * %u + %s(%u) %% %u", name, d, stride,
                            factor * stride, name, d, stride);
    if (replication->item && stride == 1)
        clopt_output_printf(output, " + %s", replication->item);
    else if (replication->item)
        clopt_output_printf(output, " + %s * %u", replication->item, stride);
    else if (replication->replica)
        clopt_output_printf(output, " + %u", replication->replica * stride);
}

bool identity_replace(struct replication *replication, const struct clopt_node *call)
{
    if ((!is_id(call) && !is_size(call)) || !in_dimension(replication, call))
        return false;
    bool free = stands_free(call);
    clopt_output_put(replication->output, free ? "" : "(");
    if (is_id(call))
        put_id(replication, call->name);
    else
        clopt_output_printf(replication->output, "%u * %s(%u)", replication->request.factor,
                            call->name, replication->request.dimension);
    clopt_output_put(replication->output, free ? "" : ")");
    return true;
}

static bool starts(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

static enum clopt_status check_call(const struct replication *replication,
                                    const struct clopt_node *call, struct clopt_error *error)
{
    static const char *const unknown[] = {
        "get_global_offset",
        "get_global_linear_id",
        "get_local_linear_id",
        "get_enqueued",
        "sub_group_",
        "get_sub_group",
        "get_max_sub_group",
        "get_num_sub_group",
        "work_group_",
        "get_enqueued_num_sub_",
        "enqueue_",
        "intel_",
    };
    if ((is_id(call) || is_size(call)) && call->child_count == 1 && !call->children[0]->known)
        return clopt_source_refuse(replication->source, call, error,
                                   "%s of a dimension that is no constant", call->name);
    if (call->callee)
        return CLOPT_OK;
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        if (starts(call->name, unknown[i]) && !is_named(call, "work_group_barrier"))
            return clopt_source_refuse(replication->source, call, error,
                                       "%s, whose result depends on the number of work-items",
                                       call->name);
    return CLOPT_OK;
}

enum clopt_status identity_check(const struct replication *replication,
                                 const struct clopt_node *node, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    if (node->kind == CLOPT_NODE_CALL)
        status = check_call(replication, node, error);
    for (size_t i = 0; !status && i < node->child_count; i++)
        status = identity_check(replication, node->children[i], error);
    return status;
}

bool identity_used(const struct replication *replication, const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_CALL) {
        if ((is_id(node) || is_size(node)) && in_dimension(replication, node))
            return true;
        if (node->callee && replication->clones[node->callee->index])
            return true;
    }
    for (size_t i = 0; i < node->child_count; i++)
        if (identity_used(replication, node->children[i]))
            return true;
    return false;
}
