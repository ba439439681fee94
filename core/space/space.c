/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers the trials of a study: a trial's number is a mixed-radix number of its choices. */
#include "space/space.h"

#include "number/permutation.h"
#include "space/parameters.h"
#include "space/settings.h"
#include "text/text.h"

/* What all choices below are made for. */
struct place {
    const struct clopt_study *study;
    const struct clopt_study_app *app;
    const struct clopt_kernel *kernel;
    struct clopt_parameter_place numbers; /* all of them, and the problem and device */
    size_t group;
};

static uint64_t add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t multiply(uint64_t a, uint64_t b)
{
    return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/* Counts the settings of an optimization for this kernel, as far as the study wants any. */
static struct clopt_settings count_settings(const struct place *place,
                                            const struct clopt_study_optimization *optimization)
{
    struct clopt_settings settings = {.count = 0};
    if (clopt_study_names(&optimization->kernels, place->kernel->name) &&
        clopt_study_names(&optimization->apps, place->app->entry->plugin->name))
        clopt_settings_init(&settings, optimization, place->app->entry, place->kernel);
    return settings;
}

static uint64_t count_product(const struct place *place, const struct clopt_product *product)
{
    uint64_t count =
        product->parameters ? clopt_study_combination_count(place->study, &place->numbers) : 1;
    for (size_t i = 0; i < product->count && count; i++)
        count = multiply(
            count, count_settings(place, &place->study->optimizations[product->members[i]]).count);
    return count;
}

/* Counts all variants of a kernel. */
static uint64_t count_variants(const struct place *place)
{
    uint64_t count = 0;
    if (place->study->search.strategy)
        return 0; /* a search makes them */
    for (size_t i = 0; i < place->study->product_count; i++)
        count = add(count, count_product(place, &place->study->products[i]));
    return count;
}

/* Counts a kernel's trials: the initial code and the variants that are chosen. */
static uint64_t count_kernel(const struct place *place)
{
    const struct clopt_sample *chosen =
        clopt_study_sample(place->study, place->group, place->numbers.kernel);
    if (chosen)
        return add(1, chosen->count);
    uint64_t count = count_variants(place);
    uint64_t sample = place->study->sample;
    return add(1, sample && sample < count ? sample : count);
}

/* Returns the number, among all variants of a kernel, of the one that is chosen as number `index`.
 */
static uint64_t choose_variant(const struct place *place, uint64_t index)
{
    const struct clopt_sample *chosen =
        clopt_study_sample(place->study, place->group, place->numbers.kernel);
    if (chosen)
        return chosen->variants[index];
    uint64_t count = count_variants(place);
    if (!place->study->sample || place->study->sample >= count)
        return index;
    struct clopt_permutation permutation =
        clopt_permutation_make(count, place->study->seed + place->numbers.kernel);
    return clopt_permutation_at(&permutation, index);
}

static enum clopt_status make_step(const struct place *place,
                                   const struct clopt_study_optimization *optimization,
                                   uint64_t index, struct clopt_step *step,
                                   struct clopt_error *error)
{
    struct clopt_settings settings = count_settings(place, optimization);
    step->optimization = optimization->entry;
    return clopt_settings_get(&settings, index, &step->values, error);
}

/* Makes the parameters and steps of variant number `index` of a kernel; 0 is the first that changes
 * something. */
static enum clopt_status make_steps(const struct place *place, uint64_t index,
                                    struct clopt_trial *trial, struct clopt_error *error)
{
    const struct clopt_product *product = place->study->products;
    const struct clopt_product *end = product + place->study->product_count;
    uint64_t count;
    while (product < end && index >= (count = count_product(place, product))) {
        index -= count;
        product++;
    }
    if (product == end)
        return clopt_fail(error, CLOPT_INVALID, "the study has no such variant");
    if (product->parameters) {
        uint64_t combinations = clopt_study_combination_count(place->study, &place->numbers);
        uint64_t below = count_product(place, product) / combinations;
        enum clopt_status status =
            clopt_study_combination(place->study, &place->numbers, index / below, trial, error);
        if (status)
            return status;
        index %= below;
    }
    for (size_t i = 0; i < product->count; i++) {
        const struct clopt_study_optimization *optimization =
            &place->study->optimizations[product->members[i]];
        /* The last optimization changes fastest. */
        uint64_t below = 1;
        for (size_t j = i + 1; j < product->count; j++)
            below *= count_settings(place, &place->study->optimizations[product->members[j]]).count;
        enum clopt_status status =
            make_step(place, optimization, index / below, &trial->steps[i], error);
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

/* Starts with the first kernel of a group. */
static struct place first_place(const struct clopt_study *study, size_t group)
{
    struct clopt_space_group where = clopt_space_group(study, group);
    const struct clopt_study_app *app = &study->apps[where.app];
    return (struct place){
        study, app, app->kernels[0], {where.app, where.problem, where.device, 0}, group};
}

static struct place place_of(const struct clopt_study *study, size_t group, size_t kernel)
{
    struct place place = first_place(study, group);
    place.kernel = place.app->kernels[kernel];
    place.numbers.kernel = kernel;
    return place;
}

static bool next_kernel(struct place *place)
{
    if (place->numbers.kernel + 1 == place->app->kernel_count)
        return false;
    place->kernel = place->app->kernels[++place->numbers.kernel];
    return true;
}

uint64_t clopt_space_count(const struct clopt_study *study, size_t group)
{
    struct place place = first_place(study, group);
    uint64_t count = 0;
    do
        count = add(count, count_kernel(&place));
    while (next_kernel(&place));
    return count;
}

uint64_t clopt_space_first(const struct clopt_study *study, size_t group, size_t kernel)
{
    struct place place = first_place(study, group);
    uint64_t first = 0;
    for (; kernel; kernel--, next_kernel(&place))
        first = add(first, count_kernel(&place));
    return first;
}

uint64_t clopt_space_count_all(const struct clopt_study *study, size_t group)
{
    struct place place = first_place(study, group);
    uint64_t count = 0;
    do
        count = add(count, add(1, count_variants(&place)));
    while (next_kernel(&place));
    return count;
}

uint64_t clopt_space_variant_count(const struct clopt_study *study, size_t group, size_t kernel)
{
    struct place place = place_of(study, group, kernel);
    return count_variants(&place);
}

/* Makes the initial code, or variant number *number of a kernel. */
static enum clopt_status make_trial(const struct place *place, const uint64_t *number,
                                    struct clopt_trial *trial, struct clopt_error *error)
{
    *trial = (struct clopt_trial){.app = place->app->entry,
                                  .kernel = place->kernel,
                                  .seed = place->study->seed,
                                  .objective = place->study->measure.objective,
                                  .source_limit = place->study->limits.source_bytes};
    trial->inputs = clopt_values_copy(place->app->problems[place->numbers.problem]);
    enum clopt_status status = trial->inputs ? CLOPT_OK : clopt_fail_memory(error);
    if (status == CLOPT_OK)
        status = clopt_study_initial_parameters(place->study, trial->app, trial, error);
    if (status == CLOPT_OK && number)
        status = make_steps(place, *number, trial, error);
    if (status)
        clopt_trial_fini(trial);
    return status;
}

enum clopt_status clopt_space_initial(const struct clopt_study *study, size_t group, size_t kernel,
                                      struct clopt_trial *trial, struct clopt_error *error)
{
    struct place place = place_of(study, group, kernel);
    return make_trial(&place, NULL, trial, error);
}

enum clopt_status clopt_space_variant(const struct clopt_study *study, size_t group, size_t kernel,
                                      uint64_t number, struct clopt_trial *trial,
                                      struct clopt_error *error)
{
    struct place place = place_of(study, group, kernel);
    return make_trial(&place, &number, trial, error);
}

enum clopt_status clopt_space_trial(const struct clopt_study *study, size_t group, uint64_t index,
                                    struct clopt_trial *trial, struct clopt_error *error)
{
    struct place place = first_place(study, group);
    uint64_t count;
    while (index >= (count = count_kernel(&place))) {
        index -= count;
        if (!next_kernel(&place)) {
            *trial = (struct clopt_trial){.app = place.app->entry};
            return clopt_fail(error, CLOPT_INVALID, "the study has no such trial");
        }
    }
    uint64_t number = index ? choose_variant(&place, index - 1) : 0;
    return make_trial(&place, index ? &number : NULL, trial, error);
}
