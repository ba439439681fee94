/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves buffers into constant memory. */
#include "constant.h"

#include <string.h>

#include <clopt/loop.h>
#include <clopt/rewrite.h>

#include "names.h"

/* Finds a use of a pointer other than to read what it points to there: another variable would have
 * to change with it. */
static const struct clopt_node *find_other_use(const struct clopt_node *node,
                                               const struct clopt_variable *pointer)
{
    const struct clopt_node *parent = node->parent;
    if (node->kind == CLOPT_NODE_VARIABLE && node->variable == pointer) {
        bool element = parent->kind == CLOPT_NODE_SUBSCRIPT && parent->children[0] == node;
        bool read = parent->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(parent, "*");
        const struct clopt_node *user = parent->parent;
        bool address = user && user->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(user, "&");
        return (element || read) && !address ? NULL : node;
    }
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_node *found = find_other_use(node->children[i], pointer);
        if (found)
            return found;
    }
    return NULL;
}

/* Finds a write to what a pointer may point to. */
static const struct clopt_node *find_write(const struct clopt_accesses *accesses,
                                           const struct clopt_variable *pointer)
{
    for (size_t i = 0; i < accesses->count; i++) {
        const struct clopt_access *access = &accesses->items[i];
        if (access->writes && access->space == CLOPT_SPACE_GLOBAL &&
            (!access->root || access->root == pointer))
            return access->node;
    }
    return NULL;
}

/* Makes one parameter __constant, or says why not. */
static enum clopt_status change(struct clopt_source *source, const struct clopt_accesses *accesses,
                                struct clopt_variable *parameter, struct clopt_error *error)
{
    const struct clopt_node *body = source->kernel->body;
    const struct clopt_node *write = find_write(accesses, parameter);
    const struct clopt_node *other = find_other_use(body, parameter);
    if (write || other)
        return clopt_source_refuse(source, write ? write : other, error,
                                   write ? "constant: %s may be written here"
                                         : "constant: %s is used here other than by its elements",
                                   parameter->name);
    if (source->kernel->prototype_end)
        return clopt_source_refuse(source, body, error, "constant: the kernel has a prototype");
    clopt_parameter_set_space(source, parameter, CLOPT_SPACE_CONSTANT);
    return CLOPT_OK;
}

static enum clopt_status change_all(struct clopt_source *source, const char *names,
                                    struct clopt_error *error)
{
    const struct clopt_function *kernel = source->kernel;
    struct clopt_accesses accesses = {0};
    size_t count = 0;
    enum clopt_status first = CLOPT_OK;
    enum clopt_status status = clopt_accesses_add(&accesses, kernel->body, error);
    for (size_t i = 0; !status && i < kernel->parameter_count; i++) {
        struct clopt_variable *parameter = kernel->parameters[i];
        if (!parameter->is_pointer || parameter->pointee != CLOPT_SPACE_GLOBAL ||
            !names_has(names, parameter))
            continue;
        enum clopt_status own = change(source, &accesses, parameter, error);
        count += !own;
        first = first ? first : own;
        if (own && names_are_given(names))
            status = own;
    }
    clopt_accesses_fini(&accesses);
    if (status || count)
        return status;
    return first ? first
                 : clopt_source_refuse(source, kernel->body, error,
                                       "constant: the kernel has no buffer in global memory");
}

enum clopt_status constant_apply(struct clopt_transform *transform, const char *names,
                                 struct clopt_error *error)
{
    struct clopt_source *source = NULL;
    enum clopt_status status =
        clopt_transform_parse_inlined(transform, CLOPT_INLINE_LOOPS, &source, error);
    if (!status)
        status = names_check(names, source, error);
    if (!status)
        status = change_all(source, names, error);
    /* What is written through another pointer is another buffer: launches are checked. */
    const struct clopt_ndrange_change change = {.distinct_buffers = true};
    if (!status)
        status = clopt_transform_change_ndrange(transform, &change, error);
    if (!status)
        status = clopt_transform_set_tree(transform, source, error);
    clopt_source_destroy(source);
    return status;
}
