/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers the trials of a study: a trial's number is a mixed-radix number of its choices. */
#include "study/space.h"

#include <string.h>

#include "base/permutation.h"
#include "base/text.h"
#include "study/parameters.h"
#include "study/study_section.h"

#define NOWHERE SIZE_MAX

/* What all choices below are made for. */
struct place {
    const struct clopt_study *study;
    const struct clopt_study_app *app;
    const struct clopt_kernel *kernel;
    struct clopt_parameter_place numbers; /* all of them, and the problem and device */
};

static uint64_t add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t multiply(uint64_t a, uint64_t b)
{
    return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/* Tells whether a parameter is a knob that the app has, but not for this kernel: it cannot make a
 * variant of it. */
static bool leaves_kernel(const struct place *place,
                          const struct clopt_study_optimization *optimization, size_t parameter)
{
    const struct clopt_parameter *described =
        &clopt_entry_optimization(optimization->entry)->parameters[parameter];
    const struct clopt_knob *knob =
        described->knob ? clopt_knob_find(place->app->entry, optimization->entry, described->name)
                        : NULL;
    return knob && !clopt_knob_touches(knob, place->kernel->name);
}

/* Counts the values of a parameter for this kernel. */
static size_t value_count(const struct place *place,
                          const struct clopt_study_optimization *optimization, size_t parameter)
{
    if (leaves_kernel(place, optimization, parameter))
        return 1;
    return optimization->lists[parameter].count;
}

/* Finds the value of a parameter that changes nothing in its list. */
static size_t find_nothing(const struct place *place,
                           const struct clopt_study_optimization *optimization, size_t parameter)
{
    const struct clopt_list *list = &optimization->lists[parameter];
    if (leaves_kernel(place, optimization, parameter))
        return 0;
    for (size_t i = 0; i < list->count; i++)
        if (clopt_value_changes_nothing(place->app->entry, optimization->entry, parameter,
                                        list->items[i]))
            return i;
    return NOWHERE;
}

/* The settings of an optimization for one kernel. */
struct settings {
    uint64_t count;   /* without the one that changes nothing */
    uint64_t nothing; /* its number among all; UINT64_MAX: it is not there */
};

static struct settings count_settings(const struct place *place,
                                      const struct clopt_study_optimization *optimization)
{
    struct settings settings = {1, 0};
    if (!clopt_study_names(&optimization->kernels, place->kernel->name) ||
        !clopt_study_names(&optimization->apps, place->app->entry->plugin->name))
        return (struct settings){0, UINT64_MAX};
    for (size_t i = 0; i < optimization->parameter_count; i++) {
        size_t values = value_count(place, optimization, i);
        size_t nothing = find_nothing(place, optimization, i);
        settings.count = multiply(settings.count, values);
        if (nothing == NOWHERE || settings.nothing == UINT64_MAX)
            settings.nothing = UINT64_MAX;
        else
            settings.nothing = add(multiply(settings.nothing, values), nothing);
    }
    if (settings.nothing != UINT64_MAX)
        settings.count--;
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
    for (size_t i = 0; i < place->study->product_count; i++)
        count = add(count, count_product(place, &place->study->products[i]));
    return count;
}

/* Counts a kernel's trials: the initial code and the variants that are chosen. */
static uint64_t count_kernel(const struct place *place)
{
    uint64_t count = count_variants(place);
    uint64_t sample = place->study->sample;
    return add(1, sample && sample < count ? sample : count);
}

/* Returns the number, among all variants of a kernel, of the one that is chosen as number `index`:
 * the same for every problem and device, as long as they have as many variants. */
static uint64_t choose_variant(const struct place *place, uint64_t index)
{
    uint64_t count = count_variants(place);
    if (!place->study->sample || place->study->sample >= count)
        return index;
    struct clopt_permutation permutation =
        clopt_permutation_make(count, place->study->seed + place->numbers.kernel);
    return clopt_permutation_at(&permutation, index);
}

/* Spreads the number of a setting among all of this kernel's to that among all of the study's. */
static uint64_t number_setting(const struct place *place,
                               const struct clopt_study_optimization *optimization, uint64_t index)
{
    uint64_t number = 0;
    uint64_t weight = 1;
    for (size_t i = optimization->parameter_count; i-- > 0;) {
        size_t values = value_count(place, optimization, i);
        number += weight * (index % values);
        index /= values;
        weight *= optimization->lists[i].count;
    }
    return number;
}

/* Takes back what a parameter would change in another kernel. */
static void unset_foreign(const struct place *place,
                          const struct clopt_study_optimization *optimization,
                          struct clopt_values *values)
{
    for (size_t i = 0; i < values->count; i++)
        if (leaves_kernel(place, optimization, i))
            clopt_value_unset(&values->items[i]);
}

static enum clopt_status make_step(const struct place *place,
                                   const struct clopt_study_optimization *optimization,
                                   uint64_t index, struct clopt_step *step,
                                   struct clopt_error *error)
{
    struct settings settings = count_settings(place, optimization);
    if (index >= settings.nothing)
        index++;
    step->optimization = optimization->entry;
    enum clopt_status status = clopt_study_setting(
        optimization, number_setting(place, optimization, index), &step->values, error);
    if (status == CLOPT_OK)
        unset_foreign(place, optimization, step->values);
    return status;
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
    return (struct place){study, app, app->kernels[0], {where.app, where.problem, where.device, 0}};
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

uint64_t clopt_space_count_all(const struct clopt_study *study, size_t group)
{
    struct place place = first_place(study, group);
    uint64_t count = 0;
    do
        count = add(count, add(1, count_variants(&place)));
    while (next_kernel(&place));
    return count;
}

enum clopt_status clopt_space_trial(const struct clopt_study *study, size_t group, uint64_t index,
                                    struct clopt_trial *trial, struct clopt_error *error)
{
    struct place place = first_place(study, group);
    uint64_t count;
    *trial = (struct clopt_trial){.app = place.app->entry, .seed = study->seed};
    while (index >= (count = count_kernel(&place))) {
        index -= count;
        if (!next_kernel(&place))
            return clopt_fail(error, CLOPT_INVALID, "the study has no such trial");
    }
    trial->kernel = place.kernel;
    trial->inputs = clopt_values_copy(place.app->problems[place.numbers.problem]);
    enum clopt_status status = trial->inputs ? CLOPT_OK : clopt_fail_memory(error);
    if (status == CLOPT_OK)
        status = clopt_study_initial_parameters(study, trial->app, trial, error);
    if (status == CLOPT_OK && index > 0)
        status = make_steps(&place, choose_variant(&place, index - 1), trial, error);
    if (status)
        clopt_trial_fini(trial);
    return status;
}
