/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds variants among the compositions of a study. */
#include "space/composition.h"
#include "text/variant_name.h"

/* A variant that is looked for. */
struct search {
    const struct clopt_subspace *space;
    const struct clopt_composition *composition; /* the space's */
    const char *name;
    size_t *point;
    size_t *normalized;
};

static bool is_found(const struct search *search)
{
    const struct clopt_composition *composition = search->composition;
    CLOPT_OWNED(clopt_trial) trial = {0};
    memcpy(search->normalized, search->point, composition->count * sizeof *search->point);
    clopt_composition_normalize(composition, search->normalized);
    if (clopt_composition_trial(search->space, search->normalized, &trial, NULL))
        return false;
    CLOPT_FREED char *name = clopt_trial_name(&trial);
    return strcmp(name, search->name) == 0;
}

/* Tries all orders. */
static bool find_order(const struct search *search)
{
    const struct clopt_composition *composition = search->composition;
    size_t dimension = clopt_composition_dimension(composition, CLOPT_ORDERS, 0);
    size_t count = dimension == CLOPT_NO_POSITION ? 1 : composition->order_count;
    for (size_t order = 0; order < count; order++) {
        if (dimension != CLOPT_NO_POSITION)
            search->point[dimension] = order;
        if (is_found(search))
            return true;
    }
    return false;
}

/* Gives a parameter of an optimization its value in the name; false where the study has it not. */
static bool set_value(const struct search *search, size_t slot,
                      const struct clopt_name_value *value)
{
    const struct clopt_study_optimization *wanted = search->composition->slots[slot].optimization;
    const struct clopt_parameter *parameters = wanted->entry->extension->optimization->parameters;
    size_t p = 0, item = 0;
    while (p < wanted->parameter_count && !clopt_piece_is(value->name, parameters[p].name))
        p++;
    if (p == wanted->parameter_count)
        return false;
    const struct clopt_list *list = &wanted->lists[p];
    while (item < list->count &&
           !(list->items[item] && clopt_piece_is(value->value, list->items[item])))
        item++;
    if (item < list->count)
        clopt_composition_set(search->composition, slot, p, item, search->point);
    return item < list->count;
}

/* Finds optimizations of the study, which are not `used`, for the steps from `value` on. */
static bool find_steps(const struct search *search, struct clopt_name_value value, bool more,
                       uint64_t used)
{
    const struct clopt_composition *composition = search->composition;
    for (size_t i = 0; more && i < composition->slot_count && i < 64; i++) {
        const struct clopt_study_optimization *wanted = composition->slots[i].optimization;
        struct clopt_name_value next = value;
        bool left = true, fits = true;
        if (used >> i & 1 || !wanted ||
            !clopt_piece_is(value.optimization, wanted->entry->extension->name))
            continue;
        for (; left && next.number == value.number; left = clopt_name_next(&next))
            fits = fits && set_value(search, i, &next);
        if (fits && find_steps(search, next, left, used | UINT64_C(1) << i))
            return true;
        clopt_composition_reset(composition, i, search->point);
    }
    return !more && find_order(search);
}

bool clopt_composition_find(const struct clopt_subspace *space, const char *name, size_t *point)
{
    const struct clopt_composition *composition = space->composition;
    CLOPT_FREED size_t *own = clopt_calloc(composition->count + 1, sizeof *own);
    struct search search = {space, composition, name, own, point};
    struct clopt_name_value first = clopt_name_begin(name);
    clopt_composition_reset(composition, CLOPT_NO_POSITION, own);
    return clopt_name_next(&first) && find_steps(&search, first, true, 0);
}

bool clopt_composition_alone(const struct clopt_composition *composition, size_t dimension,
                             size_t *point)
{
    const struct clopt_dimension *own = &composition->dimensions[dimension];
    size_t count = composition->domains[dimension].count;
    clopt_composition_reset(composition, CLOPT_NO_POSITION, point);
    size_t value = (point[dimension] + (count + 1) / 2) % count;
    if (own->slot == CLOPT_ORDERS || own->slot == CLOPT_STUDY_PARAMETER)
        return false;
    bool changes = value != point[dimension];
    point[dimension] = value;
    clopt_composition_normalize(composition, point);
    return changes && point[dimension] == value;
}
