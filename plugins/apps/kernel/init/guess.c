/* SPDX-License-Identifier: BSD-3-Clause */
/* Guesses from a kernel's source what its arguments are for. */
#include "guess.h"

#include <ctype.h>

/* ---- what is asked for ---- */

/* Notes what loops count up to. */
static void note_loop(struct kernel_guess *guess, const struct clopt_node *loop)
{
    const struct clopt_node *condition = kernel_plain(loop->condition);
    if (!kernel_counts(loop) || !condition || !kernel_is_binary(condition, "<"))
        return;
    int limit = kernel_size_parameter(guess, condition->children[1]);
    if (limit >= 0)
        guess->parameters[limit].limits_loop = true;
}

static void note_node(struct kernel_guess *guess, const struct clopt_node *node)
{
    static const struct {
        const char *name;
        unsigned bit;
        bool of_groups;
    } queries[] = {
        {"get_global_id", KERNEL_GLOBAL_ID, false}, {"get_global_size", KERNEL_GLOBAL_ID, true},
        {"get_local_id", KERNEL_LOCAL_ID, true},    {"get_local_size", KERNEL_LOCAL_ID, true},
        {"get_group_id", KERNEL_GROUP_ID, true},    {"get_num_groups", KERNEL_GROUP_ID, true},
    };
    if (clopt_node_is_loop(node))
        note_loop(guess, node);
    for (size_t i = 0; i < guess->kernel->parameter_count; i++)
        guess->parameters[i].is_used |=
            node->kind == CLOPT_NODE_VARIABLE && node->variable == guess->kernel->parameters[i];
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        unsigned dimension = clopt_node_dimension(node, queries[i].name);
        if (dimension == 3)
            continue;
        guess->queries[dimension] |= queries[i].bit;
        guess->uses_groups |= queries[i].of_groups;
        if (dimension >= guess->dimensions)
            guess->dimensions = dimension + 1;
    }
    if (clopt_node_find_effect(node, CLOPT_EFFECT_COLLECTIVE) == node)
        guess->uses_groups = true;
}

/* ---- sizes, by their use and by their names ---- */

/* Whether a name has one of some words in it, or is one of them. */
static bool sounds_like(const char *name, const char *const *words, bool whole)
{
    char lower[64];
    size_t length = 0;
    for (; name[length] && length + 1 < sizeof lower; length++)
        lower[length] = (char)tolower((unsigned char)name[length]);
    lower[length] = '\0';
    for (; *words; words++)
        if (whole ? strcmp(lower, *words) == 0 : strstr(lower, *words) != NULL)
            return true;
    return false;
}

static enum kernel_role role_of(const char *name, bool limits_loop)
{
    static const char *const small[] = {"radius", "filter", "mask",  "window", "iter",
                                        "step",   "taps",   "order", "bins",   "degree",
                                        "depth",  "align",  NULL};
    static const char *const block[] = {"block", "tile", NULL};
    static const char *const many[] = {"num", "count", "blocks", "tiles", "per", NULL};
    static const char *const offset[] = {"offset", "start", "begin", "base", NULL};
    static const char *const index[] = {"i",   "j",   "k",     "t",     "it",   "id",    "row",
                                        "col", "idx", "index", "pivot", "pass", "stage", NULL};
    if (sounds_like(name, block, false) && !sounds_like(name, many, false))
        return KERNEL_BLOCK;
    if (sounds_like(name, index, true) && !limits_loop)
        return KERNEL_INDEX;
    return sounds_like(name, offset, false)  ? KERNEL_OFFSET
           : sounds_like(name, small, false) ? KERNEL_SMALL
                                             : KERNEL_ANY;
}

/* Returns n of n - 1, which is a size as n is. */
static const struct clopt_node *without_border(const struct clopt_node *node)
{
    node = kernel_plain(node);
    bool sum = node->kind == CLOPT_NODE_BINARY && strchr("+-", node->op[0]);
    return sum && kernel_plain(node->children[1])->known ? kernel_plain(node->children[0]) : node;
}

/* What is compared with, multiplies or limits something is a size. */
static void note_size(struct kernel_guess *guess, const struct clopt_node *node)
{
    bool limits = node->kind == CLOPT_NODE_CALL && node->name &&
                  (strcmp(node->name, "min") == 0 || strcmp(node->name, "clamp") == 0);
    bool counts = node->kind == CLOPT_NODE_BINARY && strchr("<>*/%", node->op[0]) &&
                  node->op[1] != node->op[0];
    for (size_t side = 0; (limits || counts) && side < node->child_count; side++) {
        int parameter = kernel_size_parameter(guess, without_border(node->children[side]));
        if (parameter >= 0)
            guess->parameters[parameter].is_size = true;
    }
}

/* What a pointer is moved by that is cast to one to bytes is 0, or a multiple of what its elements
 * take. */
static void note_bytes(struct kernel_guess *guess, const struct clopt_node *node)
{
    for (size_t side = 0; side < 2 && kernel_is_binary(node, "+"); side++) {
        const struct clopt_node *address = clopt_node_bare(node->children[side]);
        int parameter = kernel_size_parameter(guess, node->children[1 - side]);
        if (parameter < 0 || address->kind != CLOPT_NODE_CAST || !address->is_pointer ||
            !strstr(address->name, "char"))
            continue;
        guess->parameters[parameter].is_bytes = true;
        guess->parameters[parameter].role = KERNEL_OFFSET;
    }
}

/* ---- the whole ---- */

/* Takes in which integers a bound grows with. */
static void note_lengths(struct kernel_guess *guess, const struct kernel_bound *bound)
{
    for (unsigned i = 0; i < guess->kernel->parameter_count; i++)
        if (kernel_bound_has(bound, KERNEL_PARAMETER + i))
            guess->parameters[i].is_length = guess->parameters[i].is_size = true;
}

/* A kernel has some result: where none was seen to be written, all that it may write are. */
static void provide_results(struct kernel_guess *guess)
{
    bool any = false;
    for (size_t i = 0; i < guess->kernel->parameter_count; i++)
        any |= guess->parameters[i].written;
    for (size_t i = 0; i < guess->kernel->parameter_count && !any; i++) {
        const struct clopt_variable *variable = guess->kernel->parameters[i];
        if (variable->is_pointer && variable->pointee == CLOPT_SPACE_GLOBAL &&
            !variable->points_to_const)
            guess->parameters[i].read = guess->parameters[i].written =
                guess->parameters[i].unclear = true;
    }
}

struct kernel_bound kernel_guess_items(const struct kernel_guess *guess)
{
    struct kernel_bound items = kernel_bound_constant(1);
    for (unsigned d = 0; d < guess->dimensions; d++)
        items = kernel_bound_multiply(items, guess->global[d]);
    return items;
}

/* What chooses elements of a buffer may choose as many as there are work-items, where nothing else
 * says how long that is. */
static void provide_choices(struct kernel_guess *guess)
{
    struct kernel_bound items = kernel_guess_items(guess);
    for (size_t i = 0; i < guess->kernel->parameter_count; i++) {
        const struct kernel_parameter_guess *chooser = &guess->parameters[i];
        if (!chooser->indexes || !chooser->beside.known)
            continue;
        struct kernel_parameter_guess *chosen = &guess->parameters[chooser->indexes - 1];
        if (!chosen->length.known || !kernel_bound_covers(chosen->length, chooser->beside))
            chosen->length = kernel_bound_plus(kernel_bound_add(chooser->beside, items, 1), -1);
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
    kernel_walk_all(guess, note_node);
    kernel_walk_nodes(guess, guess->kernel->body, note_size);
    for (size_t i = 0; i < count; i++)
        guess->parameters[i].role =
            role_of(guess->kernel->parameters[i]->name, guess->parameters[i].limits_loop);
    kernel_walk_nodes(guess, guess->kernel->body, note_bytes);
    kernel_guess_ndrange(guess, outline);
    kernel_guess_buffers(guess);
    provide_results(guess);
    find_lengths(guess);
    return CLOPT_OK;
}
