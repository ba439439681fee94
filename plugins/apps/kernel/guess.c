/* SPDX-License-Identifier: BSD-3-Clause */
/* Guesses from a kernel's source what its arguments are for. */
#include "guess.h"

#include <clopt/clopt.h>

#include <stdlib.h>
#include <string.h>

#include "guess_buffers.h"
#include "guess_sizes.h"
#include "index.h"

/* ---- what is known of variables ---- */

static void note_access(void *user, const struct clopt_node *node, struct clopt_variable *variable,
                        unsigned access)
{
    struct kernel_guess *guess = user;
    struct kernel_flow *flow = &guess->flows[variable->index];
    if (!(access & (CLOPT_WRITE | CLOPT_ADDRESS)))
        return;
    const struct clopt_node *parent = node->parent;
    flow->writes++;
    if (node->kind == CLOPT_NODE_DECLARATOR)
        flow->value = node->condition;
    else if (parent && parent->kind == CLOPT_NODE_ASSIGN && parent->children[0] == node) {
        flow->moves = variable->is_pointer && strcmp(parent->op, "+=") == 0;
        if (flow->moves || strcmp(parent->op, "=") == 0)
            flow->value = parent->children[1];
    }
}

/* A for loop whose step changes a variable, and whose condition compares it. */
static void note_loop(struct kernel_guess *guess, const struct clopt_node *loop)
{
    const struct clopt_node *step = kernel_plain(loop->step);
    guess->has_loops = true;
    if (loop->kind != CLOPT_NODE_FOR || !step || !step->child_count)
        return;
    const struct clopt_node *counter = kernel_plain(step->children[0]);
    if (counter->kind != CLOPT_NODE_VARIABLE)
        return;
    guess->flows[counter->variable->index].loop = loop;
    const struct clopt_node *condition = kernel_plain(loop->condition);
    if (!condition || condition->kind != CLOPT_NODE_BINARY || strcmp(condition->op, "<") != 0)
        return;
    int limit = kernel_size_parameter(guess, condition->children[1]);
    if (limit >= 0)
        guess->parameters[limit].limits_loop = true;
}

static void note_node(void *user, const struct clopt_node *node)
{
    static const char *const of_groups[] = {"get_local_id", "get_group_id", "get_local_size",
                                            "get_num_groups", "get_global_size"};
    static const char *const queries[] = {"get_global_id",  "get_global_size", "get_local_id",
                                          "get_local_size", "get_group_id",    "get_num_groups"};
    static const unsigned bits[] = {KERNEL_GLOBAL_ID, KERNEL_GLOBAL_ID, KERNEL_LOCAL_ID,
                                    KERNEL_LOCAL_ID,  KERNEL_GROUP_ID,  KERNEL_GROUP_ID};
    struct kernel_guess *guess = user;
    unsigned dimension;
    if (clopt_node_is_loop(node))
        note_loop(guess, node);
    for (size_t i = 0; i < guess->kernel->parameter_count; i++)
        guess->parameters[i].is_used |=
            node->kind == CLOPT_NODE_VARIABLE && node->variable == guess->kernel->parameters[i];
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
        if (kernel_is_query(node, queries[i], &dimension)) {
            guess->queries[dimension] |= bits[i];
            if (dimension >= guess->dimensions)
                guess->dimensions = dimension + 1;
        }
    for (size_t i = 0; i < sizeof of_groups / sizeof *of_groups; i++)
        guess->uses_groups |= kernel_is_query(node, of_groups[i], &dimension);
    if (clopt_node_find_effect(node, CLOPT_EFFECT_COLLECTIVE) == node)
        guess->uses_groups = true;
}

/* ---- the NDRange ---- */

/* The local size is what the source itself multiplies a group's identity by. */
static void note_local_size(void *user, const struct clopt_node *node)
{
    struct kernel_guess *guess = user;
    unsigned dimension;
    if (node->kind != CLOPT_NODE_BINARY || strcmp(node->op, "*") != 0)
        return;
    for (int side = 0; side < 2; side++) {
        const struct clopt_node *identity = kernel_resolve(guess, node->children[side]);
        const struct clopt_node *other = kernel_plain(node->children[!side]);
        int64_t factor = other->known ? other->value : 0;
        if (kernel_is_query(identity, "get_group_id", &dimension) && factor > 1 &&
            (guess->dimensions > 1 || kernel_identity_of(guess, node->parent) >= 0) &&
            (guess->queries[dimension] & KERNEL_LOCAL_ID) && !guess->local[dimension])
            guess->local[dimension] = (uint64_t)factor;
    }
}

/* group * width: each work-group has a row. */
static void note_group_row(void *user, const struct clopt_node *node)
{
    struct kernel_guess *guess = user;
    unsigned dimension;
    for (int side = 0; side < 2 && node->kind == CLOPT_NODE_BINARY && *node->op == '*'; side++)
        if (kernel_is_query(kernel_resolve(guess, node->children[side]), "get_group_id",
                            &dimension) &&
            kernel_size_parameter(guess, node->children[!side]) >= 0)
            guess->rows_of_groups[dimension] = true;
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

/* Reads the sizes after reqd_work_group_size in front of the kernel's body. */
static void read_required_size(struct kernel_guess *guess)
{
    const char *text = guess->source->text;
    const char *at = strstr(text + guess->kernel->begin, "reqd_work_group_size");
    if (!at || at > text + guess->kernel->body->begin)
        return;
    guess->uses_groups = true;
    at += strcspn(at, "(");
    for (unsigned d = 0; d < 3 && (*at == '(' || *at == ','); d++) {
        char *end;
        unsigned long long size = strtoull(at + 1, &end, 0);
        at = end + strspn(end, " \t\n");
        guess->local[d] = size ? size : 1;
    }
}

/* Raises the global size of a dimension to a bound; tells whether that says something. */
static bool raise_global(struct kernel_guess *guess, int dimension,
                         const struct kernel_bound *bound)
{
    struct kernel_bound *global = &guess->global[dimension];
    if (!bound->known || (bound->count == 1 && bound->terms[0].sizes[0] == KERNEL_NO_SIZE))
        return false; /* a number says little */
    if (!global->known || kernel_bound_covers(bound, global))
        *global = *bound;
    return true;
}

/* Takes a border away, as in n - 1; returns what there was of it. */
static int64_t cut_border(struct kernel_bound *bound)
{
    struct kernel_bound one = kernel_bound_constant(1);
    for (size_t i = 0; i < bound->count && bound->known; i++)
        if (bound->terms[i].sizes[0] == KERNEL_NO_SIZE && bound->terms[i].factor < 0) {
            int64_t border = -bound->terms[i].factor;
            *bound = kernel_bound_add(*bound, &one, border);
            return border;
        }
    return 0;
}

/* i < limit: a guard, whose dimension need not be a multiple of the local size. */
static void guard(struct kernel_guess *guess, int dimension, const struct clopt_node *limit,
                  bool inclusive)
{
    struct kernel_bound one = kernel_bound_constant(1);
    struct kernel_bound bound = kernel_upper(guess, limit);
    if (inclusive)
        bound = kernel_bound_add(bound, &one, 1);
    cut_border(&bound);
    guess->guarded[dimension] |= raise_global(guess, dimension, &bound);
}

/* i / width < height: rows of a matrix, one after the other. */
static void guard_row(struct kernel_guess *guess, const struct clopt_node *row,
                      const struct clopt_node *limit)
{
    row = kernel_resolve(guess, row);
    if (row->kind != CLOPT_NODE_BINARY || strcmp(row->op, "/") != 0)
        return;
    int dimension = kernel_identity_of(guess, row->children[0]);
    struct kernel_bound width = kernel_upper(guess, row->children[1]);
    struct kernel_bound bound = kernel_upper(guess, limit);
    bound = kernel_bound_multiply(&bound, &width);
    if (dimension >= 0)
        guess->guarded[dimension] |= raise_global(guess, dimension, &bound);
}

/* i == n - 1: the last one is treated otherwise. */
static void border(struct kernel_guess *guess, int dimension, const struct clopt_node *limit)
{
    struct kernel_bound bound = kernel_upper(guess, limit);
    if (cut_border(&bound))
        raise_global(guess, dimension, &bound);
}

static void note_comparison(void *user, const struct clopt_node *node)
{
    struct kernel_guess *guess = user;
    if (node->kind != CLOPT_NODE_BINARY)
        return;
    bool equal = strcmp(node->op, "==") == 0 || strcmp(node->op, "!=") == 0;
    bool ordered = strchr("<>", node->op[0]) && (!node->op[1] || node->op[1] == '=');
    for (int side = 0; side < 2 && (equal || ordered); side++) {
        int dimension = kernel_identity_of(guess, node->children[side]);
        bool below = (node->op[0] == '<') == (side == 0);
        if (ordered)
            guard_row(guess, node->children[side], node->children[!side]);
        if (dimension >= 0 && ordered)
            guard(guess, dimension, node->children[!side], below == (node->op[1] == '='));
        else if (dimension >= 0)
            border(guess, dimension, node->children[!side]);
    }
}

/* (z * height + y) * width + x: a row is as long as the dimension of what is added to it. */
static void note_row(void *user, const struct clopt_node *node)
{
    struct kernel_guess *guess = user;
    if (node->kind != CLOPT_NODE_BINARY || strcmp(node->op, "+") != 0)
        return;
    for (int side = 0; side < 2; side++) {
        const struct clopt_node *rows = kernel_plain(node->children[side]);
        int dimension = kernel_identity_of(guess, node->children[!side]);
        if (dimension < 0 || rows->kind != CLOPT_NODE_BINARY || strcmp(rows->op, "*") != 0)
            continue;
        for (int factor = 0; factor < 2; factor++) {
            int parameter = kernel_size_parameter(guess, rows->children[factor]);
            if (parameter >= 0 && !guess->global[dimension].known)
                guess->global[dimension] = kernel_bound_size((unsigned)parameter);
        }
    }
}

/* Finds, among the factors of a product, a size and an identity of a dimension above 0. */
static void find_factors(const struct kernel_guess *guess, const struct clopt_node *node,
                         int *parameter, bool *row)
{
    unsigned dimension = 0;
    node = kernel_plain(node);
    if (node->kind == CLOPT_NODE_BINARY && strcmp(node->op, "*") == 0) {
        find_factors(guess, node->children[0], parameter, row);
        find_factors(guess, node->children[1], parameter, row);
        return;
    }
    if (kernel_size_parameter(guess, node) >= 0)
        *parameter = kernel_size_parameter(guess, node);
    bool group = kernel_is_query(kernel_resolve(guess, node), "get_group_id", &dimension);
    *row |= kernel_identity_of(guess, node) > 0 || (group && dimension > 0);
}

/* y * width: a row is as long as dimension 0. */
static void note_stride(void *user, const struct clopt_node *node)
{
    struct kernel_guess *guess = user;
    int parameter = -1;
    bool row = false;
    if (node->kind != CLOPT_NODE_BINARY || strcmp(node->op, "*") != 0)
        return;
    find_factors(guess, node, &parameter, &row);
    if (row && parameter >= 0 && !guess->global[0].known)
        guess->global[0] = kernel_bound_size((unsigned)parameter);
}

/* The range is that of what is written, rather than of what is read. */
static void note_written(void *user, const struct clopt_node *node)
{
    struct kernel_guess *guess = user;
    if (node->kind != CLOPT_NODE_ASSIGN)
        return;
    kernel_walk_origins(guess, node->children[0], note_row, guess);
    kernel_walk_origins(guess, node->children[0], note_stride, guess);
}

/* Whether a parameter is the global size of some dimension already. */
static bool is_taken(const struct kernel_guess *guess, unsigned parameter)
{
    struct kernel_bound size = kernel_bound_size(parameter);
    for (unsigned d = 0; d < 3; d++)
        if (guess->global[d].known && kernel_bound_equal(&guess->global[d], &size))
            return true;
    return false;
}

/* Whether an integer may be a size by its name. */
static bool may_be_size(const struct kernel_parameter_guess *parameter)
{
    return !parameter->is_small && !parameter->is_index && !parameter->is_offset &&
           !parameter->is_block;
}

/* Takes an integer that the kernel gets and never asks: how many rows there are, one for each
 * work-item or work-group. */
static bool take_unused(const struct kernel_guess *guess, unsigned dimension,
                        struct kernel_bound *size)
{
    for (size_t i = 0; i < guess->kernel->parameter_count; i++) {
        const struct clopt_variable *variable = guess->kernel->parameters[i];
        if (guess->parameters[i].is_used || !may_be_size(&guess->parameters[i]) ||
            variable->is_pointer || variable->is_record || variable->width != 1 ||
            !clopt_scalar_is_integer(variable->scalar) || is_taken(guess, (unsigned)i))
            continue;
        struct kernel_bound local = kernel_bound_size(KERNEL_LOCAL_SIZE + dimension);
        *size = kernel_bound_size((unsigned)i);
        if (guess->rows_of_groups[dimension])
            *size = kernel_bound_multiply(size, &local);
        return true;
    }
    return false;
}

/* Takes the next integer that looks like a size, or a square of the only one, or else makes the
 * dimension a size of its own. */
static struct kernel_bound invent_size(const struct kernel_guess *guess, unsigned dimension)
{
    int taken = -1;
    struct kernel_bound unused;
    if (take_unused(guess, dimension, &unused))
        return unused;
    for (size_t i = 0; i < guess->kernel->parameter_count; i++) {
        if (!guess->parameters[i].is_size || !may_be_size(&guess->parameters[i]))
            continue;
        if (!is_taken(guess, (unsigned)i))
            return kernel_bound_size((unsigned)i);
        taken = (int)i;
    }
    return kernel_bound_size(taken >= 0 && dimension ? (unsigned)taken
                                                     : KERNEL_GLOBAL_SIZE + dimension);
}

/* ---- the whole ---- */

static void walk_all(struct kernel_guess *guess, kernel_visit visit)
{
    for (size_t i = 0; i < guess->source->function_count; i++)
        kernel_walk_nodes(guess->source->functions[i]->body, visit, guess);
}

/* Takes the local size from macros whose names say so. */
static void take_macros(struct kernel_guess *guess, const struct clopt_outline *outline)
{
    for (unsigned d = 0; d < guess->dimensions; d++)
        for (size_t i = 0; i < outline->macro_count && (guess->queries[d] & KERNEL_LOCAL_ID); i++) {
            const struct clopt_outline_macro *macro = &outline->macros[i];
            bool fits = macro->sizes_groups && (macro->dimension == (int)d || macro->dimension < 0);
            if (fits && !guess->local[d])
                guess->local[d] = strtoull(macro->value, NULL, 10);
        }
}

static void find_ndrange(struct kernel_guess *guess, const struct clopt_outline *outline)
{
    const struct clopt_node *body = guess->kernel->body;
    guess->dimensions = guess->dimensions ? guess->dimensions : 1;
    read_required_size(guess);
    walk_all(guess, note_local_size);
    take_macros(guess, outline);
    walk_all(guess, note_group_row);
    note_single(guess);
    kernel_walk_nodes(body, note_comparison, guess);
    kernel_walk_nodes(body, note_written, guess);
    kernel_walk_nodes(body, note_row, guess);
    kernel_walk_nodes(body, note_stride, guess);
    for (unsigned d = 0; d < guess->dimensions; d++)
        if (!guess->global[d].known)
            guess->global[d] = invent_size(guess, d);
    for (unsigned d = guess->dimensions; d < 3; d++)
        guess->global[d] = kernel_bound_constant(1);
}

/* Takes in which integers a bound grows with. */
static void note_lengths(struct kernel_guess *guess, const struct kernel_bound *bound)
{
    for (size_t i = 0; i < bound->count && bound->known; i++)
        for (size_t k = 0; k < KERNEL_MOST_FACTORS; k++)
            if (bound->terms[i].sizes[k] < KERNEL_MOST_GUESSES) {
                struct kernel_parameter_guess *size = &guess->parameters[bound->terms[i].sizes[k]];
                size->is_length = size->is_size = true;
            }
}

/* A kernel has some result: where none was seen to be written, all that it may write are. */
static void provide_results(struct kernel_guess *guess)
{
    for (size_t i = 0; i < guess->kernel->parameter_count; i++)
        if (guess->parameters[i].written)
            return;
    for (size_t i = 0; i < guess->kernel->parameter_count; i++) {
        const struct clopt_variable *variable = guess->kernel->parameters[i];
        if (variable->is_pointer && variable->pointee == CLOPT_SPACE_GLOBAL &&
            !variable->points_to_const)
            guess->parameters[i].read = guess->parameters[i].written =
                guess->parameters[i].unclear = true;
    }
}

/* What chooses elements of a buffer may choose as many as there are work-items, where nothing else
 * says how long that is. */
static void provide_choices(struct kernel_guess *guess)
{
    struct kernel_bound items = kernel_bound_constant(1), one = items;
    for (unsigned d = 0; d < guess->dimensions; d++)
        items = kernel_bound_multiply(&items, &guess->global[d]);
    for (size_t i = 0; i < guess->kernel->parameter_count; i++) {
        const struct kernel_parameter_guess *chooser = &guess->parameters[i];
        if (!chooser->indexes || !chooser->beside.known)
            continue;
        struct kernel_bound least = kernel_bound_add(chooser->beside, &items, 1);
        struct kernel_parameter_guess *chosen = &guess->parameters[chooser->indexes - 1];
        least = kernel_bound_add(least, &one, -1);
        if (!chosen->length.known || !kernel_bound_covers(&chosen->length, &chooser->beside))
            chosen->length = least;
    }
}

static void find_lengths(struct kernel_guess *guess)
{
    provide_choices(guess);
    for (unsigned d = 0; d < guess->dimensions; d++)
        note_lengths(guess, &guess->global[d]);
    for (size_t i = 0; i < guess->kernel->parameter_count; i++)
        note_lengths(guess, &guess->parameters[i].length);
}

enum clopt_status kernel_guess_init(struct kernel_guess *guess, const struct clopt_source *source,
                                    const struct clopt_outline *outline, struct clopt_error *error)
{
    *guess = (struct kernel_guess){.source = source, .kernel = source->kernel};
    size_t count = guess->kernel->parameter_count;
    if (count > KERNEL_MOST_GUESSES)
        return clopt_fail(error, CLOPT_INVALID, "kernel %s: more than %d parameters",
                          guess->kernel->name, KERNEL_MOST_GUESSES);
    guess->flows = calloc(source->variable_count + 1, sizeof *guess->flows);
    if (!guess->flows)
        return clopt_fail_memory(error);
    for (size_t i = 0; i < source->function_count; i++)
        clopt_node_visit_uses(source->functions[i]->body, note_access, guess);
    walk_all(guess, note_node);
    kernel_guess_sizes(guess);
    find_ndrange(guess, outline);
    kernel_guess_buffers(guess);
    provide_results(guess);
    find_lengths(guess);
    return CLOPT_OK;
}

void kernel_guess_fini(struct kernel_guess *guess)
{
    free(guess->flows);
    guess->flows = NULL;
}
