/* SPDX-License-Identifier: BSD-3-Clause */
/* What a variant makes of a launch of the initial code, and demands of it. Programs that launch
 * winners have this file, too: it needs nothing else. */
#include "trial/transform.h"

/* The local size that a launch has in a dimension before work-items are merged. */
static size_t local_size(const struct clopt_ndrange *initial,
                         const struct clopt_ndrange_change *change, unsigned d)
{
    bool chosen = change->local_size[d] && d < initial->dimensions;
    return clopt_ndrange_factor(chosen ? change->local_size[d] : initial->local[d]);
}

struct clopt_ndrange clopt_ndrange_map(const struct clopt_ndrange *initial,
                                       const struct clopt_ndrange_change *change)
{
    struct clopt_ndrange mapped = *initial;
    for (unsigned d = 0; d < 3; d++) {
        size_t local = local_size(initial, change, d);
        size_t groups = clopt_divide_up(initial->global[d], local);
        if (change->divided_items[d])
            groups *= change->divided_items[d];
        if (change->merged_items[d])
            local = clopt_divide_up(local, change->merged_items[d]);
        if (change->merged_groups[d])
            groups = clopt_divide_up(groups, change->merged_groups[d]);
        mapped.local[d] = local;
        mapped.global[d] = groups * local;
    }
    return mapped;
}

size_t clopt_local_bytes(const struct clopt_ndrange_change *change, size_t added, unsigned argument,
                         size_t bytes)
{
    size_t aligned = clopt_round_up(bytes, CLOPT_LOCAL_ALIGNMENT);
    size_t parts = 0;
    for (size_t i = 0; i < change->added_count; i++) {
        const struct clopt_added_argument *one = &change->added[i];
        if (one->local && one->number == argument)
            parts = (parts ? parts : 1) * (i < added ? one->merged : 1);
    }
    return parts ? aligned * parts : bytes;
}

uint64_t clopt_added_value(const struct clopt_ndrange *initial,
                           const struct clopt_ndrange_change *change, size_t index, size_t bytes)
{
    const struct clopt_added_argument *added = &change->added[index];
    struct clopt_ndrange_change before = {
        .local_size = {change->local_size[0], change->local_size[1], change->local_size[2]}};
    if (added->local)
        return clopt_local_bytes(change, index, added->number, bytes);
    memcpy(before.divided_items, change->divided_items, sizeof before.divided_items);
    before.merged_groups[added->number] = added->merged;
    struct clopt_ndrange range = clopt_ndrange_map(initial, &before);
    uint64_t value = clopt_ndrange_factor(added->zeroed);
    for (unsigned d = 0; d < 3; d++)
        if (added->zeroed || d == added->number)
            value *= range.global[d] / range.local[d];
    return value;
}

struct clopt_unmet clopt_launch_unmet(
    const struct clopt_ndrange *initial, const struct clopt_ndrange_change *change,
    bool (*read)(const void *user, unsigned argument, int64_t *value), const void *user)
{
    struct clopt_unmet unmet = {.what = CLOPT_MET};
    for (unsigned d = unmet.dimension = 0; d < initial->dimensions; unmet.dimension = ++d) {
        size_t multiple = change->local_multiple[d], local = local_size(initial, change, d);
        unmet.local = local;
        if (multiple && (local % multiple || (change->local_only[d] && local != multiple)))
            unmet.what = CLOPT_UNMET_LOCAL;
        else if (change->whole_groups && initial->global[d] % local)
            unmet.what = CLOPT_UNMET_GROUPS;
        if (unmet.what)
            return unmet;
    }
    for (size_t i = 0; i < change->multiple_count && !unmet.what; i++) {
        const struct clopt_argument_multiple *own = unmet.demand = &change->multiples[i];
        unsigned of = own->argument - CLOPT_LAUNCH_GLOBAL, d = own->covers ? own->covers - 1 : 0;
        bool is_size = own->argument >= CLOPT_LAUNCH_GLOBAL && of < 3;
        unmet.dimension = d;
        unmet.items = clopt_round_up(initial->global[d], local_size(initial, change, d));
        unmet.value = is_size && of < initial->dimensions ? (int64_t)initial->global[of] : 1;
        if (!is_size && !read(user, own->argument, &unmet.value))
            unmet.what = CLOPT_UNMET_INTEGER;
        else if (unmet.value % own->multiple)
            unmet.what = CLOPT_UNMET_MULTIPLE;
        else if (own->equals && unmet.value != own->equals)
            unmet.what = CLOPT_UNMET_EQUALS;
        else if (own->covers && unmet.value < (int64_t)unmet.items)
            unmet.what = CLOPT_UNMET_COVERS;
    }
    return unmet;
}

/* ---- layouts ---- */

#define TILE 8 /* of permute.cl */

const char clopt_permute_source[] =
#include "core/trial/permute_text.h"
    ;

/* What the symbols of a form are of. */
struct known {
    const struct clopt_ndrange *range;
    clopt_affine_symbol_value read;
    const void *user;
};

static bool value_of(const void *user, unsigned symbol, int64_t *value)
{
    const struct known *known = user;
    const struct clopt_ndrange *range = known->range;
    if (symbol < CLOPT_LAUNCH_GLOBAL)
        return known->read(known->user, symbol - 1, value);
    size_t size = symbol < CLOPT_LAUNCH_LOCAL ? range->global[(symbol - CLOPT_LAUNCH_GLOBAL) % 3]
                                              : range->local[(symbol - CLOPT_LAUNCH_LOCAL) % 3];
    *value = size ? (int64_t)size : 1;
    return true;
}

bool clopt_layout_shape_find(const struct clopt_layout *layout, uint64_t bytes,
                             const struct clopt_ndrange *range, clopt_affine_symbol_value read,
                             const void *user, struct clopt_layout_shape *shape,
                             const struct clopt_launch_need **unmet)
{
    const struct known known = {range, read, user};
    int64_t width = 0;
    bool computed = clopt_affine_compute(&layout->row, value_of, &known, &width);
    *unmet = NULL;
    *shape = (struct clopt_layout_shape){layout->element_bytes, layout->narrow, layout->block,
                                         (uint64_t)width, 0};
    if (!computed || width < 1 || (uint64_t)width > bytes / layout->element_bytes ||
        bytes % (layout->element_bytes * (uint64_t)width))
        return false;
    shape->rows = bytes / (layout->element_bytes * (uint64_t)width);
    for (unsigned i = 0; i < layout->need_count && !*unmet; i++) {
        const struct clopt_launch_need *need = &layout->needs[i];
        int64_t value = -1;
        bool met = clopt_affine_compute(&need->form, value_of, &known, &value) &&
                   (need->multiple ? value % need->multiple == 0 : value >= 0);
        *unmet = met ? NULL : need;
    }
    return true;
}

size_t clopt_permute_items(const struct clopt_layout_shape *shape)
{
    return (size_t)((shape->rows + TILE - 1) / TILE * ((shape->width + TILE - 1) / TILE));
}

size_t clopt_permute_bytes(const struct clopt_layout_shape *shape)
{
    size_t rows = clopt_round_up((size_t)shape->rows, shape->block ? (size_t)shape->block : 1);
    return rows * (size_t)shape->width * (shape->narrow ? 2 : shape->element_bytes);
}
