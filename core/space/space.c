/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers the trials of a study: a trial's number is a mixed-radix number of its choices. */
#include "space/space.h"

#include "number/permutation.h"
#include "space/component.h"
#include "space/parameters.h"
#include "space/settings.h"
#include "text/text.h"

bool clopt_subspace_has(const struct clopt_subspace *space,
                        const struct clopt_study_optimization *optimization)
{
    return clopt_study_names(&optimization->kernels, space->kernel->name) &&
           clopt_study_names(&optimization->apps, space->app->entry->plugin->name);
}

/* Counts the settings of an optimization for this kernel, as far as the study wants any. */
static struct clopt_settings count_settings(const struct clopt_subspace *space, size_t member)
{
    const struct clopt_study_optimization *optimization = &space->study->optimizations[member];
    struct clopt_settings settings = {.count = 0};
    if (clopt_subspace_has(space, optimization))
        clopt_settings_init(&settings, optimization, space->app->entry, space->kernel);
    return settings;
}

static uint64_t count_product(const struct clopt_subspace *space,
                              const struct clopt_product *product)
{
    uint64_t count = product->parameters ? clopt_study_combination_count(space) : 1;
    for (size_t i = 0; i < product->count && count; i++)
        count = clopt_count_multiply(count, count_settings(space, product->members[i]).count);
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

/* Returns the number, among all variants of a kernel, of the one that is chosen as number `index`.
 */
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

/* Makes the parameters and steps of variant number `index` of a kernel; 0 is the first that changes
 * something. */
static enum clopt_status make_steps(const struct clopt_subspace *space, uint64_t index,
                                    struct clopt_trial *trial, struct clopt_error *error)
{
    const struct clopt_product *product = space->study->products;
    const struct clopt_product *end = product + space->study->product_count;
    uint64_t count;
    while (product < end && index >= (count = count_product(space, product))) {
        index -= count;
        product++;
    }
    if (product == end)
        return clopt_fail(error, CLOPT_INVALID, "the study has no such variant");
    if (product->parameters) {
        uint64_t combinations = clopt_study_combination_count(space);
        uint64_t below = count_product(space, product) / combinations;
        enum clopt_status status = clopt_study_combination(space, index / below, trial, error);
        if (status)
            return status;
        index %= below;
    }
    for (size_t i = 0; i < product->count; i++) {
        struct clopt_settings settings = count_settings(space, product->members[i]);
        struct clopt_step *step = &trial->steps[i];
        uint64_t below = 1; /* the last optimization changes fastest */
        for (size_t j = i + 1; j < product->count; j++)
            below *= count_settings(space, product->members[j]).count;
        step->optimization = settings.optimization->entry;
        enum clopt_status status =
            clopt_settings_get(&settings, index / below, &step->values, error);
        if (status)
            return status;
        trial->step_count++;
        index %= below;
    }
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
    return (struct clopt_subspace){study, app, app->kernels[kernel], group, where, kernel};
}

static bool next_kernel(struct clopt_subspace *space)
{
    if (space->number + 1 == space->app->kernel_count)
        return false;
    space->kernel = space->app->kernels[++space->number];
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
    for (size_t i = 0; i < space->study->product_count; i++)
        count = clopt_count_add(count, count_product(space, &space->study->products[i]));
    return count;
}

/* Makes the initial code, or variant number *number of a kernel. */
static enum clopt_status make_trial(const struct clopt_subspace *space, const uint64_t *number,
                                    struct clopt_trial *trial, struct clopt_error *error)
{
    *trial = (struct clopt_trial){.app = space->app->entry,
                                  .kernel = space->kernel,
                                  .seed = space->study->seed,
                                  .objective = space->study->measure.objective,
                                  .source_limit = space->study->limits.source_bytes};
    trial->inputs = clopt_values_copy(space->app->problems[space->where.problem]);
    enum clopt_status status = trial->inputs ? CLOPT_OK : clopt_fail_memory(error);
    if (status == CLOPT_OK)
        status = clopt_study_initial_parameters(space->study, trial->app, trial, error);
    if (status == CLOPT_OK && number)
        status = make_steps(space, *number, trial, error);
    if (status)
        clopt_trial_fini(trial);
    return status;
}

enum clopt_status clopt_space_initial(const struct clopt_subspace *space, struct clopt_trial *trial,
                                      struct clopt_error *error)
{
    return make_trial(space, NULL, trial, error);
}

enum clopt_status clopt_space_variant(const struct clopt_subspace *space, uint64_t number,
                                      struct clopt_trial *trial, struct clopt_error *error)
{
    return make_trial(space, &number, trial, error);
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
    uint64_t number = index ? choose_variant(&space, index - 1) : 0;
    return make_trial(&space, index ? &number : NULL, trial, error);
}
