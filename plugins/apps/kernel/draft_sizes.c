/* SPDX-License-Identifier: BSD-3-Clause */
/* What the sizes of a drafted study are called, and which values they get. */
#include "draft_sizes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "index.h"

#define MOST_TILE     32  /* rows and columns of local memory */
#define MOST_WORK     4e7 /* iterations of all work-items: a processor takes tens of milliseconds */
#define MOST_HALVINGS 6

/* ---- names ---- */

const char *kernel_drafting_parameter(const struct kernel_drafting *drafting, unsigned index)
{
    return drafting->guess.kernel->parameters[index]->name;
}

const char *kernel_drafting_size(const void *user, unsigned size)
{
    const struct kernel_drafting *drafting = user;
    if (size >= KERNEL_LOCAL_SIZE)
        return drafting->number[size - KERNEL_LOCAL_SIZE];
    if (size >= KERNEL_GROUPS)
        return drafting->groups[size - KERNEL_GROUPS];
    if (size >= KERNEL_GLOBAL_SIZE)
        return drafting->own[size - KERNEL_GLOBAL_SIZE];
    return drafting->renamed[size][0] ? drafting->renamed[size]
                                      : kernel_drafting_parameter(drafting, size);
}

/* The same for local memory, whose length may follow a parameter. */
static const char *local_name(const void *user, unsigned size)
{
    const struct kernel_drafting *drafting = user;
    return size >= KERNEL_LOCAL_SIZE ? drafting->local[size - KERNEL_LOCAL_SIZE]
                                     : kernel_drafting_size(user, size);
}

void kernel_drafting_put_bound(const struct kernel_drafting *drafting,
                               const struct kernel_bound *bound, bool local)
{
    kernel_bound_print(bound, local ? local_name : kernel_drafting_size, drafting, drafting->study);
}

static bool is_name_taken(const struct kernel_drafting *drafting, const char *name)
{
    for (size_t i = 0; i < drafting->guess.kernel->parameter_count; i++)
        if (strcmp(kernel_drafting_parameter(drafting, (unsigned)i), name) == 0)
            return true;
    return false;
}

/* Names that mean something else in expressions cannot be those of sizes. */
static void rename_sizes(struct kernel_drafting *drafting)
{
    static const char *const words[] = {"i", "j", "in", "and", "or", "not", "True", "False"};
    for (size_t p = 0; p < drafting->guess.kernel->parameter_count; p++)
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (strcmp(kernel_drafting_parameter(drafting, (unsigned)p), words[i]) == 0)
                snprintf(drafting->renamed[p], sizeof drafting->renamed[p], "size_%s", words[i]);
}

static void name_own_sizes(struct kernel_drafting *drafting)
{
    static const char *const names[] = {"width", "height", "depth"};
    for (unsigned d = 0; d < 3; d++) {
        const char *name = drafting->guess.dimensions == 1 ? "n" : names[d];
        snprintf(drafting->own[d], sizeof drafting->own[d],
                 is_name_taken(drafting, name) ? "global_%s" : "%s", name);
    }
}

/* ---- the local size ---- */

/* Finds the macro that gives the local size in a dimension; NULL: none. */
const struct clopt_outline_macro *kernel_drafting_local_macro(
    const struct kernel_drafting *drafting, unsigned d)
{
    const struct clopt_outline *outline = drafting->draft->outline;
    uint64_t known = drafting->guess.local[d];
    const struct clopt_outline_macro *found = NULL;
    for (size_t i = 0; i < outline->macro_count; i++) {
        const struct clopt_outline_macro *macro = &outline->macros[i];
        char value[32];
        snprintf(value, sizeof value, "%llu", (unsigned long long)known);
        bool fits = macro->dimension == (int)d || macro->dimension < 0;
        if (!macro->sizes_groups || !fits || (known && strcmp(macro->value, value) != 0))
            continue;
        if (!found || macro->dimension == (int)d)
            found = macro;
    }
    return found;
}

/* The local size of the initial code; what nothing says is smaller in small runs. */
static unsigned local_size(const struct kernel_drafting *drafting, unsigned d, unsigned run)
{
    static const unsigned defaults[] = {64, 16, 4}, small[] = {8, 8, 2};
    unsigned dimensions = drafting->guess.dimensions;
    const struct clopt_outline_macro *macro = kernel_drafting_local_macro(drafting, d);
    unsigned long value = macro ? strtoul(macro->value, NULL, 10) : 0;
    if (drafting->guess.local[d])
        return (unsigned)drafting->guess.local[d];
    return value ? (unsigned)value : (run ? small : defaults)[dimensions - 1];
}

static void choose_local(struct kernel_drafting *drafting)
{
    for (unsigned d = 0; d < drafting->guess.dimensions; d++) {
        const struct clopt_outline_macro *macro = kernel_drafting_local_macro(drafting, d);
        snprintf(drafting->number[d], sizeof drafting->number[d], "%u",
                 local_size(drafting, d, drafting->draft->run));
        snprintf(drafting->local[d], sizeof drafting->local[d], "%s",
                 macro ? macro->name : drafting->number[d]);
    }
}

/* How many work-groups there are, as an expression. Buffers are as long for all variants, so where
 * the local size is a parameter there are as many as there may be at most. */
static void name_groups(struct kernel_drafting *drafting)
{
    for (unsigned d = 0; d < drafting->guess.dimensions; d++) {
        FILE *text = fmemopen(drafting->groups[d], sizeof drafting->groups[d] - 1, "w");
        if (!text)
            return;
        bool varies = kernel_drafting_local_macro(drafting, d) != NULL;
        fputs(varies ? "(" : "ceildiv(", text);
        kernel_bound_print(&drafting->guess.global[d], kernel_drafting_size, drafting, text);
        if (!varies)
            fprintf(text, ", %s", drafting->local[d]);
        fputs(")", text);
        fclose(text);
    }
}

bool kernel_drafting_is_guarded(const struct kernel_guess *guess)
{
    for (unsigned d = 0; d < guess->dimensions; d++)
        if (!guess->guarded[d])
            return false;
    return true;
}

bool kernel_drafting_owns_size(const struct kernel_guess *guess, unsigned d)
{
    struct kernel_bound own = kernel_bound_size(KERNEL_GLOBAL_SIZE + d);
    return d < guess->dimensions && kernel_bound_equal(&guess->global[d], &own);
}

bool kernel_drafting_lists_size(const struct kernel_guess *guess, size_t parameter)
{
    return guess->parameters[parameter].is_size && !guess->parameters[parameter].is_block;
}

bool kernel_drafting_follows_groups(const struct kernel_bound *length)
{
    struct kernel_bound rest = *length;
    bool group = false;
    for (unsigned d = 0; d < 3 && rest.count == 1; d++)
        group |= kernel_bound_divide(&rest, KERNEL_GROUPS + d);
    return group && rest.terms[0].sizes[0] == KERNEL_NO_SIZE;
}

/* Whether some dimension has a size. */
static bool is_global(const struct kernel_guess *guess, unsigned size)
{
    bool found = false;
    for (unsigned d = 0; d < guess->dimensions; d++)
        for (size_t i = 0; i < guess->global[d].count; i++)
            found |=
                memchr(guess->global[d].terms[i].sizes, (int)size, KERNEL_MOST_FACTORS) != NULL;
    return found;
}

/* What a size has to be a multiple of: the local size, where the global one is not rounded up. */
static unsigned unit_of(const struct kernel_drafting *drafting, unsigned size, unsigned run)
{
    const struct kernel_guess *guess = &drafting->guess;
    struct kernel_bound own = kernel_bound_size(size);
    unsigned unit = (guess->dimensions == 3 ? 4 : 16) / (run ? 2 : 1);
    for (unsigned d = 0; d < guess->dimensions && !kernel_drafting_is_guarded(guess); d++) {
        unsigned local = local_size(drafting, d, run);
        bool tiled = !is_global(guess, size) && local <= MOST_TILE; /* for all that is known */
        if (local > unit && (tiled || kernel_bound_equal(&guess->global[d], &own)))
            unit = local;
    }
    return unit;
}

/* Where a size comes in the list. */
static unsigned place_of(const struct kernel_drafting *drafting, unsigned size)
{
    unsigned place = 0;
    while (place < drafting->size_count && drafting->sizes[place] != size)
        place++;
    return place;
}

/* A value for a size; each has another one in small runs. */
unsigned kernel_drafting_suggest(const struct kernel_drafting *drafting, unsigned size,
                                 unsigned run)
{
    static const unsigned defaults[] = {1024, 256, 64};
    const struct kernel_guess *guess = &drafting->guess;
    const struct kernel_parameter_guess *parameter =
        size < KERNEL_GLOBAL_SIZE ? &guess->parameters[size] : NULL;
    unsigned unit = unit_of(drafting, size, run);
    unsigned place = place_of(drafting, size) % 8;
    unsigned count = drafting->size_count < 8 ? (unsigned)drafting->size_count : 8;
    unsigned back = count - place; /* the other way round, from 1 */
    if (parameter && (parameter->is_index || parameter->is_offset))
        return parameter->is_index;
    if (parameter && parameter->is_small)
        return 4;
    if (run)
        return unit * (run == 1 ? 2 + 2 * place : 1 + 2 * back);
    if (parameter && !parameter->is_length)
        return 16;
    bool inner = !is_global(guess, size) && guess->dimensions == 1;
    unsigned value = (inner ? 256 : defaults[guess->dimensions - 1]) >> drafting->halvings;
    return (value + unit - 1) / unit * unit;
}

struct values {
    const struct kernel_drafting *drafting;
    unsigned run; /* as kernel_drafting_suggest() counts */
};

static uint64_t value_of(const void *user, unsigned size)
{
    const struct values *values = user;
    const struct kernel_drafting *drafting = values->drafting;
    unsigned d = (size - KERNEL_GLOBAL_SIZE) % 3;
    if (size < KERNEL_GROUPS)
        return kernel_drafting_suggest(drafting, size, values->run);
    uint64_t local = local_size(drafting, d, values->run);
    if (size >= KERNEL_LOCAL_SIZE)
        return local;
    uint64_t items = kernel_bound_evaluate(&drafting->guess.global[d], value_of, values);
    return (items + local - 1) / local;
}

uint64_t kernel_drafting_value(const void *user, unsigned run, unsigned size)
{
    return value_of(&(struct values){user, run + 1}, size);
}

/* How often all work-items together come to the innermost of nested loops, at most. */
struct work {
    struct values values;
    double most;
};

static void note_work(void *user, const struct clopt_node *node)
{
    struct work *work = user;
    const struct kernel_guess *guess = &work->values.drafting->guess;
    double iterations = 1;
    for (const struct clopt_node *at = node; at; at = at->parent) {
        const struct clopt_node *step = at->kind == CLOPT_NODE_FOR ? kernel_plain(at->step) : NULL;
        if (!step || !step->child_count)
            continue;
        struct kernel_bound last = kernel_upper(guess, step->children[0]);
        iterations *= 1 + (double)kernel_bound_evaluate(&last, value_of, &work->values);
    }
    for (unsigned d = 0; d < guess->dimensions; d++)
        iterations *= (double)kernel_bound_evaluate(&guess->global[d], value_of, &work->values);
    work->most = iterations > work->most ? iterations : work->most;
}

/* Halves sizes until loops over them take milliseconds. */
static void choose_halvings(struct kernel_drafting *drafting)
{
    for (drafting->halvings = 0; drafting->halvings < MOST_HALVINGS; drafting->halvings++) {
        struct work work = {{drafting, 0}, 0};
        kernel_walk_nodes(drafting->guess.kernel->body, note_work, &work);
        if (work.most <= MOST_WORK)
            break;
    }
}

/* Lists the sizes of which lengths can consist. */
static void list_sizes(struct kernel_drafting *drafting)
{
    for (unsigned d = 0; d < drafting->guess.dimensions; d++)
        if (kernel_drafting_owns_size(&drafting->guess, d))
            drafting->sizes[drafting->size_count++] = KERNEL_GLOBAL_SIZE + d;
    for (unsigned i = 0; i < drafting->guess.kernel->parameter_count; i++)
        if (kernel_drafting_lists_size(&drafting->guess, i))
            drafting->sizes[drafting->size_count++] = i;
}

void kernel_drafting_name(struct kernel_drafting *drafting)
{
    name_own_sizes(drafting);
    rename_sizes(drafting);
    list_sizes(drafting);
    choose_local(drafting);
    choose_halvings(drafting);
    name_groups(drafting);
}
