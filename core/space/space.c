/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers the trials of a study: a trial's number is a mixed-radix number of its point. */
#include "space/space.h"

#include "space/composition.h"
#include "space/parameters.h"

static uint64_t count_product(const struct clopt_subspace *space,
                              const struct clopt_product *product)
{
    uint64_t count = product->parameters ? clopt_study_combination_count(space) : 1;
    for (size_t i = 0; i < product->count && count; i++)
        count = clopt_count_multiply(count, space->composition->slots[product->members[i]].count);
    return count;
}

/* Counts a kernel's trials: the initial code and the variants that are chosen. */
static uint64_t count_kernel(const struct clopt_subspace *space)
{
    const struct clopt_sample *chosen =
        clopt_study_sample(space->study, space->group, space->number);
    if (chosen)
        return clopt_count_add(1, chosen->count);
    uint64_t count = clopt_space_variant_count(space);
    uint64_t sample = space->study->sample;
    return clopt_count_add(1, sample && sample < count ? sample : count);
}

/* Returns the number, among all variants of a kernel, of the one chosen as number `index`. */
static uint64_t choose_variant(const struct clopt_subspace *space, uint64_t index)
{
    const struct clopt_sample *chosen =
        clopt_study_sample(space->study, space->group, space->number);
    if (chosen)
        return chosen->variants[index];
    uint64_t count = clopt_space_variant_count(space);
    if (!space->study->sample || space->study->sample >= count)
        return index;
    struct clopt_permutation permutation =
        clopt_permutation_make(count, space->study->seed + space->number);
    return clopt_permutation_at(&permutation, index);
}

/* Finds the point of variant number `index` of a kernel; 0 is the first that changes something. The
 * last optimization of an order changes fastest, the study's parameters slowest. */
static enum clopt_status find_point(const struct clopt_subspace *space, uint64_t index,
                                    size_t *point, struct clopt_error *error)
{
    const struct clopt_composition *composition = space->composition;
    const struct clopt_product *order = composition->orders;
    const struct clopt_product *end = order + composition->order_count;
    size_t choice[CLOPT_MOST_PARAMETERS];
    uint64_t count;
    while (order < end && index >= (count = count_product(space, order))) {
        index -= count;
        order++;
    }
    if (order == end)
        return clopt_fail(error, CLOPT_INVALID, "the study has no such variant");
    clopt_composition_reset(composition, CLOPT_NO_POSITION, point);
    clopt_composition_set(composition, CLOPT_ORDERS, 0, (size_t)(order - composition->orders),
                          point);
    for (size_t i = order->count; i-- > 0;) {
        const struct clopt_settings *settings = &composition->slots[order->members[i]];
        clopt_settings_choose(settings, index % settings->count, choice);
        for (size_t p = 0; p < settings->optimization->parameter_count; p++)
            clopt_composition_set(composition, order->members[i], p, choice[p], point);
        index /= settings->count;
    }
    if (order->parameters)
        clopt_study_combination(space, index, choice);
    for (size_t p = 0; order->parameters && p < space->app->parameters->count; p++)
        clopt_composition_set(composition, CLOPT_STUDY_PARAMETER, p, choice[p], point);
    return CLOPT_OK;
}

size_t clopt_space_group_count(const struct clopt_study *study)
{
    size_t problems = 0;
    for (size_t i = 0; i < study->app_count; i++)
        problems += study->apps[i].problem_count;
    return problems * study->device_count;
}

struct clopt_space_group clopt_space_group(const struct clopt_study *study, size_t group)
{
    struct clopt_space_group found = {0};
    while (found.app + 1 < study->app_count &&
           group >= study->apps[found.app].problem_count * study->device_count) {
        group -= study->apps[found.app].problem_count * study->device_count;
        found.app++;
    }
    found.problem = group / study->device_count;
    found.device = group % study->device_count;
    return found;
}

struct clopt_subspace clopt_subspace(const struct clopt_study *study, size_t group, size_t kernel)
{
    struct clopt_space_group where = clopt_space_group(study, group);
    const struct clopt_study_app *app = &study->apps[where.app];
    return (struct clopt_subspace){
        study, app, app->kernels[kernel], &app->compositions[kernel], group, where, kernel};
}

static bool next_kernel(struct clopt_subspace *space)
{
    if (space->number + 1 == space->app->kernel_count)
        return false;
    *space = clopt_subspace(space->study, space->group, space->number + 1);
    return true;
}

uint64_t clopt_space_count(const struct clopt_study *study, size_t group)
{
    struct clopt_subspace space = clopt_subspace(study, group, 0);
    uint64_t count = 0;
    do
        count = clopt_count_add(count, count_kernel(&space));
    while (next_kernel(&space));
    return count;
}

uint64_t clopt_space_first(const struct clopt_study *study, size_t group, size_t kernel)
{
    struct clopt_subspace space = clopt_subspace(study, group, 0);
    uint64_t first = 0;
    for (; kernel; kernel--, next_kernel(&space))
        first = clopt_count_add(first, count_kernel(&space));
    return first;
}

uint64_t clopt_space_count_all(const struct clopt_study *study, size_t group)
{
    struct clopt_subspace space = clopt_subspace(study, group, 0);
    uint64_t count = 0;
    do
        count = clopt_count_add(count, clopt_count_add(1, clopt_space_variant_count(&space)));
    while (next_kernel(&space));
    return count;
}

uint64_t clopt_space_variant_count(const struct clopt_subspace *space)
{
    uint64_t count = 0;
    if (space->study->search.strategy)
        return 0; /* a search makes them */
    for (size_t i = 0; i < space->composition->order_count; i++)
        count = clopt_count_add(count, count_product(space, &space->composition->orders[i]));
    return count;
}

enum clopt_status clopt_space_variant(const struct clopt_subspace *space, uint64_t number,
                                      struct clopt_trial *trial, struct clopt_error *error)
{
    CLOPT_FREED size_t *point = clopt_calloc(space->composition->count + 1, sizeof *point);
    *trial = (struct clopt_trial){.app = space->app->entry};
    CLOPT_TRY(find_point(space, number, point, error));
    return clopt_composition_trial(space, point, trial, error);
}

enum clopt_status clopt_space_trial(const struct clopt_study *study, size_t group, uint64_t index,
                                    struct clopt_trial *trial, struct clopt_error *error)
{
    struct clopt_subspace space = clopt_subspace(study, group, 0);
    uint64_t count;
    while (index >= (count = count_kernel(&space))) {
        index -= count;
        if (!next_kernel(&space)) {
            *trial = (struct clopt_trial){.app = space.app->entry};
            return clopt_fail(error, CLOPT_INVALID, "the study has no such trial");
        }
    }
    return index ? clopt_space_variant(&space, choose_variant(&space, index - 1), trial, error)
                 : clopt_composition_trial(&space, NULL, trial, error);
}

/* ---- deals the trials of a study out to its shards ---- */

struct clopt_space_order clopt_space_order_make(const struct clopt_study *study, size_t group)
{
    uint64_t all = clopt_space_count(study, group), step = 1, first = 0;
    if (study->shard.count) {
        step = study->shard.count;
        first = study->shard.number - 1;
        for (size_t i = 0; i < group; i++) /* whose trials are dealt out before */
            first = (first + step - clopt_space_count(study, i) % step) % step;
    }
    return (struct clopt_space_order){.all = clopt_permutation_make(all, study->seed + group),
                                      .first = first,
                                      .step = step,
                                      .count = first < all ? (all - 1 - first) / step + 1 : 0};
}

uint64_t clopt_space_order_at(const struct clopt_space_order *order, uint64_t position)
{
    return clopt_permutation_at(&order->all, order->first + position * order->step);
}
