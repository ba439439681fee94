/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what work-items read along dimension 0: rows of their own, rows that all want, columns, and
 * neighbours. */
#include "commands/advise/pattern_find.h"

#include "analysis/trip.h"

#define MOST_ROW 128 /* elements of one that all work-items read: all become text */

/* Finds what the work-items of one dimension each read a row of, by the deepest loops. A row of few
 * elements, such as the coordinates of a point, is too short to be shared. */
void clopt_pattern_find_rows(const struct clopt_source *source,
                             const struct clopt_subscripts *subscripts,
                             struct clopt_kernel_pattern *pattern)
{
    struct clopt_affine distance;
    int64_t number;
    for (size_t i = 0; i < subscripts->access_count && !pattern->nested; i++) {
        const struct clopt_subscript *access = &subscripts->accesses[i];
        unsigned loops = clopt_affine_depends(subscripts, &access->affine) & ~CLOPT_DEPENDS_ITEMS;
        if (!access->array || access->access != CLOPT_READ || !loops ||
            !clopt_pattern_coefficient(subscripts, access, 0, &distance) ||
            (clopt_affine_is_constant(&distance, &number) && llabs(number) < 2))
            continue;
        int64_t trips = clopt_pattern_trips(subscripts, loops);
        if (trips && trips < CLOPT_PATTERN_ROW)
            continue;
        pattern->nested = loops & (loops - 1);
        if (pattern->kind == CLOPT_KERNEL_OTHER || pattern->nested)
            clopt_pattern_note(source, CLOPT_KERNEL_ROWS, access, access, pattern);
        pattern->trip_count = trips;
    }
}

/* Whether work-items along dimension 0 read elements of their own in all loops of an access. */
static bool has_own(const struct clopt_subscripts *subscripts, const struct clopt_subscript *shared)
{
    unsigned loops = clopt_affine_depends(subscripts, &shared->affine) & ~CLOPT_DEPENDS_ITEMS;
    for (size_t i = 0; i < subscripts->access_count; i++) {
        const struct clopt_subscript *access = &subscripts->accesses[i];
        unsigned depends = clopt_affine_depends(subscripts, &access->affine);
        if (access->array && access->access == CLOPT_READ && (depends & CLOPT_DEPENDS_ITEM(0)) &&
            (depends & loops) == loops)
            return true;
    }
    return false;
}

/* Finds short rows that a long loop reads, or one of which the end is not known, and which are the
 * same for all work-items along dimension 0, as keys are for all queries. Where each reads as much
 * that is its own, it waits for that. */
void clopt_pattern_find_shared(const struct clopt_source *source,
                               const struct clopt_subscripts *subscripts,
                               struct clopt_kernel_pattern *pattern)
{
    for (size_t i = 0; i < subscripts->access_count; i++) {
        const struct clopt_subscript *access = &subscripts->accesses[i];
        unsigned depends = clopt_affine_depends(subscripts, &access->affine);
        int64_t row = 0;
        bool many = false;
        for (size_t j = 0; j < subscripts->symbol_count; j++) {
            const struct clopt_symbol *symbol = &subscripts->symbols[j];
            if (symbol->kind != CLOPT_SYMBOL_LOOP ||
                !(depends & CLOPT_DEPENDS_LOOP(symbol->number)))
                continue;
            int64_t trips = clopt_trip_count(symbol->key);
            many |= !trips || trips > MOST_ROW;
            row = trips >= 4 && trips <= MOST_ROW ? trips : row;
        }
        if (!access->array || access->access != CLOPT_READ || !many || !row ||
            (depends & CLOPT_DEPENDS_ITEM(0)) || has_own(subscripts, access))
            continue;
        clopt_pattern_note(source, CLOPT_KERNEL_SHARED, access, access, pattern);
        pattern->trip_count = row;
        return;
    }
}

void clopt_pattern_find_each(const struct clopt_source *source,
                             const struct clopt_subscripts *subscripts,
                             struct clopt_kernel_pattern *pattern)
{
    for (size_t i = 0; i < subscripts->access_count; i++) {
        const struct clopt_subscript *access = &subscripts->accesses[i];
        unsigned depends = clopt_affine_depends(subscripts, &access->affine);
        unsigned loops = depends & ~CLOPT_DEPENDS_ITEMS;
        int64_t trips = clopt_pattern_trips(subscripts, loops);
        if (!access->array || access->access != CLOPT_READ || !loops ||
            (depends & CLOPT_DEPENDS_ITEMS) || (trips && trips < CLOPT_PATTERN_ROW) ||
            has_own(subscripts, access))
            continue;
        clopt_pattern_note(source, CLOPT_KERNEL_EACH, access, access, pattern);
        return;
    }
}

/* Whether a loop moves an index by much. */
static bool moves_far(const struct clopt_subscripts *subscripts,
                      const struct clopt_subscript *access)
{
    struct clopt_affine coefficient;
    int64_t number;
    for (unsigned i = 0; i < subscripts->symbol_count; i++) {
        struct clopt_affine affine = access->affine;
        if (subscripts->symbols[i].kind == CLOPT_SYMBOL_LOOP &&
            clopt_affine_take(&affine, i + 1, &coefficient) && coefficient.count &&
            (!clopt_affine_is_constant(&coefficient, &number) ||
             llabs(number) >= CLOPT_PATTERN_ROW))
            return true;
    }
    return false;
}

/* Finds what work-items next to each other read of rows, down a column each. */
void clopt_pattern_find_columns(const struct clopt_source *source,
                                const struct clopt_subscripts *subscripts,
                                struct clopt_kernel_pattern *pattern)
{
    for (size_t i = 0; i < subscripts->access_count; i++) {
        const struct clopt_subscript *access = &subscripts->accesses[i];
        unsigned loops = clopt_affine_depends(subscripts, &access->affine) & ~CLOPT_DEPENDS_ITEMS;
        int64_t trips = clopt_pattern_trips(subscripts, loops);
        if (access->array && access->access == CLOPT_READ && loops &&
            (!trips || trips >= CLOPT_PATTERN_ROW) &&
            clopt_pattern_is_along(subscripts, access, 0) && moves_far(subscripts, access)) {
            clopt_pattern_note(source, CLOPT_KERNEL_COLUMNS, access, access, pattern);
            return;
        }
    }
}

/* Whether neighbours along dimension 0 read neighbours in a loop, of which iterations do. */
bool clopt_pattern_slides(const struct clopt_subscripts *subscripts)
{
    struct clopt_affine coefficient;
    int64_t number;
    for (size_t i = 0; i < subscripts->access_count; i++) {
        const struct clopt_subscript *access = &subscripts->accesses[i];
        for (unsigned j = 0; j < subscripts->symbol_count; j++) {
            struct clopt_affine affine = access->affine;
            if (access->array && access->access == CLOPT_READ &&
                subscripts->symbols[j].kind == CLOPT_SYMBOL_LOOP &&
                clopt_affine_take(&affine, j + 1, &coefficient) &&
                clopt_affine_is_constant(&coefficient, &number) && llabs(number) == 1 &&
                clopt_pattern_is_along(subscripts, access, 0))
                return true;
        }
    }
    return false;
}

/* Finds the narrowest elements of which neighbours along dimension 0 access neighbours. */
static void find_narrow(const struct clopt_source *source,
                        const struct clopt_subscripts *subscripts,
                        struct clopt_kernel_pattern *pattern)
{
    const struct clopt_subscript *narrowest = NULL;
    for (size_t i = 0; i < subscripts->access_count; i++) {
        const struct clopt_subscript *access = &subscripts->accesses[i];
        if (access->array && access->array->pointee == CLOPT_SPACE_GLOBAL &&
            access->array->pointee_bytes && access->array->pointee_bytes <= 8 &&
            clopt_pattern_is_along(subscripts, access, 0) &&
            (!narrowest || access->array->pointee_bytes < narrowest->array->pointee_bytes))
            narrowest = access;
    }
    if (narrowest)
        clopt_pattern_note(source, CLOPT_KERNEL_NARROW, narrowest, narrowest, pattern);
}

void clopt_kernel_lines_find(const struct clopt_source *source,
                             struct clopt_kernel_pattern *pattern)
{
    CLOPT_OWNED(clopt_subscripts) subscripts = {0};
    clopt_subscripts_find(source, NULL, &subscripts);
    clopt_pattern_find_rows(source, &subscripts, pattern);
    if (pattern->kind == CLOPT_KERNEL_OTHER)
        clopt_pattern_find_columns(source, &subscripts, pattern);
}

void clopt_kernel_narrow_find(const struct clopt_source *source,
                              struct clopt_kernel_pattern *pattern)
{
    CLOPT_OWNED(clopt_subscripts) subscripts = {0};
    clopt_subscripts_find(source, NULL, &subscripts);
    pattern->loops = clopt_pattern_holds_loop(source->kernel->body);
    /* Where groups wait within loops, work-items share more than that. */
    if (!pattern->loops || !clopt_node_find_effect(source->kernel->body, CLOPT_EFFECT_COLLECTIVE))
        find_narrow(source, &subscripts, pattern);
}
