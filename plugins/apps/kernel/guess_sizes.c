/* SPDX-License-Identifier: BSD-3-Clause */
/* Guesses which integers of a kernel are sizes, by their use and by their names. */
#include "guess_sizes.h"

#include <ctype.h>
#include <string.h>

#include "index.h"

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

/* Takes in what the names of parameters say. */
static void note_names(struct kernel_guess *guess)
{
    static const char *const small[] = {"radius", "filter", "mask",  "window", "iter",
                                        "step",   "taps",   "order", "bins",   "degree",
                                        "depth",  "align",  NULL};
    static const char *const block[] = {"block", "tile", NULL};
    static const char *const many[] = {"num", "count", "blocks", "tiles", "per", NULL};
    static const char *const offset[] = {"offset", "start", "begin", "base", NULL};
    static const char *const index[] = {"i",   "j",   "k",     "t",     "it",   "id",    "row",
                                        "col", "idx", "index", "pivot", "pass", "stage", NULL};
    for (size_t i = 0; i < guess->kernel->parameter_count; i++) {
        const char *name = guess->kernel->parameters[i]->name;
        guess->parameters[i].is_small = sounds_like(name, small, false);
        guess->parameters[i].is_offset = sounds_like(name, offset, false);
        guess->parameters[i].is_index =
            sounds_like(name, index, true) && !guess->parameters[i].limits_loop;
        guess->parameters[i].is_block =
            sounds_like(name, block, false) && !sounds_like(name, many, false);
    }
}

/* Returns n of n - 1, which is a size as n is. */
static const struct clopt_node *without_border(const struct clopt_node *node)
{
    node = kernel_plain(node);
    bool sum = node->kind == CLOPT_NODE_BINARY && strchr("+-", node->op[0]);
    return sum && kernel_plain(node->children[1])->known ? kernel_plain(node->children[0]) : node;
}

/* What is compared with, multiplies or limits something is a size. */
static void note_size(void *user, const struct clopt_node *node)
{
    struct kernel_guess *guess = user;
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

void kernel_guess_sizes(struct kernel_guess *guess)
{
    kernel_walk_nodes(guess->kernel->body, note_size, guess);
    note_names(guess);
}
