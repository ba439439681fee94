/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what a kernel is as a whole, by the indices of what it reads. */
#include "commands/advise/kernel_pattern.h"

#include "analysis/subscript.h"
#include "analysis/trip.h"
#include "text/text.h"

#define PLANE (CLOPT_DEPENDS_ITEM(0) | CLOPT_DEPENDS_ITEM(1))

/* What an index multiplies the local identity of a dimension with. */
static bool find_coefficient(const struct clopt_subscripts *subscripts,
                             const struct clopt_subscript *access, unsigned dimension,
                             struct clopt_affine *coefficient)
{
    struct clopt_affine affine = access->affine;
    unsigned i = 0;
    while (i < subscripts->symbol_count && (subscripts->symbols[i].kind != CLOPT_SYMBOL_ITEM ||
                                            subscripts->symbols[i].number != dimension))
        i++;
    return clopt_affine_take(&affine, i + 1, coefficient) && coefficient->count &&
           !(clopt_affine_depends(subscripts, &affine) & CLOPT_DEPENDS_ITEM(dimension));
}

/* Whether one of the accesses reads what the other one does with the dimensions exchanged. */
static bool is_transposed(const struct clopt_subscripts *subscripts,
                          const struct clopt_subscript *a, const struct clopt_subscript *b)
{
    struct clopt_affine of_a[2], of_b[2];
    for (unsigned d = 0; d < 2; d++)
        if (!find_coefficient(subscripts, a, d, &of_a[d]) ||
            !find_coefficient(subscripts, b, d, &of_b[d]))
            return false;
    return a->array == b->array && !clopt_affine_equals(&of_a[0], &of_a[1]) &&
           clopt_affine_equals(&of_a[0], &of_b[1]) && clopt_affine_equals(&of_a[1], &of_b[0]);
}

/* Returns the loops whose counters both indices have, where one has dimension 0 beside them and the
 * other one dimension 1. */
static unsigned find_product(const struct clopt_subscripts *subscripts,
                             const struct clopt_subscript *a, const struct clopt_subscript *b)
{
    unsigned of_a = clopt_affine_depends(subscripts, &a->affine);
    unsigned of_b = clopt_affine_depends(subscripts, &b->affine);
    bool apart = (of_a & PLANE) == CLOPT_DEPENDS_ITEM(1) && (of_b & PLANE) == CLOPT_DEPENDS_ITEM(0);
    return apart ? of_a & of_b & ~CLOPT_DEPENDS_ITEMS : 0;
}

/* Returns the trip count of the first of some loops; 0: it is not known. */
static int64_t count_trips(const struct clopt_subscripts *subscripts, unsigned loops)
{
    for (size_t i = 0; i < subscripts->symbol_count; i++) {
        const struct clopt_symbol *symbol = &subscripts->symbols[i];
        if (symbol->kind == CLOPT_SYMBOL_LOOP && (loops & CLOPT_DEPENDS_LOOP(symbol->number)))
            return clopt_trip_count(symbol->key);
    }
    return 0;
}

static void note(const struct clopt_source *source, enum clopt_kernel_kind kind,
                 const struct clopt_subscript *a, const struct clopt_subscript *b,
                 struct clopt_kernel_pattern *pattern)
{
    const struct clopt_subscript *const both[] = {a, b};
    pattern->kind = kind;
    pattern->line = clopt_source_line(source, a->node);
    for (size_t i = 0; i < 2; i++) {
        unsigned bytes = (unsigned)both[i]->array->pointee_bytes;
        snprintf(pattern->arrays[i], sizeof pattern->arrays[i], "%s", both[i]->array->name);
        pattern->bytes = bytes > pattern->bytes ? bytes : pattern->bytes;
    }
}

/* Finds what two reads are together; a product says more than a pair. */
static void judge(const struct clopt_source *source, const struct clopt_subscripts *subscripts,
                  const struct clopt_subscript *a, const struct clopt_subscript *b,
                  struct clopt_kernel_pattern *pattern)
{
    struct clopt_affine distance;
    int64_t number;
    if (!a->array || !b->array || a->access != CLOPT_READ || b->access != CLOPT_READ)
        return;
    unsigned loops = find_product(subscripts, a, b);
    if (loops) {
        note(source, CLOPT_KERNEL_PRODUCT, a, b, pattern);
        pattern->trip_count = count_trips(subscripts, loops);
        pattern->columns = !find_coefficient(subscripts, b, 0, &distance) ||
                           !clopt_affine_is_constant(&distance, &number) || llabs(number) > 1;
    } else if (pattern->kind == CLOPT_KERNEL_OTHER && is_transposed(subscripts, a, b)) {
        note(source, CLOPT_KERNEL_PAIR, a, b, pattern);
    }
}

void clopt_kernel_pattern_find(const struct clopt_source *source,
                               const struct clopt_ndrange *ndrange,
                               struct clopt_kernel_pattern *pattern)
{
    CLOPT_OWNED(clopt_subscripts) subscripts = {0};
    *pattern = (struct clopt_kernel_pattern){.extents = {ndrange->global[0], ndrange->global[1]}};
    if (ndrange->dimensions < 2)
        return;
    clopt_subscripts_find(source, NULL, &subscripts);
    for (size_t i = 0; i < subscripts.access_count; i++)
        for (size_t j = 0; j < subscripts.access_count && pattern->kind != CLOPT_KERNEL_PRODUCT;
             j++)
            judge(source, &subscripts, &subscripts.accesses[i], &subscripts.accesses[j], pattern);
    if (pattern->kind == CLOPT_KERNEL_PRODUCT && ndrange->dimensions > 2)
        pattern->kind = CLOPT_KERNEL_BATCH;
}

char *clopt_kernel_pattern_say(const struct clopt_kernel_pattern *pattern)
{
    const char *a = pattern->arrays[0], *b = pattern->arrays[1];
    switch (pattern->kind) {
    case CLOPT_KERNEL_PRODUCT:
    case CLOPT_KERNEL_BATCH:
        return clopt_text_format("a %s: the loop around line %u reads %s by dimension 1 and %s by "
                                 "dimension 0, so tiles of both in local memory serve a whole "
                                 "work-group",
                                 pattern->kind == CLOPT_KERNEL_BATCH
                                     ? "product for each index of dimension 2"
                                     : "product",
                                 pattern->line, a, b);
    case CLOPT_KERNEL_PAIR:
        return clopt_text_format("a pair: line %u reads %s and what is transposed of it, which "
                                 "local memory turns",
                                 pattern->line, a);
    default:
        return NULL;
    }
}
