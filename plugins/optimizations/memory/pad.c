/* SPDX-License-Identifier: BSD-3-Clause */
/* Pads arrays in local memory. */
#include "memory.h"

#include <clopt/loop.h>

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

static enum clopt_status edit(void *elements, struct clopt_source *source,
                              struct clopt_error *error)
{
    const struct clopt_node *body = source->kernel->body;
    bool padded = false, refused = false; /* the error says why an array is not padded */
    for (size_t i = 0; i < source->variable_count; i++) {
        struct clopt_variable *array = source->variables[i];
        const struct clopt_node *other =
            is_candidate(array) ? clopt_variable_find_other_use(array, body, true) : NULL;
        if (is_candidate(array) && !other) {
            pad(source, array, *(const unsigned *)elements);
            padded = true;
        } else if (other && !refused) {
            clopt_source_refuse(source, other, error,
                                "pad: %s is used here other than by its elements", array->name);
            refused = true;
        }
    }
    if (padded || refused)
        return padded ? CLOPT_OK : CLOPT_INFEASIBLE;
    return clopt_source_refuse(source, body, error,
                               "pad: the kernel has no array of rows in local memory");
}

enum clopt_status pad_apply(struct clopt_transform *transform, unsigned elements,
                            struct clopt_error *error)
{
    return clopt_transform_edit(transform, CLOPT_INLINE_NONE, edit, &elements, error);
}
