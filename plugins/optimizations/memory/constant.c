/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves buffers into constant memory. */
#include "memory.h"

/* Makes one parameter __constant, unless another variable would have to change with it. */
static enum clopt_status change(void *accesses, struct clopt_source *source, unsigned number,
                                struct clopt_error *error)
{
    const struct clopt_node *body = source->kernel->body;
    struct clopt_variable *parameter = source->kernel->parameters[number];
    const struct clopt_node *write = buffers_find_write(accesses, parameter);
    const struct clopt_node *other = clopt_variable_find_other_use(parameter, body, false);
    if (write || other)
        return clopt_source_refuse(source, write ? write : other, error,
                                   write ? "constant: %s may be written here"
                                         : "constant: %s is used here other than by its elements",
                                   parameter->name);
    if (source->prototype_end)
        return clopt_source_refuse(source, body, error, "constant: the kernel has a prototype");
    clopt_parameter_set_space(source, parameter, CLOPT_SPACE_CONSTANT);
    return CLOPT_OK;
}

static enum clopt_status edit(void *names, struct clopt_source *source, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_accesses) accesses = {0};
    const struct buffers buffers = {
        .step = "constant", .names = names, .user = &accesses, .change = change};
    clopt_accesses_add(&accesses, source->kernel->body);
    return buffers_change(&buffers, source, error);
}

enum clopt_status constant_apply(struct clopt_transform *transform, const char *names,
                                 struct clopt_error *error)
{
    /* What is written through another pointer is another buffer: launches are checked. */
    const struct clopt_ndrange_change change = {.distinct_buffers = true};
    CLOPT_TRY(clopt_transform_edit(transform, CLOPT_INLINE_LOOPS, edit, (void *)names, error));
    return clopt_transform_change_ndrange(transform, &change, error);
}
