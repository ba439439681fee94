/* SPDX-License-Identifier: BSD-3-Clause */
/* Pads arrays in local memory. */
#include "pad.h"

#include <stdio.h>
#include <string.h>

#include <clopt/rewrite.h>

struct search {
    const struct clopt_variable *array;
    const struct clopt_node *other; /* a use that is no element */
};

/* A use of an array is harmless where all of its subscripts are there. */
static void visit(struct search *search, const struct clopt_node *node)
{
    const struct clopt_node *whole = node;
    if (node->kind == CLOPT_NODE_VARIABLE && node->variable == search->array) {
        while (whole->parent && whole->parent->kind == CLOPT_NODE_SUBSCRIPT &&
               whole->parent->children[0] == whole)
            whole = whole->parent;
        if (whole->is_array || whole == node)
            search->other = search->other ? search->other : node;
    }
    for (size_t i = 0; i < node->child_count; i++)
        visit(search, node->children[i]);
}

static bool is_candidate(const struct clopt_variable *variable)
{
    return variable->space == CLOPT_SPACE_LOCAL && variable->is_array && variable->declarator &&
           clopt_variable_extent(variable, 1);
}

/* Declares an array once more, with longer rows. */
static void pad(struct clopt_source *source, struct clopt_variable *array, unsigned elements)
{
    char dimensions[256] = "";
    size_t length = 0;
    for (size_t d = 0; clopt_variable_extent(array, d); d++) {
        bool last = !clopt_variable_extent(array, d + 1);
        size_t extent = clopt_variable_extent(array, d) + (last ? elements : 0);
        if (length < sizeof dimensions)
            length +=
                (size_t)snprintf(dimensions + length, sizeof dimensions - length, "[%zu]", extent);
    }
    clopt_variable_resize(source, array, dimensions);
}

enum clopt_status pad_apply(struct clopt_transform *transform, unsigned elements,
                            struct clopt_error *error)
{
    struct clopt_source *source = NULL;
    size_t count = 0;
    bool refused = false; /* the error says why an array is not padded */
    enum clopt_status status = clopt_transform_parse(transform, &source, error);
    for (size_t i = 0; !status && i < source->variable_count; i++) {
        struct clopt_variable *array = source->variables[i];
        struct search search = {.array = array};
        if (!is_candidate(array))
            continue;
        visit(&search, source->kernel->body);
        if (!search.other) {
            pad(source, array, elements);
            count++;
        } else if (!refused) {
            clopt_source_refuse(source, search.other, error,
                                "pad: %s is used here other than by its elements", array->name);
            refused = true;
        }
    }
    if (!status && !count && !refused)
        clopt_source_refuse(source, source->kernel->body, error,
                            "pad: the kernel has no array of rows in local memory");
    if (!status && !count)
        status = CLOPT_INFEASIBLE;
    if (!status)
        status = clopt_transform_set_tree(transform, source, error);
    clopt_source_destroy(source);
    return status;
}
