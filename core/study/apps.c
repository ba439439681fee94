/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads [app NAME]: problems and kernels. */

#include "file/file.h"
#include "space/parameters.h"
#include "study/schema.h"

#define MOST_PROBLEMS 4096 /* of one app */

static const struct clopt_key keys[] = {
    CLOPT_KEY("kernels", LIST, TEXT, NULL, NULL, 0,
              "the kernels that are optimized and reported [all]"),
    {0},
};

/* Chooses kernels in the app's order, so that reports of all studies look alike. */
static void choose_kernels(struct clopt_study_app *app, const struct clopt_list *names)
{
    const struct clopt_kernel *kernel = app->entry->extension->app->kernels;
    size_t count = 0;
    while (kernel[count].name)
        count++;
    app->kernels = clopt_calloc(count + 1, sizeof *app->kernels);
    for (; kernel->name; kernel++)
        if (clopt_study_names(names, kernel->name))
            app->kernels[app->kernel_count++] = kernel;
}

/* Reads [app NAME] itself, which in an app that the study describes has other keys, too. */
static enum clopt_status read_kernels(const struct clopt_study_reading *reading,
                                      const struct clopt_ini_section *section,
                                      struct clopt_study_app *app)
{
    char *name = (char *)app->entry->extension->name;
    const struct clopt_ini_setting *setting = clopt_ini_setting(section, "kernels");
    CLOPT_OWNED(clopt_list) kernels = {0};
    if (!app->entry->description)
        CLOPT_TRY(clopt_keys_read(keys, section, app->entry->extension->app->inputs, &kernels,
                                  reading->error));
    else if (setting)
        CLOPT_TRY(clopt_study_list_setting(section, setting, CLOPT_TEXT, &kernels, reading->error));
    CLOPT_TRY(
        clopt_study_check_targets(reading, section, &(struct clopt_list){&name, 1}, &kernels));
    choose_kernels(app, &kernels);
    return CLOPT_OK;
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
        free(list->items[i]);
        list->items[i] = path;
        if (clopt_file_check(path, error))
            return clopt_fail_within(error, "%s: [%s] %s", setting->origin, section->name,
                                     setting->key);
    }
    return CLOPT_OK;
}

/* Makes the list of values of an input. */
static enum clopt_status list_input(const struct clopt_study_reading *reading,
                                    const struct clopt_ini_section *section,
                                    const struct clopt_parameter *input,
                                    const struct clopt_value *initial, struct clopt_list *list)
{
    struct clopt_error *error = reading->error;
    const struct clopt_ini_setting *setting = clopt_ini_setting(section, input->name);
    if (!setting) {
        clopt_study_list_initial(initial, list);
        return CLOPT_OK;
    }
    CLOPT_TRY(clopt_study_list_setting(section, setting, input->type, list, error));
    if (input->type == CLOPT_FILE)
        CLOPT_TRY(resolve_files(reading->study, section, setting, list, error));
    return CLOPT_OK;
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
    struct clopt_values **grown = clopt_calloc(count, sizeof *grown);
    for (size_t i = 0; i < count; i++)
        grown[i] = clopt_values_copy(app->problems[i / list->count]);
    for (size_t i = 0; i < app->problem_count; i++)
        clopt_values_destroy(app->problems[i]);
    free(app->problems);
    app->problems = grown;
    app->problem_count = count;
    for (size_t i = 0; i < count; i++) {
        const char *text = list->items[i % list->count];
        if (text && clopt_values_set(grown[i], input, text, error))
            return clopt_study_fail_at(origin_of(section, input->name), section, error);
    }
    return CLOPT_OK;
}

static enum clopt_status read_problems(const struct clopt_study_reading *reading,
                                       struct clopt_study_app *app,
                                       const struct clopt_ini_section *section)
{
    const struct clopt_parameter *inputs = app->entry->extension->app->inputs;
    app->problems = clopt_calloc(1, sizeof *app->problems);
    app->problems[0] = clopt_values_create(inputs);
    app->problem_count = 1;
    for (size_t i = 0; inputs && inputs[i].name; i++) {
        CLOPT_OWNED(clopt_list) list = {0};
        CLOPT_TRY(list_input(reading, section, &inputs[i], &app->problems[0]->items[i], &list));
        CLOPT_TRY(multiply_problems(app, section, &inputs[i], &list, reading->error));
    }
    return CLOPT_OK;
}

/* Asks the app whether the values of a problem can go together. */
static enum clopt_status check_problem(const struct clopt_study *study,
                                       const struct clopt_study_app *app,
                                       struct clopt_values *inputs, struct clopt_error *error)
{
    const struct clopt_app *operations = app->entry->extension->app;
    CLOPT_OWNED(clopt_trial)
    trial = {.app = app->entry, .seed = study->seed, .inputs = clopt_values_copy(inputs)};
    CLOPT_HELD(clopt_values) knobs = NULL;
    clopt_study_initial_parameters(study, app->entry, &trial);
    CLOPT_TRY(clopt_trial_knobs(&trial, &knobs, error));
    for (size_t i = 0; operations->kernels[i].name; i++) {
        struct clopt_kernel_work work = {0};
        CLOPT_TRY(clopt_trial_describe(&trial, knobs, &operations->kernels[i], &work, error));
    }
    return CLOPT_OK;
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
        CLOPT_FREED char *label = clopt_inputs_label(app->entry, app->problems[i]);
        if (app->entry->description) /* it tells the line itself */
            clopt_fail(error, status, "%s (%s)", error->message, *label ? label : "once");
        else if (*label)
            clopt_fail_within(error, "%s: [%s] %s", section->origin, section->name, label);
        else
            clopt_study_fail_at(section->origin, section, error);
        return status;
    }
    return CLOPT_OK;
}

/* Makes an app's alternatives the values of a parameter: so they are among its variants. */
static enum clopt_status add_alternatives(struct clopt_study *study,
                                          const struct clopt_plugin_entry *entry,
                                          struct clopt_error *error)
{
    const struct clopt_defined *defined = entry->extension->app->defined;
    const struct clopt_alternative *own = defined ? defined->alternatives : NULL;
    if (!own)
        return CLOPT_OK;
    if (study->parameter_count == CLOPT_MOST_PARAMETERS)
        return clopt_fail(error, CLOPT_INVALID, "more than %d parameters", CLOPT_MOST_PARAMETERS);
    struct clopt_study_parameter *parameter =
        clopt_array_add(&study->parameters, &study->parameter_count, sizeof *parameter);
    parameter->name = clopt_strdup(CLOPT_ALTERNATIVE);
    parameter->type = CLOPT_TEXT;
    clopt_list_add(&parameter->apps, entry->extension->name);
    clopt_list_add(&parameter->values, CLOPT_ALTERNATIVE_INITIAL);
    for (; own->name; own++)
        clopt_list_add(&parameter->values, own->name);
    return clopt_value_parse(CLOPT_ALTERNATIVE_INITIAL, CLOPT_TEXT, &parameter->initial, error);
}

/* Finds the plugin, and lets it define the app where the study describes it. */
static enum clopt_status read_entry(const struct clopt_study_reading *reading,
                                    const struct clopt_ini_section *section,
                                    const struct clopt_plugin_entry **entry,
                                    const struct clopt_ini_section **inputs)
{
    struct clopt_study_title title;
    CLOPT_TRY(clopt_study_read_title(section, reading->registry, &title, reading->error));
    CLOPT_TRY(clopt_study_define_app(reading, section, &title, entry));
    if (clopt_study_app(reading->study, (*entry)->extension->name))
        return clopt_fail(reading->error, CLOPT_INVALID, "%s: [%s]: app %s is defined twice",
                          section->origin, section->name, (*entry)->extension->name);
    *inputs = clopt_study_inputs_section(reading->ini, &title, section);
    if (!*inputs)
        *inputs = section;
    return CLOPT_OK;
}

static enum clopt_status read_app(const struct clopt_study_reading *reading,
                                  const struct clopt_ini_section *section, const char *name)
{
    struct clopt_study *study = reading->study;
    const struct clopt_plugin_entry *entry;
    const struct clopt_ini_section *inputs = NULL;
    (void)name;
    CLOPT_TRY(read_entry(reading, section, &entry, &inputs));
    CLOPT_TRY(add_alternatives(study, entry, reading->error));
    struct clopt_study_app *app = clopt_array_add(&study->apps, &study->app_count, sizeof *app);
    app->entry = entry;
    CLOPT_TRY(read_kernels(reading, section, app));
    CLOPT_TRY(read_problems(reading, app, inputs));
    return check_problems(study, app, section, reading->error);
}

const struct clopt_study_section clopt_section_app = {
    .kind = "app", .label = "NAME", .keys = keys, .read = read_app};
