/* SPDX-License-Identifier: BSD-3-Clause */
/* Promises that pointers do not overlap. */
#include "restrict.h"

#include <string.h>

#include <clopt/rewrite.h>

static bool is_meant(const struct clopt_variable *parameter)
{
    return parameter->is_pointer && !strstr(parameter->type, "restrict") &&
           (parameter->pointee == CLOPT_SPACE_GLOBAL || parameter->pointee == CLOPT_SPACE_LOCAL);
}

enum clopt_status restrict_apply(struct clopt_transform *transform, struct clopt_error *error)
{
    struct clopt_source *source = NULL;
    unsigned promised = 0;
    enum clopt_status status = clopt_transform_parse(transform, &source, error);
    const struct clopt_function *kernel = status ? NULL : source->kernel;
    for (size_t i = 0; kernel && i < kernel->parameter_count; i++)
        promised += is_meant(kernel->parameters[i]) &&
                    clopt_parameter_qualify(source, kernel->parameters[i], "restrict");
    if (!status && !promised)
        status = clopt_source_refuse(source, kernel->body, error,
                                     "restrict: no pointer is left to be declared so");
    if (!status)
        status = clopt_transform_set_tree(transform, source, error);
    const struct clopt_ndrange_change change = {.distinct_buffers = true};
    if (!status)
        status = clopt_transform_change_ndrange(transform, &change, error);
    clopt_source_destroy(source);
    return status;
}
