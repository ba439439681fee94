/* SPDX-License-Identifier: BSD-3-Clause */
/* Guesses from a kernel's source what its arguments are for. */
#include "guess.h"

#include <clopt/clopt.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "guess_buffers.h"
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
    else if (parent && parent->kind == CLOPT_NODE_ASSIGN && parent->children[0] == node &&
             strcmp(parent->operator, "=") == 0)
        flow->value = parent->children[1];
}

/* A for loop whose step changes a variable, and whose condition compares it. */
static void note_loop(struct kernel_guess *guess, const struct clopt_node *loop)
{
    const struct clopt_node *step = kernel_plain(loop->step);
    guess->has_loops = true;
    if (loop->kind != CLOPT_NODE_FOR || !step || !step->child_count)
        return;
    const struct clopt_node *counter = kernel_plain(step->children[0]);
    if (counter->kind == CLOPT_NODE_VARIABLE)
        guess->flows[counter->variable->index].loop = loop;
}

static void note_node(void *user, const struct clopt_node *node)
{
    static const char *const of_groups[] = {"get_local_id", "get_group_id", "get_local_size",
                                            "get_num_groups", "get_global_size"};
    static const char *const queries[] = {"get_global_id",  "get_global_size", "get_local_id",
                                          "get_local_size", "get_group_id",    "get_num_groups"};
    struct kernel_guess *guess = user;
    unsigned dimension;
    if (clopt_node_is_loop(node))
        note_loop(guess, node);
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
        if (kernel_is_query(node, queries[i], &dimension) && dimension >= guess->dimensions)
            guess->dimensions = dimension + 1;
    for (size_t i = 0; i < sizeof of_groups / sizeof *of_groups; i++)
        guess->uses_groups |= kernel_is_query(node, of_groups[i], &dimension);
    if (node->kind == CLOPT_NODE_CALL && clopt_call_is_collective(node))
        guess->uses_groups = true;
}

/* ---- the NDRange ---- */

/* The local size is what the source itself multiplies a group's identity by. */
static void note_local_size(void *user, const struct clopt_node *node)
{
    struct kernel_guess *guess = user;
    unsigned dimension;
    if (node->kind != CLOPT_NODE_BINARY || strcmp(node->operator, "*") != 0)
        return;
    for (int side = 0; side < 2; side++) {
        const struct clopt_node *other = kernel_plain(node->children[!side]);
        if (kernel_is_query(kernel_plain(node->children[side]), "get_group_id", &dimension) &&
            other->known && other->value > 0 && !guess->local[dimension])
            guess->local[dimension] = (uint64_t)other->value;
    }
}

/* Reads the sizes behind reqd_work_group_size in front of the kernel's body. */
static void read_required_size(struct kernel_guess *guess)
{
    const char *text = clopt_source_text(guess->source);
    const char *at = strstr(text + guess->kernel->begin, "reqd_work_group_size");
    if (!at || at > text + guess->kernel->body->begin)
        return;
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
    bool equal = strcmp(node->operator, "==") == 0 || strcmp(node->operator, "!=") == 0;
    bool ordered =
        strchr("<>", node->operator[0]) && (!node->operator[1] || node->operator[1] == '=');
    for (int side = 0; side < 2 && (equal || ordered); side++) {
        int dimension = kernel_identity_of(guess, node->children[side]);
        bool below = (node->operator[0] == '<') == (side == 0);
        if (dimension >= 0 && ordered)
            guard(guess, dimension, node->children[!side], below == (node->operator[1] == '='));
        else if (dimension >= 0)
            border(guess, dimension, node->children[!side]);
    }
}

/* (z * height + y) * width + x: a row is as long as the dimension of what is added to it. */
static void note_row(void *user, const struct clopt_node *node)
{
    struct kernel_guess *guess = user;
    if (node->kind != CLOPT_NODE_BINARY || strcmp(node->operator, "+") != 0)
        return;
    for (int side = 0; side < 2; side++) {
        const struct clopt_node *rows = kernel_plain(node->children[side]);
        int dimension = kernel_identity_of(guess, node->children[!side]);
        if (dimension < 0 || rows->kind != CLOPT_NODE_BINARY || strcmp(rows->operator, "*") != 0)
            continue;
        for (int factor = 0; factor < 2; factor++) {
            int parameter = kernel_size_parameter(guess, rows->children[factor]);
            if (parameter >= 0 && !guess->global[dimension].known)
                guess->global[dimension] = kernel_bound_size((unsigned)parameter);
        }
    }
}

/* y * width: a row is as long as dimension 0. */
static void note_stride(void *user, const struct clopt_node *node)
{
    struct kernel_guess *guess = user;
    if (node->kind != CLOPT_NODE_BINARY || strcmp(node->operator, "*") != 0)
        return;
    for (int side = 0; side < 2; side++) {
        int parameter = kernel_size_parameter(guess, node->children[!side]);
        if (kernel_identity_of(guess, node->children[side]) > 0 && parameter >= 0 &&
            !guess->global[0].known)
            guess->global[0] = kernel_bound_size((unsigned)parameter);
    }
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

/* Takes the next integer that looks like a size, or else makes the dimension a size of its own. */
static struct kernel_bound invent_size(const struct kernel_guess *guess, unsigned dimension)
{
    for (size_t i = 0; i < guess->kernel->parameter_count; i++) {
        const struct kernel_parameter_guess *parameter = &guess->parameters[i];
        if (parameter->is_size && !parameter->is_small && !is_taken(guess, (unsigned)i))
            return kernel_bound_size((unsigned)i);
    }
    return kernel_bound_size(KERNEL_GLOBAL_SIZE + dimension);
}

/* ---- sizes ---- */

static bool sounds_small(const char *name)
{
    static const char *const words[] = {"radius", "filter", "mask", "window", "iter", "step",
                                        "taps",   "order",  "bins", "degree", "depth"};
    char lower[64];
    size_t length = 0;
    for (; name[length] && length + 1 < sizeof lower; length++)
        lower[length] = (char)tolower((unsigned char)name[length]);
    lower[length] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(lower, words[i]))
            return true;
    return false;
}

/* What is compared with, multiplies or limits something is a size. */
static void note_size(void *user, const struct clopt_node *node)
{
    struct kernel_guess *guess = user;
    bool limits = node->kind == CLOPT_NODE_CALL && node->name &&
                  (strcmp(node->name, "min") == 0 || strcmp(node->name, "clamp") == 0);
    bool counts = node->kind == CLOPT_NODE_BINARY && strchr("<>*/%", node->operator[0]);
    for (size_t side = 0; (limits || counts) && side < node->child_count; side++) {
        int parameter = kernel_size_parameter(guess, node->children[side]);
        if (parameter >= 0)
            guess->parameters[parameter].is_size = true;
    }
}

/* ---- the whole ---- */

static void walk_all(struct kernel_guess *guess, kernel_visit visit)
{
    for (size_t i = 0; i < clopt_source_function_count(guess->source); i++)
        kernel_walk_nodes(clopt_source_function(guess->source, i)->body, visit, guess);
}

static void find_ndrange(struct kernel_guess *guess)
{
    const struct clopt_node *body = guess->kernel->body;
    read_required_size(guess);
    walk_all(guess, note_local_size);
    kernel_walk_nodes(body, note_comparison, guess);
    kernel_walk_nodes(body, note_row, guess);
    kernel_walk_nodes(body, note_stride, guess);
    if (!guess->dimensions)
        guess->dimensions = 1;
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

static void find_lengths(struct kernel_guess *guess)
{
    for (unsigned d = 0; d < guess->dimensions; d++)
        note_lengths(guess, &guess->global[d]);
    for (size_t i = 0; i < guess->kernel->parameter_count; i++)
        note_lengths(guess, &guess->parameters[i].length);
}

enum clopt_status kernel_guess_init(struct kernel_guess *guess, const struct clopt_source *source,
                                    struct clopt_error *error)
{
    *guess = (struct kernel_guess){.source = source, .kernel = clopt_source_kernel(source)};
    size_t count = guess->kernel->parameter_count;
    if (count > KERNEL_MOST_GUESSES)
        return clopt_fail(error, CLOPT_INVALID, "kernel %s: more than %d parameters",
                          guess->kernel->name, KERNEL_MOST_GUESSES);
    guess->flows = calloc(clopt_source_variable_count(source) + 1, sizeof *guess->flows);
    if (!guess->flows)
        return clopt_fail(error, CLOPT_FAILED, "out of memory");
    for (size_t i = 0; i < clopt_source_function_count(source); i++)
        clopt_node_accesses(clopt_source_function(source, i)->body, note_access, guess);
    walk_all(guess, note_node);
    kernel_walk_nodes(guess->kernel->body, note_size, guess);
    for (size_t i = 0; i < count; i++)
        guess->parameters[i].is_small = sounds_small(guess->kernel->parameters[i]->name);
    find_ndrange(guess);
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
