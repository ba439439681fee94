/* SPDX-License-Identifier: BSD-3-Clause */
/* Guesses the NDRange of a kernel: global and local sizes. */

#include "guess.h"

/* group * 64: the local size, which the source itself says; group * width: each work-group has a
 * row. */
static void note_group_product(struct kernel_guess *guess, const struct clopt_node *node)
{
    for (int side = 0; side < 2 && kernel_is_binary(node, "*"); side++) {
        const struct clopt_node *other = kernel_plain(node->children[!side]);
        unsigned dimension = kernel_group_of(node->children[side]);
        if (dimension == 3)
            continue;
        guess->rows_of_groups[dimension] |= kernel_size_parameter(guess, other) >= 0;
        if (other->known && other->value > 1 && !guess->local[dimension] &&
            (guess->dimensions > 1 || kernel_identity_of(node->parent) >= 0) &&
            (guess->queries[dimension] & KERNEL_LOCAL_ID))
            guess->local[dimension] = (uint64_t)other->value;
    }
}

/* Whether work-items of a group share local memory by their identity in it. */
static bool shares_rows(const struct kernel_guess *guess)
{
    bool local = false, identity = false;
    for (size_t i = 0; i < guess->source->variable_count; i++) {
        const struct clopt_variable *variable = guess->source->variables[i];
        local |= variable->is_array && variable->space == CLOPT_SPACE_LOCAL;
    }
    for (size_t i = 0; i < guess->kernel->parameter_count; i++)
        local |= guess->kernel->parameters[i]->pointee == CLOPT_SPACE_LOCAL;
    for (unsigned d = 0; d < guess->dimensions; d++)
        identity |= (guess->queries[d] & KERNEL_LOCAL_ID) != 0;
    return local && identity;
}

/* Without an identity within its group, a work-item has the group for itself; without one of its
 * group, there is one group. A dimension that local memory has no rows for has one
 * work-item in each group. */
static void note_single(struct kernel_guess *guess)
{
    bool rows = shares_rows(guess);
    for (unsigned d = 0; d < guess->dimensions; d++) {
        if (guess->queries[d] == KERNEL_GROUP_ID && guess->dimensions > 1)
            guess->local[d] = 1;
        if (rows && !(guess->queries[d] & KERNEL_LOCAL_ID) && !guess->local[d])
            guess->local[d] = 1;
        if (guess->queries[d] == KERNEL_LOCAL_ID)
            guess->global[d] = kernel_bound_size(KERNEL_LOCAL_SIZE + d);
    }
}

static void read_required_size(struct kernel_guess *guess)
{
    size_t size[3];
    if (!clopt_kernel_required_size(guess->source, size))
        return;
    guess->uses_groups = true;
    for (unsigned d = 0; d < 3; d++)
        guess->local[d] = size[d];
}

/* Raises the global size of a dimension to a bound; tells whether that says something. */
static bool raise_global(struct kernel_guess *guess, int dimension, struct kernel_bound bound)
{
    int64_t number;
    if (dimension < 0 || !bound.known || kernel_bound_is_number(&bound, &number))
        return false; /* a number says little */
    struct kernel_bound *global = &guess->global[dimension];
    if (!global->known || kernel_bound_covers(bound, *global))
        *global = bound;
    return true;
}

/* Takes a border away, as in n - 1; false where there is none. */
static bool cut_border(struct kernel_bound *bound)
{
    const struct clopt_term *number =
        &bound->sum.terms[0]; /* where there is one, it is the first */
    if (!bound->known || !bound->sum.count || number->symbols[0] || number->factor >= 0)
        return false;
    *bound = kernel_bound_plus(*bound, -number->factor);
    return true;
}

/* i / width < height: rows of a matrix, one after the other. */
static void guard_row(struct kernel_guess *guess, const struct clopt_node *row,
                      const struct clopt_node *limit)
{
    row = kernel_resolve(row);
    if (!kernel_is_binary(row, "/"))
        return;
    int dimension = kernel_identity_of(row->children[0]);
    struct kernel_bound width = kernel_upper(guess, row->children[1]);
    struct kernel_bound bound = kernel_bound_multiply(kernel_upper(guess, limit), width);
    if (raise_global(guess, dimension, bound))
        guess->guarded[dimension] = true;
}

/* i < limit is a guard, whose dimension need not be a multiple of the local size; i == n - 1: the
 * last one is treated otherwise. */
static void note_comparison(struct kernel_guess *guess, const struct clopt_node *node)
{
    if (node->kind != CLOPT_NODE_BINARY)
        return;
    bool equal = strcmp(node->op, "==") == 0 || strcmp(node->op, "!=") == 0;
    bool ordered = strchr("<>", node->op[0]) && (!node->op[1] || node->op[1] == '=');
    for (int side = 0; side < 2 && (equal || ordered); side++) {
        const struct clopt_node *limit = node->children[!side];
        int dimension = kernel_identity_of(node->children[side]);
        bool below = (node->op[0] == '<') == (side == 0);
        if (ordered)
            guard_row(guess, node->children[side], limit);
        if (dimension < 0)
            continue;
        struct kernel_bound bound = kernel_upper(guess, limit);
        if (ordered && below == (node->op[1] == '=')) /* inclusive */
            bound = kernel_bound_plus(bound, 1);
        if ((cut_border(&bound) || ordered) && raise_global(guess, dimension, bound) && ordered)
            guess->guarded[dimension] = true;
    }
}

/* (z * height + y) * width + x: a row is as long as the dimension of what is added to it. */
static void note_row(struct kernel_guess *guess, const struct clopt_node *node)
{
    if (!kernel_is_binary(node, "+"))
        return;
    for (int side = 0; side < 2; side++) {
        const struct clopt_node *rows = kernel_plain(node->children[side]);
        int dimension = kernel_identity_of(node->children[!side]);
        if (dimension < 0 || !kernel_is_binary(rows, "*"))
            continue;
        for (int factor = 0; factor < 2; factor++) {
            int parameter = kernel_size_parameter(guess, rows->children[factor]);
            if (parameter >= 0 && !guess->global[dimension].known)
                guess->global[dimension] =
                    kernel_bound_size(KERNEL_PARAMETER + (unsigned)parameter);
        }
    }
}

/* Finds, among the factors of a product, a size and an identity of a dimension above 0. */
static void find_factors(const struct kernel_guess *guess, const struct clopt_node *node,
                         int *parameter, bool *row)
{
    node = kernel_plain(node);
    if (kernel_is_binary(node, "*")) {
        find_factors(guess, node->children[0], parameter, row);
        find_factors(guess, node->children[1], parameter, row);
        return;
    }
    if (kernel_size_parameter(guess, node) >= 0)
        *parameter = kernel_size_parameter(guess, node);
    unsigned group = kernel_group_of(node);
    *row |= kernel_identity_of(node) > 0 || group == 1 || group == 2;
}

/* y * width: a row is as long as dimension 0. */
static void note_stride(struct kernel_guess *guess, const struct clopt_node *node)
{
    int parameter = -1;
    bool row = false;
    if (!kernel_is_binary(node, "*"))
        return;
    find_factors(guess, node, &parameter, &row);
    if (row && parameter >= 0 && !guess->global[0].known)
        guess->global[0] = kernel_bound_size(KERNEL_PARAMETER + (unsigned)parameter);
}

/* The range is that of what is written, rather than of what is read. */
static void note_written(struct kernel_guess *guess, const struct clopt_node *node)
{
    if (node->kind != CLOPT_NODE_ASSIGN)
        return;
    kernel_walk_origins(guess, node->children[0], note_row);
    kernel_walk_origins(guess, node->children[0], note_stride);
}

/* Whether a size is the global size of some dimension already. */
static bool is_taken(const struct kernel_guess *guess, unsigned size)
{
    bool taken = false;
    for (unsigned d = 0; d < 3; d++)
        taken |= kernel_bound_equal(guess->global[d], kernel_bound_size(size));
    return taken;
}

/* Takes an integer that the kernel gets and never asks: how many rows there are, one for each
 * work-item or work-group. */
static bool take_unused(const struct kernel_guess *guess, unsigned dimension,
                        struct kernel_bound *size)
{
    for (unsigned i = 0; i < guess->kernel->parameter_count; i++) {
        const struct clopt_variable *variable = guess->kernel->parameters[i];
        if (guess->parameters[i].is_used || guess->parameters[i].role || variable->is_pointer ||
            variable->is_record || variable->width != 1 ||
            !clopt_scalar_is_integer(variable->scalar) || is_taken(guess, KERNEL_PARAMETER + i))
            continue;
        *size = kernel_bound_size(KERNEL_PARAMETER + i);
        if (guess->rows_of_groups[dimension])
            *size = kernel_bound_multiply(*size, kernel_bound_size(KERNEL_LOCAL_SIZE + dimension));
        return true;
    }
    return false;
}

/* Whether the kernel writes an image, which has a width and a height that it need not get. */
static bool writes_image(const struct kernel_guess *guess)
{
    bool any = false;
    for (size_t i = 0; i < guess->kernel->parameter_count; i++)
        any |= kernel_is_written_image(guess->kernel->parameters[i]);
    return any;
}

/* Whether an expression is made of an identity in a dimension. */
static bool has_identity(const struct clopt_node *top, unsigned dimension)
{
    for (const struct clopt_node *at = top; at; at = clopt_node_next(at, top))
        if (kernel_identity_of(at) == (int)dimension)
            return true;
    return false;
}

/* Whether an identity is multiplied or divided with a size: rows of so many are counted by it. */
static bool counts_rows(const struct kernel_guess *guess, unsigned dimension, unsigned size)
{
    const struct clopt_node *body = guess->kernel->body;
    for (const struct clopt_node *at = body; at; at = clopt_node_next(at, body))
        for (int side = 0; side < 2 && at->kind == CLOPT_NODE_BINARY; side++)
            if (strchr("*/%", at->op[0]) &&
                kernel_size_parameter(guess, at->children[!side]) == (int)size &&
                has_identity(at->children[side], dimension))
                return true;
    return false;
}

/* Takes the next integer that looks like a size, or a square of the only one, or else makes the
 * dimension a size of its own. */
static struct kernel_bound invent_size(const struct kernel_guess *guess, unsigned dimension)
{
    struct kernel_bound size = kernel_bound_size(KERNEL_GLOBAL_SIZE + dimension);
    if (writes_image(guess))
        return size;
    if (take_unused(guess, dimension, &size))
        return size;
    struct kernel_bound only = size;
    unsigned taken = 0;
    for (unsigned i = 0; i < guess->count; i++) {
        struct kernel_bound parameter = kernel_bound_size(KERNEL_PARAMETER + i);
        if (!guess->parameters[i].is_size || guess->parameters[i].role)
            continue;
        bool is_new = !is_taken(guess, KERNEL_PARAMETER + i);
        if (is_new && (!dimension || !counts_rows(guess, dimension, i)))
            return parameter;
        only = parameter;
        taken++;
    }
    return dimension && taken == 1 ? only : size;
}

/* Finds the macro whose name says that it is the local size in a dimension, if it fits to what is
 * known of that. */
static const struct clopt_outline_macro *find_macro(const struct kernel_guess *guess,
                                                    const struct clopt_outline *outline, unsigned d)
{
    const struct clopt_outline_macro *found = NULL;
    for (size_t i = 0; i < outline->macro_count; i++) {
        const struct clopt_outline_macro *macro = &outline->macros[i];
        bool fits = macro->dimension == (int)d || (macro->dimension < 0 && !found);
        if (macro->sizes_groups && fits &&
            (!guess->local[d] || strtoull(macro->value, NULL, 10) == guess->local[d]))
            found = macro;
    }
    return found;
}

/* Takes the local size from macros. */
static void take_macros(struct kernel_guess *guess, const struct clopt_outline *outline)
{
    for (unsigned d = 0; d < guess->dimensions; d++) {
        const struct clopt_outline_macro *macro = find_macro(guess, outline, d);
        if (macro && !guess->local[d] && (guess->queries[d] & KERNEL_LOCAL_ID))
            guess->local[d] = strtoull(macro->value, NULL, 10);
    }
}

void kernel_guess_ndrange(struct kernel_guess *guess, const struct clopt_outline *outline)
{
    const struct clopt_node *body = guess->kernel->body;
    guess->dimensions = guess->dimensions ? guess->dimensions : 1;
    read_required_size(guess);
    kernel_walk_all(guess, note_group_product);
    take_macros(guess, outline);
    kernel_guess_local(guess);
    note_single(guess);
    kernel_walk_nodes(guess, body, note_comparison);
    kernel_walk_nodes(guess, body, note_written);
    kernel_walk_nodes(guess, body, note_row);
    kernel_walk_nodes(guess, body, note_stride);
    for (unsigned d = 0; d < guess->dimensions; d++)
        if (!guess->global[d].known)
            guess->global[d] = invent_size(guess, d);
    for (unsigned d = 0; d < guess->dimensions; d++)
        guess->macro[d] = find_macro(guess, outline, d);
    for (unsigned d = guess->dimensions; d < 3; d++)
        guess->global[d] = kernel_bound_constant(1);
}
