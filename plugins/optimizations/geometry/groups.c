/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a kernel ready for the merging of its work-groups. */
#include "groups.h"

#include <string.h>

static enum clopt_status check_parameters(const struct clopt_source *source,
                                          struct clopt_error *error)
{
    const struct clopt_function *kernel = clopt_source_kernel(source);
    for (size_t i = 0; i < kernel->parameter_count; i++)
        if (kernel->parameters[i]->is_pointer &&
            kernel->parameters[i]->pointee == CLOPT_SPACE_LOCAL)
            return clopt_source_refuse(source, kernel->body, error,
                                       "the host sets the size of the local memory that %s points "
                                       "to, and merged work-groups need some each",
                                       kernel->parameters[i]->name);
    return CLOPT_OK;
}

static bool declares_local(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_DECLARE && node->child_count &&
           node->children[0]->variable->space == CLOPT_SPACE_LOCAL;
}

/* Puts the body with the return in front, behind the declarations of local memory: these must stand
 * in the outermost scope. All that goes into one line, so that messages still name the right one.
 */
static void put_body(const struct clopt_source *source, struct clopt_output *output,
                     unsigned dimension, const char *count)
{
    const struct clopt_node *body = clopt_source_kernel(source)->body;
    size_t at = body->begin + 1;
    clopt_output_put(output, "{");
    for (size_t i = 0; i < body->child_count; i++)
        if (declares_local(body->children[i])) {
            clopt_output_put(output, " ");
            clopt_output_copy(output, source, body->children[i]->begin, body->children[i]->stop);
        }
    clopt_output_printf(output, " if (get_group_id(%u) >= %s) return;", dimension, count);
    for (size_t i = 0; i < body->child_count; i++)
        if (declares_local(body->children[i])) {
            clopt_output_copy(output, source, at, body->children[i]->begin);
            at = body->children[i]->stop;
        }
    clopt_output_copy(output, source, at, body->stop);
}

static void put_program(const struct clopt_source *source, struct clopt_output *output,
                        unsigned dimension, const char *count)
{
    const struct clopt_function *kernel = clopt_source_kernel(source);
    size_t close = kernel->parameters_end;
    size_t prototype = kernel->prototype_end < kernel->begin ? kernel->prototype_end : 0;
    clopt_output_copy(output, source, 0, prototype);
    if (prototype)
        clopt_output_put(output, kernel->parameter_count ? ", ulong" : "ulong");
    clopt_output_copy(output, source, prototype, close);
    clopt_output_printf(output, "%sulong %s", kernel->parameter_count ? ", " : "", count);
    clopt_output_copy(output, source, close, kernel->body->begin);
    put_body(source, output, dimension, count);
    clopt_output_copy(output, source, kernel->body->stop, strlen(clopt_source_text(source)));
}

enum clopt_status groups_prepare(const struct clopt_transform *transform, unsigned dimension,
                                 struct clopt_source **source, struct clopt_error *error)
{
    const char *file = clopt_transform_file(transform);
    const char *options = clopt_transform_options(transform);
    const char *kernel = clopt_transform_kernel(transform);
    struct clopt_output *output = clopt_output_create();
    enum clopt_status status =
        clopt_transform_parse_inlined(transform, CLOPT_INLINE_BARRIERS, source, error);
    if (!status)
        status = check_parameters(*source, error);
    const char *count = status ? NULL : clopt_source_fresh(*source, "groups", dimension);
    if (!status && output && count)
        put_program(*source, output, dimension, count);
    const char *text = output ? clopt_output_text(output) : NULL;
    if (!status && (!count || !text))
        status = clopt_fail_memory(error);
    clopt_source_destroy(*source);
    *source = NULL;
    if (!status)
        status = clopt_source_create(file, text, clopt_output_lines(output), options, kernel,
                                     source, error);
    clopt_output_destroy(output);
    return status;
}
