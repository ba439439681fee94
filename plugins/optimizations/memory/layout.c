/* SPDX-License-Identifier: BSD-3-Clause */
/* Layouts of buffers. */
#include "memory.h"

#include <clopt/layout.h>

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
                      "layout: %s is not soa, aos, transposed or blockedN with N from 2 to "
                      "%d; after a colon, parameters of the kernel may follow, joined by +",
                      value, MOST_BLOCK);
}

/* Buffers on their way to another layout. */
struct relayout {
    const struct clopt_transform *transform;
    struct request request;
    struct clopt_ndrange_change change;
};

enum clopt_status layout_check_own(const struct clopt_transform *transform,
                                   const struct clopt_source *source, unsigned parameter,
                                   const char *step, struct clopt_error *error)
{
    for (size_t i = 0; i < transform->change.layout_count; i++)
        if (transform->change.layouts[i].argument == parameter)
            return clopt_source_refuse(source, source->kernel->body, error,
                                       "%s: %s has another layout from an earlier step", step,
                                       source->kernel->parameters[parameter]->name);
    return CLOPT_OK;
}

static enum clopt_status change(void *user, struct clopt_source *source, unsigned number,
                                struct clopt_error *error)
{
    struct relayout *relayout = user;
    CLOPT_TRY(layout_check_own(relayout->transform, source, number, "layout", error));
    return clopt_layout_change(source, source->kernel->parameters[number], relayout->request.kind,
                               relayout->request.block, &relayout->change, error);
}

static enum clopt_status edit(void *user, struct clopt_source *source, struct clopt_error *error)
{
    struct relayout *relayout = user;
    const struct buffers buffers = {.step = "layout",
                                    .names = relayout->request.names,
                                    .constant = true,
                                    .user = relayout,
                                    .change = change};
    return buffers_change(&buffers, source, error);
}

enum clopt_status layout_apply(struct clopt_transform *transform, const char *value,
                               struct clopt_error *error)
{
    struct relayout relayout = {.transform = transform};
    CLOPT_TRY(layout_check(value, error));
    parse(value, &relayout.request);
    CLOPT_TRY(clopt_transform_edit(transform, CLOPT_INLINE_LOOPS, edit, &relayout, error));
    return clopt_transform_change_ndrange(transform, &relayout.change, error);
}
