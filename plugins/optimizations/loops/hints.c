/* SPDX-License-Identifier: BSD-3-Clause */
/* What the compiler is told: how to unroll loops, and that pointers do not overlap. */
#include "loops.h"

/* Whether what is in front of a loop has a word. */
static bool says(const struct clopt_source *source, const struct clopt_node *statement,
                 const char *word)
{
    const char *begin = source->text + statement->begin;
    const char *found = strstr(begin, word);
    return found && found < source->text + statement->body->begin;
}

enum clopt_status loops_check_marked(const struct clopt_rewriting *rewriting,
                                     const struct clopt_node *loop, struct clopt_error *error)
{
    const struct clopt_node *statement = loop->parent;
    bool numbered = *rewriting->loops >= '1' && *rewriting->loops <= '9';
    return !numbered && statement->kind == CLOPT_NODE_ATTRIBUTED &&
                   says(rewriting->source, statement, "nounroll")
               ? clopt_source_refuse(rewriting->source, statement, error,
                                     "#pragma nounroll is before the loop (its number in "
                                     "loops = unrolls it all the same)")
               : CLOPT_OK;
}

/* What is in front of a loop goes if it says how to unroll it. */
static enum clopt_status change(void *user, struct clopt_rewriting *rewriting,
                                struct clopt_node *loop, struct clopt_error *error)
{
    struct clopt_source *source = rewriting->source;
    struct clopt_node *target = loop->parent->kind == CLOPT_NODE_ATTRIBUTED ? loop->parent : loop;
    unsigned factor = (unsigned)rewriting->factors[loop->index];
    (void)user;
    CLOPT_TRY(loops_check_marked(rewriting, loop, error));
    if (target != loop && !says(source, target, "unroll"))
        return clopt_source_refuse(
            source, target, error,
            "the loop has another pragma or attribute, so it gets no #pragma unroll");
    struct clopt_node *pragma = factor ? clopt_build(source, loop, "#pragma unroll $u\n;", factor)
                                       : clopt_build(source, loop, "#pragma unroll\n;");
    clopt_replace(source, target, pragma);
    clopt_replace(source, pragma->body, target == loop ? loop : clopt_remove(source, loop));
    return CLOPT_OK;
}

enum clopt_status pragma_apply(struct clopt_transform *transform, const char *loops,
                               unsigned factor, struct clopt_error *error)
{
    return clopt_loops_rewrite(transform, loops, factor, change, NULL, error);
}

/* Declares the kernel's pointers to global and local memory restrict. */
static enum clopt_status edit_pointers(void *user, struct clopt_source *source,
                                       struct clopt_error *error)
{
    const struct clopt_function *kernel = source->kernel;
    unsigned promised = 0;
    (void)user;
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        const struct clopt_variable *parameter = kernel->parameters[i];
        bool shared =
            parameter->pointee == CLOPT_SPACE_GLOBAL || parameter->pointee == CLOPT_SPACE_LOCAL;
        promised += parameter->is_pointer && shared && !strstr(parameter->type, "restrict") &&
                    clopt_parameter_qualify(source, parameter, "restrict");
    }
    return promised ? CLOPT_OK
                    : clopt_source_refuse(source, kernel->body, error,
                                          "restrict: no pointer is left to be declared so");
}

enum clopt_status restrict_apply(struct clopt_transform *transform, const char *loops,
                                 unsigned factor, struct clopt_error *error)
{
    (void)loops, (void)factor;
    const struct clopt_ndrange_change change = {.distinct_buffers = true};
    CLOPT_TRY(clopt_transform_edit(transform, CLOPT_INLINE_NONE, edit_pointers, NULL, error));
    return clopt_transform_change_ndrange(transform, &change, error);
}
