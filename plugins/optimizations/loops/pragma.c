/* SPDX-License-Identifier: BSD-3-Clause */
/* Leaves unrolling to the compiler. */
#include "pragma.h"

#include <string.h>

#include <clopt/loop.h>

struct pragmas {
    struct clopt_rewriting *rewriting;
    const struct clopt_node *inside; /* what is printed behind its pragma just now */
};

static void put_pragma(struct pragmas *pragmas, const struct clopt_node *loop)
{
    struct clopt_rewriting *rewriting = pragmas->rewriting;
    clopt_output_begin_line(rewriting->output);
    int factor = rewriting->factors[loop->index];
    clopt_output_put(rewriting->output, "#pragma unroll");
    if (factor)
        clopt_output_printf(rewriting->output, " %d", factor);
    clopt_output_put(rewriting->output, "\n");
    pragmas->inside = loop;
    clopt_print(&rewriting->printer, rewriting->output, loop);
}

/* What stands in front of a loop goes if it says how to unroll it. */
static bool says_unroll(const struct clopt_source *source, const struct clopt_node *statement)
{
    const char *begin = clopt_source_text(source) + statement->begin;
    const char *found = strstr(begin, "unroll");
    return found && found < clopt_source_text(source) + statement->body->begin;
}

static bool replace(void *user, struct clopt_output *output, const struct clopt_node *node)
{
    struct pragmas *pragmas = user;
    struct clopt_rewriting *rewriting = pragmas->rewriting;
    const struct clopt_node *loop = node->kind == CLOPT_NODE_ATTRIBUTED ? node->body : node;
    (void)output;
    if (!clopt_node_is_loop(loop) || rewriting->factors[loop->index] < 0 || loop == pragmas->inside)
        return false;
    if (loop != node && !says_unroll(rewriting->source, node)) {
        if (!rewriting->status)
            rewriting->status = clopt_source_refuse(
                rewriting->source, node, rewriting->error,
                "the loop has another pragma or attribute, so it gets no #pragma unroll");
        return true;
    }
    put_pragma(pragmas, loop);
    return true;
}

enum clopt_status pragma_apply(struct clopt_transform *transform,
                               const struct unroll_request *request, struct clopt_error *error)
{
    struct clopt_rewriting rewriting;
    struct pragmas pragmas = {.rewriting = &rewriting};
    enum clopt_status status =
        clopt_rewriting_init(&rewriting, transform, request->loops, request->factor, error);
    if (!status) {
        rewriting.printer.user = &pragmas;
        rewriting.printer.replace = replace;
        status = clopt_rewriting_finish(&rewriting, transform);
    }
    clopt_rewriting_fini(&rewriting);
    return status;
}
