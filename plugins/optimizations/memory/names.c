/* SPDX-License-Identifier: BSD-3-Clause */
/* Changes the buffers of a kernel that are meant. */
#include "memory.h"

/* Whether parameters are named: then all of them are to be changed, else those that can be. */
static bool are_given(const char *names)
{
    return strcmp(names, "all") != 0;
}

bool names_has(const char *names, const struct clopt_variable *parameter)
{
    size_t length = strlen(parameter->name);
    for (const char *at = names; are_given(names) && at; at = strchr(at, '+')) {
        at += *at == '+';
        if (strcspn(at, "+") == length && strncmp(at, parameter->name, length) == 0)
            return true;
    }
    return !are_given(names);
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
    for (const char *at = names; are_given(names) && at; at = strchr(at, '+')) {
        at += *at == '+';
        size_t length = strcspn(at, "+");
        if (!is_parameter(kernel, at, length))
            return clopt_fail(error, CLOPT_INFEASIBLE, "%s has no buffer %.*s", kernel->name,
                              (int)length, at);
    }
    return CLOPT_OK;
}

const struct clopt_node *buffers_find_write(const struct clopt_accesses *accesses,
                                            const struct clopt_variable *parameter)
{
    for (size_t i = 0; i < accesses->count; i++) {
        const struct clopt_access *access = &accesses->items[i];
        if (access->writes &&
            (access->space == CLOPT_SPACE_GLOBAL || access->space == CLOPT_SPACE_GENERIC) &&
            (!access->root || access->root == parameter))
            return access->node;
    }
    return NULL;
}

static bool is_meant(const struct buffers *buffers, const struct clopt_source *source,
                     const struct clopt_variable *parameter)
{
    return parameter->is_pointer && names_has(buffers->names, parameter) &&
           (are_given(buffers->names) || !buffers->is_candidate ||
            buffers->is_candidate(buffers->user, source, parameter)) &&
           (parameter->pointee == CLOPT_SPACE_GLOBAL ||
            (buffers->constant && parameter->pointee == CLOPT_SPACE_CONSTANT));
}

enum clopt_status buffers_change(const struct buffers *buffers, struct clopt_source *source,
                                 struct clopt_error *error)
{
    const struct clopt_function *kernel = source->kernel;
    struct clopt_error first = {0};
    size_t changed = 0;
    enum clopt_status status = names_check(buffers->names, source, error);
    for (unsigned i = 0; !status && i < kernel->parameter_count; i++) {
        if (!is_meant(buffers, source, kernel->parameters[i]))
            continue;
        status = buffers->change(buffers->user, source, i, error);
        changed += !status;
        if (status == CLOPT_INFEASIBLE && !are_given(buffers->names)) {
            first = first.status ? first : *error;
            status = CLOPT_OK;
        }
    }
    if (status || changed)
        return status;
    if (!first.status)
        return clopt_source_refuse(source, kernel->body, error, "%s: the kernel %s", buffers->step,
                                   buffers->none ? buffers->none
                                                 : "has no buffer in global memory");
    *error = first;
    return first.status;
}
