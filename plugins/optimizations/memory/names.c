/* SPDX-License-Identifier: BSD-3-Clause */
/* Which parameters of a kernel are meant. */
#include "names.h"

#include <string.h>

bool names_are_given(const char *names)
{
    return strcmp(names, "all") != 0;
}

bool names_has(const char *names, const struct clopt_variable *parameter)
{
    size_t length = strlen(parameter->name);
    for (const char *at = names; names_are_given(names) && at; at = strchr(at, '+')) {
        at += *at == '+';
        if (strcspn(at, "+") == length && strncmp(at, parameter->name, length) == 0)
            return true;
    }
    return !names_are_given(names);
}

static bool is_parameter(const struct clopt_function *kernel, const char *name, size_t length)
{
    for (size_t i = 0; i < kernel->parameter_count; i++)
        if (kernel->parameters[i]->is_pointer && strlen(kernel->parameters[i]->name) == length &&
            strncmp(kernel->parameters[i]->name, name, length) == 0)
            return true;
    return false;
}

enum clopt_status names_check(const char *names, const struct clopt_source *source,
                              struct clopt_error *error)
{
    const struct clopt_function *kernel = source->kernel;
    for (const char *at = names; names_are_given(names) && at; at = strchr(at, '+')) {
        at += *at == '+';
        size_t length = strcspn(at, "+");
        if (!is_parameter(kernel, at, length))
            return clopt_fail(error, CLOPT_INFEASIBLE, "%s has no buffer %.*s", kernel->name,
                              (int)length, at);
    }
    return CLOPT_OK;
}
