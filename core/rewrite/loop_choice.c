/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses loops of a kernel by what a study says. */
#include <clopt/loop.h>

#include <stdlib.h>
#include <string.h>

#include "rewrite/loop_choice.h"

#define MOST_LOOPS  1000000
#define MOST_FACTOR 1024

/* Reads "3", "3*4" or "3*full" at *at and what separates it from the next one. */
static bool read_number(const char **at, unsigned long *number, int *factor)
{
    char *end = NULL;
    if (**at < '1' || **at > '9')
        return false;
    *number = strtoul(*at, &end, 10);
    if (strncmp(end, "*full", 5) == 0) {
        *factor = 0;
        end += 5;
    } else if (*end == '*' && end[1] >= '1' && end[1] <= '9') {
        unsigned long own = strtoul(end + 1, &end, 10);
        *factor = own > MOST_FACTOR ? MOST_FACTOR + 1 : (int)own;
    }
    *at = *end == '+' ? end + 1 : end;
    return *number <= MOST_LOOPS && *factor <= MOST_FACTOR && (*end == '+' || *end == '\0');
}

bool clopt_loops_are_numbered(const char *loops)
{
    return *loops >= '1' && *loops <= '9';
}

enum clopt_status clopt_loops_check(const char *loops, struct clopt_error *error)
{
    if (strcmp(loops, "innermost") == 0 || strcmp(loops, "outer") == 0 || strcmp(loops, "all") == 0)
        return CLOPT_OK;
    const char *at = loops;
    do {
        unsigned long number = 0;
        int factor = 0;
        if (!read_number(&at, &number, &factor))
            return clopt_fail(error, CLOPT_INVALID,
                              "loops = %s: not innermost, outer, all, or numbers such as 1+3*4",
                              loops);
    } while (*at);
    return CLOPT_OK;
}

struct choice {
    const char *loops;
    unsigned factor;
    int *factors;
    unsigned long count; /* of loops */
    unsigned long chosen;
};

/* The factor of a loop by its number, -1 where it is not in the list. */
static int numbered_factor(const struct choice *choice, unsigned long wanted)
{
    for (const char *at = choice->loops; *at;) {
        unsigned long number = 0;
        int factor = (int)choice->factor;
        if (!read_number(&at, &number, &factor))
            return -1;
        if (number == wanted)
            return factor;
    }
    return -1;
}

static bool is_other_loop(const struct clopt_node *node, const void *loop)
{
    return node != loop && clopt_node_repeats(node);
}

static void choose(struct choice *choice, const struct clopt_node *node, bool inside)
{
    bool loop = clopt_node_repeats(node);
    if (loop) {
        int *factor = &choice->factors[node->index];
        choice->count++;
        bool named = strcmp(choice->loops, "all") == 0 ||
                     (strcmp(choice->loops, "innermost") == 0 &&
                      !clopt_node_search(node, is_other_loop, node)) ||
                     (strcmp(choice->loops, "outer") == 0 && !inside);
        *factor = named ? (int)choice->factor : numbered_factor(choice, choice->count);
        choice->chosen += *factor >= 0;
    }
    for (size_t i = 0; i < node->child_count; i++)
        choose(choice, node->children[i], inside || loop);
}

static unsigned long count_numbers(const char *loops)
{
    unsigned long count = 0;
    if (clopt_loops_are_numbered(loops))
        for (count = 1; (loops = strchr(loops, '+')); loops++)
            count++;
    return count;
}

enum clopt_status clopt_loops_choose(const struct clopt_source *source, const char *loops,
                                     unsigned factor, int *factors, struct clopt_error *error)
{
    const struct clopt_function *kernel = source->kernel;
    struct choice choice = {.loops = loops, .factor = factor, .factors = factors};
    for (size_t i = 0; i < source->node_count; i++)
        factors[i] = -1;
    choose(&choice, kernel->body, false);
    if (!choice.count)
        return clopt_fail(error, CLOPT_INFEASIBLE, "%s has no loop", kernel->name);
    if (choice.chosen < count_numbers(loops))
        return clopt_fail(error, CLOPT_INFEASIBLE, "loops = %s: %s has %lu loop%s", loops,
                          kernel->name, choice.count, choice.count == 1 ? "" : "s");
    return CLOPT_OK;
}
