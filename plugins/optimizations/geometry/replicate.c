/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a kernel for merged work-items. */
#include "replicate.h"

#include <string.h>

#include "leave.h"

/* A region is executed by one merged work-item after the other, so nothing in it may wait. */
static enum clopt_status check_waiting(const struct replication *replication,
                                       const struct clopt_node *node, struct clopt_error *error)
{
    const struct clopt_divergence *divergence = replication->divergence;
    if (clopt_node_is_region(divergence, node)) {
        const struct clopt_node *call = clopt_node_find_collective(node);
        if (call)
            return clopt_source_refuse(replication->source, call, error,
                                       "%s inside a divergent region", call->name);
        return CLOPT_OK;
    }
    if (clopt_call_is_collective(node) && clopt_node_diverges(divergence, node))
        return clopt_source_refuse(replication->source, node, error,
                                   "%s with arguments that diverge", node->name);
    for (size_t i = 0; i < node->child_count; i++) {
        enum clopt_status status = check_waiting(replication, node->children[i], error);
        if (status)
            return status;
    }
    return CLOPT_OK;
}

/* Puts copies of the parameters that come to differ. */
static void emit_parameters(struct replication *replication)
{
    const struct clopt_function *kernel = clopt_source_kernel(replication->source);
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        const struct clopt_variable *parameter = kernel->parameters[i];
        if (!clopt_variable_diverges(replication->divergence, parameter))
            continue;
        for (unsigned r = 1; r < replication->request.factor; r++) {
            const char *name =
                replication->names[parameter->index * replication->request.factor + r];
            replication_put(replication, "\n");
            for (const char *at = parameter->type; *at;) {
                size_t skip = strncmp(at, "restrict", 8) == 0    ? 8
                              : strncmp(at, "__private", 9) == 0 ? 9
                                                                 : 0;
                at += skip;
                if (!skip)
                    clopt_output_printf(replication->output, "%c", *at++);
            }
            clopt_output_printf(replication->output, " %s = %s;", name, parameter->name);
        }
    }
}

enum clopt_status replicate_kernel(struct replication *replication, struct clopt_error *error)
{
    const struct clopt_node *body = clopt_source_kernel(replication->source)->body;
    enum clopt_status status = leave_check(replication, body, error);
    if (!status)
        status = check_waiting(replication, body, error);
    if (status)
        return status;
    const char *flags[COARSENING_MOST] = {NULL};
    replication->flags = flags;
    replication_put(replication, "{");
    emit_parameters(replication);
    leave_emit_body(replication, body, 0, body->begin + 1);
    replication_put(replication, "}");
    if (replication->exhausted)
        return clopt_fail_memory(error);
    if (replication->unguarded)
        return clopt_source_refuse(
            replication->source, replication->unguarded, error,
            replication->unguarded->parent->kind == CLOPT_NODE_LIST
                ? "structure in a list of initial values that not all merged work-items compute:"
                  " assign it instead"
                : "memory access in the head of a loop behind a return that diverges");
    return CLOPT_OK;
}
