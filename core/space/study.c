/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of a study: ends them, finds them. */
#include "space/study.h"

#include "space/composition.h"
#include "space/parameters.h"
#include "trial/rival.h"

void clopt_study_device_fini(struct clopt_study_device *device)
{
    free(device->label);
    free(device->platform);
    free(device->name);
    free(device->type);
}

static void fini_app(struct clopt_study_app *app)
{
    for (size_t i = 0; i < app->problem_count; i++)
        clopt_values_destroy(app->problems[i]);
    free(app->problems);
    free(app->kernels);
    clopt_app_parameters_destroy(app->parameters);
    clopt_compositions_destroy(app->compositions, app->kernel_count);
}

static void fini_parameter(struct clopt_study_parameter *parameter)
{
    free(parameter->name);
    free(parameter->help);
    free(parameter->numbers);
    free(parameter->initial.text);
    clopt_list_fini(&parameter->values);
    clopt_list_fini(&parameter->kernels);
    clopt_list_fini(&parameter->apps);
}

static void fini_optimization(struct clopt_study_optimization *optimization)
{
    for (size_t i = 0; i < optimization->parameter_count; i++)
        clopt_list_fini(&optimization->lists[i]);
    free(optimization->lists);
    free(optimization->links);
    clopt_list_fini(&optimization->kernels);
    clopt_list_fini(&optimization->apps);
    free(optimization->name);
}

static void fini_rival(struct clopt_study_rival *rival)
{
    free(rival->label);
    free(rival->origin);
    clopt_list_fini(&rival->apps);
    clopt_list_fini(&rival->devices);
    json_decref(rival->program);
}

void clopt_study_forget_samples(struct clopt_study *study)
{
    for (size_t i = 0; i < study->sample_count; i++)
        free(study->samples[i].variants);
    free(study->samples);
    study->samples = NULL;
    study->sample_count = 0;
}

const struct clopt_sample *clopt_study_sample(const struct clopt_study *study, size_t group,
                                              size_t kernel)
{
    return study->samples ? &study->samples[group * study->samples_per_group + kernel] : NULL;
}

static void fini_search(struct clopt_search_plan *plan)
{
    for (size_t i = 0; i < plan->start_count; i++) {
        free(plan->starts[i].variant);
        free(plan->starts[i].device_type);
        free(plan->starts[i].kernel);
    }
    free(plan->starts);
    free(plan->strategy);
    free(plan->first);
}

struct clopt_start *clopt_search_plan_add(struct clopt_search_plan *plan, const char *variant,
                                          size_t length, const char *device_type)
{
    struct clopt_start *start =
        clopt_array_add(&plan->starts, &plan->start_count, sizeof *plan->starts);
    start->variant = clopt_strndup(variant, length);
    start->device_type = device_type ? clopt_strdup(device_type) : NULL;
    return start;
}

void clopt_study_destroy(struct clopt_study *study)
{
    if (!study)
        return;
    clopt_study_forget_samples(study);
    for (size_t i = 0; i < study->device_count; i++)
        clopt_study_device_fini(&study->devices[i]);
    for (size_t i = 0; i < study->app_count; i++)
        fini_app(&study->apps[i]);
    for (size_t i = 0; i < study->optimization_count; i++)
        fini_optimization(&study->optimizations[i]);
    for (size_t i = 0; i < study->parameter_count; i++)
        fini_parameter(&study->parameters[i]);
    for (size_t i = 0; i < study->constraint_count; i++) {
        free(study->constraints[i].name);
        clopt_expression_destroy(study->constraints[i].expression);
    }
    free(study->measure.verifier);
    clopt_list_fini(&study->measure.observers);
    free(study->parameters);
    free(study->constraints);
    free(study->devices);
    free(study->apps);
    free(study->optimizations);
    free(study->path);
    json_decref(study->published);
    for (size_t i = 0; i < study->rival_count; i++)
        fini_rival(&study->rivals[i]);
    free(study->rivals);
    if (study->hosts)
        study->hosts_destroy(study->hosts, study->host_count);
    free(study->products);
    free(study->combine);
    free(study->title);
    free(study->found);
    clopt_list_fini(&study->chosen_devices);
    fini_search(&study->search);
    free(study->effective);
    free(study);
}

bool clopt_study_has_rival(const struct clopt_study *study, const struct clopt_study_rival *rival,
                           size_t app, size_t device, const char *type)
{
    return clopt_study_names(&rival->apps, study->apps[app].entry->extension->name) &&
           (rival->devices.count ? clopt_study_names(&rival->devices, study->devices[device].label)
                                 : strcmp(type, "cpu") == 0);
}

enum clopt_status clopt_study_check_rivals(const struct clopt_study *study,
                                           const struct clopt_device_info *devices,
                                           const char *kernel_path, struct clopt_error *error)
{
    for (size_t i = 0; i < study->rival_count; i++) {
        const struct clopt_study_rival *rival = &study->rivals[i];
        bool measured = false;
        for (size_t a = 0; a < study->app_count; a++)
            for (size_t d = 0; d < study->device_count; d++)
                measured |= clopt_study_has_rival(study, rival, a, d, devices[d].type);
        if (measured && rival->kind->check(rival->program, kernel_path, error))
            return clopt_fail_within(error, "%s: [rival %s]", rival->origin, rival->label);
    }
    return CLOPT_OK;
}

bool clopt_study_names(const struct clopt_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], name) == 0)
            return true;
    return !list->count;
}

enum clopt_status clopt_study_choose_members(const struct clopt_study *study, size_t device,
                                             const struct clopt_device_info *devices, size_t count,
                                             size_t *members, size_t *member_count,
                                             struct clopt_error *error)
{
    const struct clopt_study_device *wanted = &study->devices[device];
    const struct clopt_device_pattern pattern = {
        .any = wanted->named ? wanted->label : NULL,
        .platform = wanted->platform,
        .name = wanted->name,
        .type = wanted->type,
        .numbered = wanted->number != CLOPT_NO_NUMBER || wanted->count != CLOPT_NO_NUMBER,
        .number = wanted->number != CLOPT_NO_NUMBER ? wanted->number : 0};
    size_t first = 0, left = wanted->count == CLOPT_NO_NUMBER ? 1 : wanted->count;
    *member_count = 0;
    if (clopt_device_choose(devices, count, &pattern, &first, error))
        return clopt_fail_within(error, "%s: [device %s]", study->path, wanted->label);
    for (size_t i = first; i < count && *member_count < CLOPT_MOST_MEMBERS; i++)
        if (clopt_device_are_equal(&devices[i], &devices[first]) && (!left || *member_count < left))
            members[(*member_count)++] = i;
    return *member_count >= left
               ? CLOPT_OK
               : clopt_fail(error, CLOPT_INVALID,
                            "%s: [device %s]: count = %zu: there are %zu of %s / %s; say count = "
                            "all",
                            study->path, wanted->label, left, *member_count,
                            devices[first].platform, devices[first].name);
}
