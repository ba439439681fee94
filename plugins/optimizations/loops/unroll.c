/* SPDX-License-Identifier: BSD-3-Clause */
/* Loop unrolling. */
#include "unroll.h"

#include <stdlib.h>
#include <string.h>

#include "copies.h"

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
        *factor = (int)strtoul(end + 1, &end, 10);
    }
    *at = *end == '+' ? end + 1 : end;
    return *number <= MOST_LOOPS && *factor <= MOST_FACTOR && (*end == '+' || *end == '\0');
}

enum clopt_status unroll_parse(const char *unroll, const char *loops,
                               struct unroll_request *request, struct clopt_error *error)
{
    request->factor = strcmp(unroll, "full") == 0 ? 0 : (unsigned)strtoul(unroll, NULL, 10);
    request->loops = loops;
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

/* The factor of a loop by its number, -1 where it is not in the list. */
static int numbered_factor(const struct unroll_request *request, unsigned long wanted)
{
    for (const char *at = request->loops; *at;) {
        unsigned long number = 0;
        int factor = (int)request->factor;
        if (!read_number(&at, &number, &factor))
            return -1;
        if (number == wanted)
            return factor;
    }
    return -1;
}

static bool holds_loop(const struct clopt_node *node)
{
    for (size_t i = 0; i < node->child_count; i++)
        if (clopt_node_is_loop(node->children[i]) || holds_loop(node->children[i]))
            return true;
    return false;
}

/* Finds the factors of the loops that a request names, and counts all. */
static void select_loops(const struct clopt_node *node, const struct unroll_request *request,
                         bool inside, int *factors, unsigned long *count, unsigned long *chosen)
{
    bool loop = clopt_node_is_loop(node);
    if (loop) {
        int *factor = &factors[node->index];
        ++*count;
        bool named = strcmp(request->loops, "all") == 0 ||
                     (strcmp(request->loops, "innermost") == 0 && !holds_loop(node)) ||
                     (strcmp(request->loops, "outer") == 0 && !inside);
        *factor = named ? (int)request->factor : numbered_factor(request, *count);
        *chosen += *factor >= 0;
    }
    for (size_t i = 0; i < node->child_count; i++)
        select_loops(node->children[i], request, inside || loop, factors, count, chosen);
}

static unsigned long count_numbers(const char *loops)
{
    unsigned long count = 0;
    if (*loops >= '1' && *loops <= '9')
        for (count = 1; (loops = strchr(loops, '+')); loops++)
            count++;
    return count;
}

static enum clopt_status select_checked(const struct clopt_transform *transform,
                                        const struct clopt_function *kernel,
                                        const struct unroll_request *request, int *factors,
                                        struct clopt_error *error)
{
    unsigned long count = 0;
    unsigned long chosen = 0;
    select_loops(kernel->body, request, false, factors, &count, &chosen);
    const char *name = clopt_transform_kernel(transform);
    if (!count)
        return clopt_fail(error, CLOPT_INFEASIBLE, "%s has no loop", name);
    if (chosen < count_numbers(request->loops))
        return clopt_fail(error, CLOPT_INFEASIBLE, "loops = %s: %s has %lu loop%s", request->loops,
                          name, count, count == 1 ? "" : "s");
    return CLOPT_OK;
}

/* Puts the program with the kernel's body printed anew. */
static void put_program(struct copies *copies)
{
    const struct clopt_function *kernel = clopt_source_kernel(copies->source);
    const char *text = clopt_source_text(copies->source);
    clopt_output_copy(copies->output, copies->source, 0, kernel->begin);
    size_t from = clopt_output_length(copies->output);
    clopt_output_copy(copies->output, copies->source, kernel->begin, kernel->body->begin);
    copies_print(copies, kernel->body);
    clopt_output_indent(copies->output, from);
    clopt_output_copy(copies->output, copies->source, kernel->body->end, strlen(text));
}

static enum clopt_status rewrite(struct clopt_transform *transform, struct clopt_source *source,
                                 const struct unroll_request *request, struct clopt_error *error)
{
    size_t count = clopt_source_node_count(source);
    int *factors = calloc(count + 1, sizeof *factors);
    for (size_t i = 0; factors && i < count; i++)
        factors[i] = -1;
    struct copies copies = {
        .source = source, .output = clopt_output_create(), .factors = factors, .error = error};
    enum clopt_status status =
        factors && copies.output ? CLOPT_OK : clopt_fail(error, CLOPT_FAILED, "out of memory");
    if (!status)
        status = select_checked(transform, clopt_source_kernel(source), request, factors, error);
    if (!status) {
        copies_init(&copies);
        put_program(&copies);
        status = copies.status;
    }
    const char *text = status ? NULL : clopt_output_text(copies.output);
    if (!status)
        status = text ? clopt_transform_set_source(transform, text, error)
                      : clopt_fail(error, CLOPT_FAILED, "out of memory");
    clopt_output_destroy(copies.output);
    free(factors);
    return status;
}

enum clopt_status unroll_apply(struct clopt_transform *transform,
                               const struct unroll_request *request, struct clopt_error *error)
{
    struct clopt_source *source = NULL;
    enum clopt_status status = clopt_source_create(
        clopt_transform_file(transform), clopt_transform_source(transform),
        clopt_transform_options(transform), clopt_transform_kernel(transform), &source, error);
    if (!status)
        status = rewrite(transform, source, request, error);
    clopt_source_destroy(source);
    return status;
}
