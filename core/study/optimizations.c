/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads [optimization NAME]: the values of its parameters. */
#include "study/schema.h"

#include "space/settings.h"
#include "trial/transform.h"

#define AT(member) offsetof(struct clopt_study_optimization, member)

static const struct clopt_key keys[] = {
    CLOPT_KEY("kernels", LIST, TEXT, NULL, NULL, AT(kernels),
              "only these kernels, of any app [all]"),
    CLOPT_KEY("apps", LIST, TEXT, NULL, NULL, AT(apps), "only these apps [all]"),
    {0},
};

/* Checks a knob's value: one app at least must offer it. */
static enum clopt_status check_knob(const struct clopt_study *study,
                                    const struct clopt_study_optimization *optimization,
                                    const struct clopt_value *value, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_text) legal = {0};
    for (size_t i = 0; i < study->app_count; i++) {
        const struct clopt_plugin_entry *app = study->apps[i].entry;
        const struct clopt_knob *knob = clopt_knob_find(app, optimization->entry, value->name);
        if (!knob || !clopt_study_names(&optimization->apps, app->extension->name))
            continue;
        if (!knob->legal || !clopt_value_check_legal(value, knob->legal, NULL))
            return CLOPT_OK;
        clopt_text_printf(&legal, "%s%s (%s)", legal.length ? ", " : "", knob->legal,
                          app->extension->name);
    }
    if (legal.length)
        clopt_fail(error, CLOPT_INVALID, "%s = %s: not one of %s", value->name, value->text,
                   clopt_text_string(&legal));
    else
        clopt_fail(error, CLOPT_INVALID, "%s: no app of this study has a knob for it", value->name);
    return CLOPT_INVALID;
}

static enum clopt_status check_value(const struct clopt_study *study,
                                     const struct clopt_study_optimization *optimization,
                                     const struct clopt_parameter *parameter, const char *text,
                                     struct clopt_error *error)
{
    CLOPT_OWNED(clopt_value) value = {0};
    if (clopt_parameter_read(parameter, text, &value, error))
        return clopt_fail(error, CLOPT_INVALID, "%s = %s", parameter->name, error->message);
    value.name = parameter->name;
    return parameter->knob ? check_knob(study, optimization, &value, error) : CLOPT_OK;
}

/* Asks the optimization whether it understands a value at all; whether a kernel can do with it is
 * asked of every trial. */
static enum clopt_status check_understood(const struct clopt_plugin_entry *optimization,
                                          const struct clopt_parameter *parameter, const char *text,
                                          struct clopt_error *error)
{
    const struct clopt_optimization *operations = optimization->extension->optimization;
    struct clopt_parameter unchecked = *parameter;
    unchecked.legal = NULL; /* checked before */
    if (!operations->check || parameter->knob)
        return CLOPT_OK;
    CLOPT_HELD(clopt_values) values = clopt_step_values_create(optimization);
    CLOPT_OWNED(clopt_transform) transform = {0};
    CLOPT_TRY(clopt_values_set(values, &unchecked, text, error));
    clopt_transform_init(&transform, "any kernel", NULL, NULL, NULL, NULL);
    transform.any_local_size = true;
    enum clopt_status status = operations->check(&transform, values, error);
    return status == CLOPT_INFEASIBLE ? CLOPT_OK : status;
}

/* Reads the values of one parameter, and checks that they mean something beside the others. */
static enum clopt_status read_parameter(const struct clopt_study *study,
                                        struct clopt_study_optimization *optimization,
                                        const struct clopt_ini_section *section,
                                        const struct clopt_value *initial,
                                        struct clopt_error *error)
{
    size_t number = optimization->parameter_count++;
    const struct clopt_parameter *parameter =
        &optimization->entry->extension->optimization->parameters[number];
    const struct clopt_ini_setting *setting = clopt_ini_setting(section, parameter->name);
    struct clopt_list *list = &optimization->lists[number];
    struct clopt_setting_link *link = &optimization->links[number];
    if (setting)
        CLOPT_TRY(clopt_study_list_setting(section, setting, parameter->type, list, error));
    else
        clopt_study_list_initial(initial, list);
    for (size_t i = 0; setting && i < list->count; i++)
        if (check_value(study, optimization, parameter, list->items[i], error) ||
            check_understood(optimization->entry, parameter, list->items[i], error))
            return clopt_study_fail_at(setting->origin, section, error);
    enum clopt_status status = clopt_settings_link(optimization, number, link, error);
    return status && setting ? clopt_study_fail_at(setting->origin, section, error) : status;
}

/* Adds an optimization to the study; "geometry coarse" is one of geometry, with a label. */
static enum clopt_status add_optimization(const struct clopt_study_reading *reading,
                                          const struct clopt_ini_section *section, const char *name)
{
    struct clopt_study *study = reading->study;
    const char *wrong = strpbrk(name + strcspn(name, " "), "+,\"=");
    if (wrong)
        return clopt_fail(reading->error, CLOPT_INVALID, "%s: [%s]: a label cannot hold %c",
                          section->origin, section->name, *wrong);
    struct clopt_study_optimization *optimization =
        clopt_array_add(&study->optimizations, &study->optimization_count, sizeof *optimization);
    CLOPT_FREED char *plugin = clopt_strndup(name, strcspn(name, " "));
    optimization->name = clopt_strdup(name);
    if (clopt_registry_find(reading->registry, CLOPT_KIND_OPTIMIZATION, plugin,
                            &optimization->entry, reading->error))
        return clopt_fail_within(reading->error, "%s: [%s]", section->origin, section->name);
    return CLOPT_OK;
}

static enum clopt_status read_optimization(const struct clopt_study_reading *reading,
                                           const struct clopt_ini_section *section,
                                           const char *name)
{
    CLOPT_TRY(add_optimization(reading, section, name));
    struct clopt_study_optimization *optimization =
        &reading->study->optimizations[reading->study->optimization_count - 1];
    CLOPT_TRY(clopt_keys_read(keys, section,
                              optimization->entry->extension->optimization->parameters,
                              optimization, reading->error));
    CLOPT_TRY(
        clopt_study_check_targets(reading, section, &optimization->apps, &optimization->kernels));
    CLOPT_HELD(clopt_values) initial = clopt_step_values_create(optimization->entry);
    optimization->lists = clopt_calloc(initial->count, sizeof *optimization->lists);
    optimization->links = clopt_calloc(initial->count, sizeof *optimization->links);
    for (size_t i = 0; i < initial->count; i++)
        CLOPT_TRY(read_parameter(reading->study, optimization, section, &initial->items[i],
                                 reading->error));
    return CLOPT_OK;
}

const struct clopt_study_section clopt_section_optimization = {
    .kind = "optimization", .label = "NAME", .keys = keys, .read = read_optimization};
