/* SPDX-License-Identifier: BSD-3-Clause */
/* Layouts of buffers. */
#include "layout.h"

#include <stdlib.h>
#include <string.h>

#include <clopt/layout.h>

#include "names.h"

#define MOST_BLOCK 1024

/* What a value asks for. */
struct request {
    enum clopt_layout_kind kind;
    unsigned block;
    const char *names;
};

static bool parse(const char *value, struct request *request)
{
    static const char *const kinds[] = {"soa", "aos", "transposed", "blocked"};
    const char *colon = strchr(value, ':');
    size_t length = colon ? (size_t)(colon - value) : strlen(value);
    *request = (struct request){.names = colon ? colon + 1 : "all"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        size_t own = strlen(kinds[k]);
        if (length < own || strncmp(value, kinds[k], own) != 0)
            continue;
        request->kind = (enum clopt_layout_kind)k;
        const char *digits = value + own;
        if (k < CLOPT_LAYOUT_BLOCKED)
            return length == own && *request->names;
        if (*digits < '1' || *digits > '9')
            return false;
        char *end;
        unsigned long block = strtoul(digits, &end, 10);
        request->block = block < MOST_BLOCK ? (unsigned)block : MOST_BLOCK;
        return end == value + length && block >= 2 && block <= MOST_BLOCK && *request->names;
    }
    return false;
}

enum clopt_status layout_check(const char *value, struct clopt_error *error)
{
    struct request request;
    if (parse(value, &request))
        return CLOPT_OK;
    return clopt_fail(error, CLOPT_INFEASIBLE,
                      "layout: %s is none of soa, aos, transposed and blockedN with N from 2 to "
                      "%d; after a colon, parameters of the kernel may follow, joined by +",
                      value, MOST_BLOCK);
}

static bool has_layout(const struct clopt_transform *transform, unsigned argument)
{
    for (size_t i = 0; i < transform->change.layout_count; i++)
        if (transform->change.layouts[i].argument == argument)
            return true;
    return false;
}

/* Whether a parameter may get a layout: a buffer. */
static bool is_buffer(const struct clopt_variable *parameter)
{
    return parameter->is_pointer &&
           (parameter->pointee == CLOPT_SPACE_GLOBAL || parameter->pointee == CLOPT_SPACE_CONSTANT);
}

static enum clopt_status change_all(struct clopt_transform *transform, struct clopt_source *source,
                                    const struct request *request,
                                    struct clopt_ndrange_change *change, struct clopt_error *error)
{
    const struct clopt_function *kernel = source->kernel;
    struct clopt_error first = {0};
    bool named = names_are_given(request->names);
    change->layout_count = 0;
    for (unsigned i = 0; i < kernel->parameter_count; i++) {
        struct clopt_variable *parameter = kernel->parameters[i];
        enum clopt_status status;
        if (!is_buffer(parameter) || !names_has(request->names, parameter))
            continue;
        if (has_layout(transform, i))
            status = clopt_source_refuse(source, kernel->body, error,
                                         "layout: %s has another one from an earlier step",
                                         parameter->name);
        else
            status = clopt_layout_change(source, parameter, request->kind, request->block, change,
                                         error);
        if (status && (named || status != CLOPT_INFEASIBLE))
            return status;
        if (status && !first.status)
            first = *error;
    }
    if (change->layout_count)
        return CLOPT_OK;
    if (!first.status)
        return clopt_source_refuse(source, kernel->body, error,
                                   "layout: the kernel has no buffer in global memory");
    *error = first;
    return first.status;
}

enum clopt_status layout_apply(struct clopt_transform *transform, const char *value,
                               struct clopt_error *error)
{
    struct request request;
    struct clopt_source *source = NULL;
    struct clopt_ndrange_change change = {.local_size = {0}};
    enum clopt_status status = layout_check(value, error);
    if (status)
        return status;
    parse(value, &request);
    status = clopt_transform_parse_inlined(transform, CLOPT_INLINE_LOOPS, &source, error);
    if (!status)
        status = names_check(request.names, source, error);
    if (!status)
        status = change_all(transform, source, &request, &change, error);
    if (!status)
        status = clopt_transform_change_ndrange(transform, &change, error);
    if (!status)
        status = clopt_transform_set_tree(transform, source, error);
    clopt_source_destroy(source);
    return status;
}
