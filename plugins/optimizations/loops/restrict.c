/* SPDX-License-Identifier: BSD-3-Clause */
/* Promises that pointers do not overlap. */
#include <string.h>

#include "loops.h"

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

enum clopt_status restrict_apply(struct clopt_transform *transform, struct clopt_error *error)
{
    const struct clopt_ndrange_change change = {.distinct_buffers = true};
    enum clopt_status status =
        clopt_transform_edit(transform, CLOPT_INLINE_NONE, edit_pointers, NULL, error);
    return status ? status : clopt_transform_change_ndrange(transform, &change, error);
}
