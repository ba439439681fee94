/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds variants among the compositions of a study. */
#include <stdlib.h>
#include <string.h>

#include "space/composition_parts.h"
#include "text/variant_name.h"

/* A variant that is looked for. */
struct search {
    const struct clopt_composition *composition;
    const char *name;
    size_t *point;
    size_t *normalized;
};

static void reset(const struct clopt_composition *composition, size_t optimization, size_t *point)
{
    for (size_t i = 0; i < composition->count; i++)
        if (composition->dimensions[i].optimization == optimization)
            point[i] = clopt_composition_rest(composition, i);
}

static bool is_found(const struct search *search)
{
    const struct clopt_composition *composition = search->composition;
    struct clopt_trial trial;
    memcpy(search->normalized, search->point, composition->count * sizeof *search->point);
    clopt_composition_normalize(composition, search->normalized);
    if (clopt_composition_trial(composition, search->normalized, &trial, NULL))
        return false;
    char *name = clopt_trial_name(&trial);
    bool found = name && strcmp(name, search->name) == 0;
    free(name);
    clopt_trial_fini(&trial);
    return found;
}

/* Tries all orders. */
static bool find_order(const struct search *search)
{
    const struct clopt_composition *composition = search->composition;
    size_t dimension = clopt_composition_dimension(composition, CLOPT_ORDERS, 0);
    size_t count = dimension == CLOPT_NO_PLACE ? 1 : composition->order_count;
    for (size_t order = 0; order < count; order++) {
        if (dimension != CLOPT_NO_PLACE)
            search->point[dimension] = order;
        if (is_found(search))
            return true;
    }
    return false;
}

/* Gives a parameter of an optimization its value in the name; false where the study has it not. */
static bool set_value(const struct search *search, size_t optimization,
                      const struct clopt_name_value *value)
{
    const struct clopt_study_optimization *wanted =
        &search->composition->space.study->optimizations[optimization];
    const struct clopt_parameter *parameters = wanted->entry->plugin->optimization->parameters;
    size_t p = 0, item = 0;
    while (p < wanted->parameter_count && !clopt_piece_is(value->name, parameters[p].name))
        p++;
    if (p == wanted->parameter_count)
        return false;
    const struct clopt_list *list = &wanted->lists[p];
    while (item < list->count &&
           !(list->items[item] && clopt_piece_is(value->value, list->items[item])))
        item++;
    size_t dimension = clopt_composition_dimension(search->composition, optimization, p);
    if (dimension != CLOPT_NO_PLACE)
        search->point[dimension] = item + search->composition->dimensions[dimension].added;
    return item < list->count;
}

/* Finds optimizations of the study, which are not `used`, for the steps from `value` on. */
static bool place(const struct search *search, struct clopt_name_value value, bool more,
                  uint64_t used)
{
    const struct clopt_composition *composition = search->composition;
    const struct clopt_study *study = composition->space.study;
    for (size_t i = 0; more && i < study->optimization_count; i++) {
        struct clopt_name_value next = value;
        bool left = true, fits = true;
        if (used >> i & 1 || !clopt_subspace_has(&composition->space, &study->optimizations[i]) ||
            !clopt_piece_is(value.optimization, study->optimizations[i].entry->plugin->name))
            continue;
        for (; left && next.number == value.number; left = clopt_name_next(&next))
            fits = fits && set_value(search, i, &next);
        if (fits && place(search, next, left, used | UINT64_C(1) << i))
            return true;
        reset(composition, i, search->point);
    }
    return !more && find_order(search);
}

bool clopt_composition_find(const struct clopt_composition *composition, const char *name,
                            size_t *point)
{
    size_t *own = calloc(composition->count + 1, sizeof *own);
    struct search search = {composition, name, own, point};
    struct clopt_name_value first = clopt_name_begin(name);
    for (size_t i = 0; own && i < composition->count; i++)
        own[i] = clopt_composition_rest(composition, i);
    bool found = own && clopt_name_next(&first) && place(&search, first, true, 0);
    free(own);
    return found;
}

bool clopt_composition_alone(const struct clopt_composition *composition, size_t dimension,
                             size_t *point)
{
    const struct clopt_dimension *own = &composition->dimensions[dimension];
    size_t count = composition->domains[dimension].count;
    for (size_t i = 0; i < composition->count; i++)
        point[i] = clopt_composition_rest(composition, i);
    size_t value = (point[dimension] + (count + 1) / 2) % count;
    if (own->optimization == CLOPT_ORDERS || own->optimization == CLOPT_STUDY_PARAMETER)
        return false;
    bool changes = value != point[dimension];
    point[dimension] = value;
    clopt_composition_normalize(composition, point);
    return changes && point[dimension] == value;
}
