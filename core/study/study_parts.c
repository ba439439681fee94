/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the sections of a study that name devices, apps and optimizations. */
#include "study/study_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/suggest.h"
#include "base/text.h"
#include "study/study_keys.h"
#include "study/transform.h"
#include "study/trial.h"

#define MOST_VALUES   4096 /* of one list */
#define MOST_PROBLEMS 4096 /* of one app */
#define MOST_NAMES    64   /* that are worth a suggestion */

/* ---- devices ---- */

/* Copies a device's setting, if there is one. */
static enum clopt_status copy_setting(const struct clopt_ini_section *section, const char *key,
                                      char **copy, struct clopt_error *error)
{
    const struct clopt_ini_setting *setting = clopt_ini_setting(section, key);
    if (!setting)
        return CLOPT_OK;
    *copy = strdup(setting->value);
    return *copy ? CLOPT_OK : clopt_fail_memory(error);
}

static enum clopt_status check_device_keys(const struct clopt_ini_section *section,
                                           struct clopt_error *error)
{
    static const char *const names[] = {"platform", "name", "type"};
    for (size_t i = 0; i < section->count; i++) {
        const struct clopt_ini_setting *setting = &section->settings[i];
        if (strcmp(setting->key, "platform") != 0 && strcmp(setting->key, "name") != 0 &&
            strcmp(setting->key, "type") != 0)
            return clopt_study_unknown_key(section, setting, names, 3, error);
    }
    const struct clopt_ini_setting *type = clopt_ini_setting(section, "type");
    if (type && strcmp(type->value, "cpu") != 0 && strcmp(type->value, "gpu") != 0 &&
        strcmp(type->value, "accelerator") != 0 && strcmp(type->value, "custom") != 0)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: [%s] type = %s: not one of cpu, gpu, accelerator, custom",
                          type->origin, section->name, type->value);
    return CLOPT_OK;
}

/* Adds a device of which only the label is known. */
static struct clopt_study_device *add_device(struct clopt_study *study, const char *label)
{
    struct clopt_study_device *devices =
        realloc(study->devices, (study->device_count + 1) * sizeof *devices);
    if (!devices)
        return NULL;
    study->devices = devices;
    struct clopt_study_device *device = &devices[study->device_count];
    *device = (struct clopt_study_device){.label = strdup(label)};
    if (!device->label)
        return NULL;
    study->device_count++;
    return device;
}

enum clopt_status clopt_study_read_device(struct clopt_study *study,
                                          const struct clopt_ini_section *section,
                                          const char *label, const struct clopt_registry *registry,
                                          struct clopt_error *error)
{
    (void)registry;
    enum clopt_status status = check_device_keys(section, error);
    if (status)
        return status;
    struct clopt_study_device *device = add_device(study, label);
    if (!device)
        return clopt_fail_memory(error);
    status = copy_setting(section, "platform", &device->platform, error);
    if (status == CLOPT_OK)
        status = copy_setting(section, "name", &device->name, error);
    if (status == CLOPT_OK)
        status = copy_setting(section, "type", &device->type, error);
    return status;
}

enum clopt_status clopt_study_default_device(struct clopt_study *study, struct clopt_error *error)
{
    if (study->device_count || add_device(study, "default"))
        return CLOPT_OK;
    return clopt_fail_memory(error);
}

/* ---- what apps and optimizations share ---- */

/* Puts "FILE:LINE: [section] " in front of a message. */
static enum clopt_status fail_at(const char *origin, const struct clopt_ini_section *section,
                                 struct clopt_error *error)
{
    if (!error)
        return CLOPT_INVALID;
    char message[sizeof error->message];
    memcpy(message, error->message, sizeof message);
    return clopt_fail(error, error->status, "%s: [%s] %s", origin, section->name, message);
}

/* Refuses keys that are neither `kernels` nor a parameter. */
static enum clopt_status check_keys(const struct clopt_ini_section *section,
                                    const struct clopt_parameter *parameters,
                                    struct clopt_error *error)
{
    const char *names[MOST_NAMES] = {"kernels"};
    size_t count = 1;
    for (size_t i = 0; parameters && parameters[i].name && count < MOST_NAMES; i++)
        names[count++] = parameters[i].name;
    for (size_t i = 0; i < section->count; i++) {
        const struct clopt_ini_setting *setting = &section->settings[i];
        if (strcmp(setting->key, "kernels") != 0 && !clopt_parameter_find(parameters, setting->key))
            return clopt_study_unknown_key(section, setting, names, count, error);
    }
    return CLOPT_OK;
}

/* Makes the list of one value that holds where a study sets none. */
static enum clopt_status list_initial(const struct clopt_value *value, struct clopt_list *list,
                                      struct clopt_error *error)
{
    list->items = calloc(1, sizeof *list->items);
    if (!list->items)
        return clopt_fail_memory(error);
    list->count = 1;
    if (value->text && !(list->items[0] = strdup(value->text)))
        return clopt_fail_memory(error);
    return CLOPT_OK;
}

/* Parses the list of a setting. */
static enum clopt_status list_setting(const struct clopt_ini_section *section,
                                      const struct clopt_ini_setting *setting, enum clopt_type type,
                                      struct clopt_list *list, struct clopt_error *error)
{
    enum clopt_status status = clopt_list_parse(setting->value, type, MOST_VALUES, list, error);
    if (status == CLOPT_OK)
        return status;
    return clopt_fail_within(error, "%s: [%s] %s", setting->origin, section->name, setting->key);
}

/* ---- apps ---- */

static const struct clopt_kernel *find_kernel(const struct clopt_plugin_entry *app,
                                              const char *name)
{
    for (const struct clopt_kernel *kernel = clopt_entry_app(app)->kernels; kernel->name; kernel++)
        if (strcmp(kernel->name, name) == 0)
            return kernel;
    return NULL;
}

static enum clopt_status fail_kernel(const struct clopt_ini_section *section, const char *name,
                                     const char *const *names, size_t count,
                                     struct clopt_error *error)
{
    const char *origin = clopt_ini_setting(section, "kernels")->origin;
    const char *near = clopt_suggest(name, names, count);
    if (near)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: [%s] kernels = %s: no such kernel; did you mean %s?", origin,
                          section->name, name, near);
    struct clopt_text known = {0};
    for (size_t i = 0; i < count; i++)
        clopt_text_printf(&known, "%s%s", i ? ", " : "", names[i]);
    clopt_fail(error, CLOPT_INVALID, "%s: [%s] kernels = %s: no such kernel; there are %s", origin,
               section->name, name, clopt_text_string(&known));
    clopt_text_fini(&known);
    return CLOPT_INVALID;
}

static size_t name_kernels(const struct clopt_plugin_entry *app, const char **names, size_t count)
{
    const struct clopt_kernel *kernel = clopt_entry_app(app)->kernels;
    for (; kernel->name && count < MOST_NAMES; kernel++)
        names[count++] = kernel->name;
    return count;
}

static enum clopt_status choose_kernels(struct clopt_study_app *app,
                                        const struct clopt_ini_section *section,
                                        const struct clopt_list *list, struct clopt_error *error)
{
    const char *names[MOST_NAMES];
    size_t known = name_kernels(app->entry, names, 0);
    for (size_t i = 0; i < list->count; i++)
        if (!find_kernel(app->entry, list->items[i]))
            return fail_kernel(section, list->items[i], names, known, error);
    /* In the app's order, so that reports of all studies look alike. */
    const struct clopt_kernel *kernel = clopt_entry_app(app->entry)->kernels;
    for (; kernel->name; kernel++) {
        bool chosen = !list->count;
        for (size_t i = 0; i < list->count; i++)
            chosen |= strcmp(list->items[i], kernel->name) == 0;
        if (chosen)
            app->kernels[app->kernel_count++] = kernel;
    }
    return CLOPT_OK;
}

static enum clopt_status read_app_kernels(struct clopt_study_app *app,
                                          const struct clopt_ini_section *section,
                                          struct clopt_error *error)
{
    size_t count = 0;
    while (clopt_entry_app(app->entry)->kernels[count].name)
        count++;
    app->kernels = calloc(count + 1, sizeof *app->kernels);
    if (!app->kernels)
        return clopt_fail_memory(error);
    struct clopt_list list = {0};
    const struct clopt_ini_setting *setting = clopt_ini_setting(section, "kernels");
    enum clopt_status status =
        setting ? list_setting(section, setting, CLOPT_TEXT, &list, error) : CLOPT_OK;
    if (status == CLOPT_OK)
        status = choose_kernels(app, section, &list, error);
    clopt_list_fini(&list);
    return status;
}

/* Makes paths relative to the study's folder. A file that cannot be read is refused now, not after
 * the hours that other problems may take. */
static enum clopt_status resolve_files(const struct clopt_study *study,
                                       const struct clopt_ini_section *section,
                                       const struct clopt_ini_setting *setting,
                                       struct clopt_list *list, struct clopt_error *error)
{
    for (size_t i = 0; i < list->count; i++) {
        char *path = clopt_path_beside(study->path, list->items[i]);
        if (!path)
            return clopt_fail_memory(error);
        free(list->items[i]);
        list->items[i] = path;
        if (access(path, R_OK) != 0)
            return clopt_fail(error, CLOPT_INVALID, "%s: [%s] %s = %s: cannot be read: %s",
                              setting->origin, section->name, setting->key, path, strerror(errno));
    }
    return CLOPT_OK;
}

/* Makes the list of values of an input. */
static enum clopt_status list_input(const struct clopt_study *study,
                                    const struct clopt_ini_section *section,
                                    const struct clopt_parameter *input,
                                    const struct clopt_value *initial, struct clopt_list *list,
                                    struct clopt_error *error)
{
    const struct clopt_ini_setting *setting = clopt_ini_setting(section, input->name);
    if (!setting)
        return list_initial(initial, list, error);
    enum clopt_status status = list_setting(section, setting, input->type, list, error);
    if (status == CLOPT_OK && input->type == CLOPT_FILE)
        status = resolve_files(study, section, setting, list, error);
    return status;
}

/* Says where a section or one of its keys was written. */
static const char *origin_of(const struct clopt_ini_section *section, const char *key)
{
    const struct clopt_ini_setting *setting = clopt_ini_setting(section, key);
    return setting ? setting->origin : section->origin;
}

/* Replaces the problems by as many for each value of one input. */
static enum clopt_status multiply_problems(struct clopt_study_app *app,
                                           const struct clopt_ini_section *section,
                                           const struct clopt_parameter *input,
                                           const struct clopt_list *list, struct clopt_error *error)
{
    size_t count = app->problem_count * list->count;
    if (count > MOST_PROBLEMS)
        return clopt_fail(error, CLOPT_INVALID, "%s: [%s] %s: more than %d problems",
                          origin_of(section, input->name), section->name, input->name,
                          MOST_PROBLEMS);
    struct clopt_study_app grown = {.problems = calloc(count, sizeof *grown.problems)};
    enum clopt_status status = grown.problems ? CLOPT_OK : clopt_fail_memory(error);
    for (size_t i = 0; i < count && status == CLOPT_OK; i++) {
        struct clopt_values *values = clopt_values_copy(app->problems[i / list->count]);
        const char *text = list->items[i % list->count];
        if (!values) {
            status = clopt_fail_memory(error);
            break;
        }
        grown.problems[grown.problem_count++] = values;
        if (text)
            status = clopt_values_set(values, input, text, error);
        if (status == CLOPT_INVALID)
            fail_at(origin_of(section, input->name), section, error);
    }
    struct clopt_study_app discarded = *app;
    app->problems = grown.problems;
    app->problem_count = grown.problem_count;
    for (size_t i = 0; i < discarded.problem_count; i++)
        clopt_values_destroy(discarded.problems[i]);
    free(discarded.problems);
    return status;
}

static enum clopt_status read_problems(const struct clopt_study *study, struct clopt_study_app *app,
                                       const struct clopt_ini_section *section,
                                       struct clopt_error *error)
{
    const struct clopt_parameter *inputs = clopt_entry_app(app->entry)->inputs;
    app->problems = calloc(1, sizeof *app->problems);
    struct clopt_values *first = clopt_values_create(inputs);
    if (!app->problems || !first) {
        clopt_values_destroy(first);
        return clopt_fail_memory(error);
    }
    app->problems[0] = first;
    app->problem_count = 1;
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; inputs && inputs[i].name && status == CLOPT_OK; i++) {
        struct clopt_list list = {0};
        status = list_input(study, section, &inputs[i], &app->problems[0]->items[i], &list, error);
        if (status == CLOPT_OK)
            status = multiply_problems(app, section, &inputs[i], &list, error);
        clopt_list_fini(&list);
    }
    return status;
}

/* Asks the app whether the values of a problem can go together. */
static enum clopt_status check_problem(const struct clopt_study *study,
                                       const struct clopt_study_app *app,
                                       struct clopt_values *inputs, struct clopt_error *error)
{
    const struct clopt_app *operations = clopt_entry_app(app->entry);
    struct clopt_trial trial = {.app = app->entry, .inputs = inputs, .seed = study->seed};
    struct clopt_values *knobs;
    enum clopt_status status = clopt_trial_knobs(&trial, &knobs, error);
    struct clopt_problem problem = clopt_trial_problem(&trial, knobs);
    for (size_t i = 0; operations->kernels[i].name && status == CLOPT_OK; i++) {
        struct clopt_kernel_work work = {0};
        status = operations->describe(&problem, NULL, &operations->kernels[i], &work, error);
    }
    clopt_values_destroy(knobs);
    return status;
}

static enum clopt_status check_problems(const struct clopt_study *study,
                                        const struct clopt_study_app *app,
                                        const struct clopt_ini_section *section,
                                        struct clopt_error *error)
{
    for (size_t i = 0; i < app->problem_count; i++) {
        enum clopt_status status = check_problem(study, app, app->problems[i], error);
        if (!status)
            continue;
        char *label = clopt_inputs_label(app->entry, app->problems[i]);
        if (label && *label)
            clopt_fail_within(error, "%s: [%s] %s", section->origin, section->name, label);
        else
            fail_at(section->origin, section, error);
        free(label);
        return status;
    }
    return CLOPT_OK;
}

enum clopt_status clopt_study_read_app(struct clopt_study *study,
                                       const struct clopt_ini_section *section, const char *name,
                                       const struct clopt_registry *registry,
                                       struct clopt_error *error)
{
    struct clopt_study_app *apps = realloc(study->apps, (study->app_count + 1) * sizeof *apps);
    if (!apps)
        return clopt_fail_memory(error);
    study->apps = apps;
    struct clopt_study_app *app = &apps[study->app_count];
    *app = (struct clopt_study_app){0};
    if (clopt_registry_find(registry, CLOPT_PLUGIN_APP, name, &app->entry, error))
        return clopt_fail_within(error, "%s: [%s]", section->origin, section->name);
    study->app_count++;
    enum clopt_status status = check_keys(section, clopt_entry_app(app->entry)->inputs, error);
    if (status == CLOPT_OK)
        status = read_app_kernels(app, section, error);
    if (status == CLOPT_OK)
        status = read_problems(study, app, section, error);
    if (status == CLOPT_OK)
        status = check_problems(study, app, section, error);
    return status;
}

/* ---- optimizations ---- */

/* Checks a knob's value: one app at least must offer it. */
static enum clopt_status check_knob(const struct clopt_study *study,
                                    const struct clopt_plugin_entry *optimization,
                                    const struct clopt_value *value, struct clopt_error *error)
{
    struct clopt_text legal = {0};
    for (size_t i = 0; i < study->app_count; i++) {
        const struct clopt_plugin_entry *app = study->apps[i].entry;
        const struct clopt_knob *knob = clopt_knob_find(app, optimization, value->name);
        if (!knob)
            continue;
        if (!knob->legal || !clopt_value_check_legal(value, knob->legal, NULL)) {
            clopt_text_fini(&legal);
            return CLOPT_OK;
        }
        clopt_text_printf(&legal, "%s%s (%s)", legal.length ? ", " : "", knob->legal,
                          app->plugin->name);
    }
    if (legal.length)
        clopt_fail(error, CLOPT_INVALID, "%s = %s: not one of %s", value->name, value->text,
                   clopt_text_string(&legal));
    else
        clopt_fail(error, CLOPT_INVALID, "%s: no app of this study has a knob for it", value->name);
    clopt_text_fini(&legal);
    return CLOPT_INVALID;
}

static enum clopt_status check_value(const struct clopt_study *study,
                                     const struct clopt_plugin_entry *optimization,
                                     const struct clopt_parameter *parameter, const char *text,
                                     struct clopt_error *error)
{
    struct clopt_value value;
    enum clopt_status status = clopt_value_parse(text, parameter->type, &value, error);
    value.name = parameter->name;
    if (status == CLOPT_OK && parameter->legal &&
        clopt_value_check_legal(&value, parameter->legal, NULL))
        status = clopt_fail(error, CLOPT_INVALID, "%s = %s: not one of %s", value.name, value.text,
                            parameter->legal);
    if (status == CLOPT_OK && parameter->knob)
        status = check_knob(study, optimization, &value, error);
    free(value.text);
    return status;
}

/* Asks the optimization whether it understands a value at all; whether a kernel can do with it is
 * asked of every trial. */
static enum clopt_status check_understood(const struct clopt_plugin_entry *optimization,
                                          const struct clopt_parameter *parameter, const char *text,
                                          struct clopt_error *error)
{
    const struct clopt_optimization *operations = clopt_entry_optimization(optimization);
    struct clopt_parameter unchecked = *parameter;
    unchecked.legal = NULL; /* checked before */
    if (!operations->check || parameter->knob)
        return CLOPT_OK;
    struct clopt_values *values = clopt_step_values_create(optimization);
    struct clopt_transform transform;
    enum clopt_status status = values ? CLOPT_OK : clopt_fail_memory(error);
    if (status == CLOPT_OK)
        status = clopt_values_set(values, &unchecked, text, error);
    if (status == CLOPT_OK)
        status = clopt_transform_init(&transform, "any kernel", NULL, NULL, NULL, NULL, error);
    if (status == CLOPT_OK) {
        transform.any_local_size = true;
        status = operations->check(&transform, values, error);
        clopt_transform_fini(&transform);
    }
    clopt_values_destroy(values);
    return status == CLOPT_INFEASIBLE ? CLOPT_OK : status;
}

static enum clopt_status read_parameter(const struct clopt_study *study,
                                        const struct clopt_study_optimization *optimization,
                                        const struct clopt_ini_section *section,
                                        const struct clopt_parameter *parameter,
                                        const struct clopt_value *initial, struct clopt_list *list,
                                        struct clopt_error *error)
{
    const struct clopt_ini_setting *setting = clopt_ini_setting(section, parameter->name);
    if (!setting)
        return list_initial(initial, list, error);
    enum clopt_status status = list_setting(section, setting, parameter->type, list, error);
    for (size_t i = 0; i < list->count && status == CLOPT_OK; i++) {
        status = check_value(study, optimization->entry, parameter, list->items[i], error);
        if (status == CLOPT_OK)
            status = check_understood(optimization->entry, parameter, list->items[i], error);
        if (status)
            fail_at(setting->origin, section, error);
    }
    return status;
}

static enum clopt_status read_parameters(const struct clopt_study *study,
                                         struct clopt_study_optimization *optimization,
                                         const struct clopt_ini_section *section,
                                         struct clopt_error *error)
{
    const struct clopt_parameter *parameters =
        clopt_entry_optimization(optimization->entry)->parameters;
    struct clopt_values *initial = clopt_step_values_create(optimization->entry);
    optimization->lists = initial ? calloc(initial->count + 1, sizeof(struct clopt_list)) : NULL;
    enum clopt_status status = optimization->lists ? CLOPT_OK : clopt_fail_memory(error);
    optimization->setting_count = 1;
    for (size_t i = 0; status == CLOPT_OK && i < initial->count; i++) {
        struct clopt_list *list = &optimization->lists[optimization->parameter_count++];
        status = read_parameter(study, optimization, section, &parameters[i], &initial->items[i],
                                list, error);
        if (status)
            break;
        bool overflow = optimization->setting_count > UINT64_MAX / list->count;
        optimization->setting_count =
            overflow ? UINT64_MAX : optimization->setting_count * list->count;
    }
    clopt_values_destroy(initial);
    return status;
}

/* Checks that some app of the study has each kernel that an optimization is for. */
static enum clopt_status read_optimization_kernels(const struct clopt_study *study,
                                                   struct clopt_study_optimization *optimization,
                                                   const struct clopt_ini_section *section,
                                                   struct clopt_error *error)
{
    const struct clopt_ini_setting *setting = clopt_ini_setting(section, "kernels");
    if (!setting)
        return CLOPT_OK;
    struct clopt_list *list = &optimization->kernels;
    enum clopt_status status = list_setting(section, setting, CLOPT_TEXT, list, error);
    const char *names[MOST_NAMES];
    size_t known = 0;
    for (size_t i = 0; i < study->app_count; i++)
        known = name_kernels(study->apps[i].entry, names, known);
    for (size_t i = 0; i < list->count && status == CLOPT_OK; i++) {
        bool found = false;
        for (size_t j = 0; j < study->app_count; j++)
            found |= find_kernel(study->apps[j].entry, list->items[i]) != NULL;
        if (!found)
            status = fail_kernel(section, list->items[i], names, known, error);
    }
    return status;
}

enum clopt_status clopt_study_read_optimization(struct clopt_study *study,
                                                const struct clopt_ini_section *section,
                                                const char *name,
                                                const struct clopt_registry *registry,
                                                struct clopt_error *error)
{
    struct clopt_study_optimization *optimizations =
        realloc(study->optimizations, (study->optimization_count + 1) * sizeof *optimizations);
    if (!optimizations)
        return clopt_fail_memory(error);
    study->optimizations = optimizations;
    struct clopt_study_optimization *optimization = &optimizations[study->optimization_count];
    *optimization = (struct clopt_study_optimization){0};
    if (clopt_registry_find(registry, CLOPT_PLUGIN_OPTIMIZATION, name, &optimization->entry, error))
        return clopt_fail_within(error, "%s: [%s]", section->origin, section->name);
    study->optimization_count++;
    enum clopt_status status =
        check_keys(section, clopt_entry_optimization(optimization->entry)->parameters, error);
    if (status == CLOPT_OK)
        status = read_optimization_kernels(study, optimization, section, error);
    if (status == CLOPT_OK)
        status = read_parameters(study, optimization, section, error);
    return status;
}
