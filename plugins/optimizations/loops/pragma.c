/* SPDX-License-Identifier: BSD-3-Clause */
/* Leaves unrolling to the compiler. */
#include <string.h>

#include <clopt/loop.h>

#include "loops.h"

/* What is in front of a loop goes if it says how to unroll it. */
static bool says_unroll(const struct clopt_source *source, const struct clopt_node *statement)
{
    const char *begin = source->text + statement->begin;
    const char *found = strstr(begin, "unroll");
    return found && found < source->text + statement->body->begin;
}

static enum clopt_status change(void *user, struct clopt_rewriting *rewriting,
                                struct clopt_node *loop, struct clopt_error *error)
{
    struct clopt_source *source = rewriting->source;
    struct clopt_node *place = loop->parent->kind == CLOPT_NODE_ATTRIBUTED ? loop->parent : loop;
    unsigned factor = (unsigned)rewriting->factors[loop->index];
    (void)user;
    if (place != loop && !says_unroll(source, place))
        return clopt_source_refuse(
            source, place, error,
            "the loop has another pragma or attribute, so it gets no #pragma unroll");
    struct clopt_node *pragma = factor ? clopt_build(source, loop, "#pragma unroll $u\n;", factor)
                                       : clopt_build(source, loop, "#pragma unroll\n;");
    clopt_replace(source, place, pragma);
    clopt_replace(source, pragma->body, place == loop ? loop : clopt_remove(source, loop));
    return CLOPT_OK;
}

enum clopt_status pragma_apply(struct clopt_transform *transform,
                               const struct unroll_request *request, struct clopt_error *error)
{
    return clopt_loops_rewrite(transform, request->loops, request->factor, change, NULL, error);
}
