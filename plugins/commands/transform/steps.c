/* SPDX-License-Identifier: BSD-3-Clause */
/* Applies optimizations as the command line names them. */
#include "commands/transform/steps.h"

#include "shared/variant_parse.h"
#include "text/variant_name.h"
#include "trial/variant.h"

/* Sets "name=value,name=value". */
static enum clopt_status set_values(struct clopt_values *values,
                                    const struct clopt_parameter *parameters, const char *plugin,
                                    const char *text, struct clopt_error *error)
{
    while (*text) {
        size_t length = strcspn(text, ",");
        CLOPT_FREED char *pair = clopt_strndup(text, length);
        char *equals = strchr(pair, '=');
        if (equals)
            *equals = '\0';
        const struct clopt_parameter *parameter = clopt_parameter_find(parameters, pair);
        if (!equals)
            return clopt_fail(error, CLOPT_INVALID,
                              "--%s: %s: no parameter=value; see `clopt plugins %s`", plugin, pair,
                              plugin);
        if (!parameter)
            return clopt_parameter_unknown(parameters, plugin, pair, error);
        if (parameter->knob)
            return clopt_fail(error, CLOPT_INVALID, "--%s: %s is carried out by apps, in a study",
                              plugin, pair);
        CLOPT_TRY(clopt_values_set(values, parameter, equals + 1, error));
        text += length + (text[length] == ',');
    }
    return CLOPT_OK;
}

enum clopt_status clopt_apply_option(struct clopt_transform *transform,
                                     const struct clopt_plugin_entry *entry,
                                     const char *values_text, struct clopt_error *error)
{
    const struct clopt_parameter *parameters = entry->extension->optimization->parameters;
    CLOPT_HELD(clopt_values) values = clopt_step_values_create(entry);
    const struct clopt_step step = {entry, values, NULL};
    CLOPT_TRY(set_values(values, parameters, entry->extension->name, values_text, error));
    CLOPT_TRY(clopt_step_check(transform, &step, error));
    return clopt_step_apply(transform, &step, error);
}

/* Returns what follows the last slash. */
static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Finds the app whose kernel this is; NULL: none. */
static const struct clopt_plugin_entry *find_app(const struct clopt_transform *transform,
                                                 const struct clopt_registry *registry)
{
    const struct clopt_plugin_entry *entry;
    for (size_t i = 0; (entry = clopt_registry_entry(registry, CLOPT_KIND_APP, i)); i++) {
        if (entry->extension->kind != CLOPT_KIND_APP)
            continue;
        const struct clopt_app *app = entry->extension->app;
        if (app->source && strcmp(file_name(app->source), file_name(transform->file)) == 0 &&
            clopt_kernel_find(entry, transform->kernel))
            return entry;
    }
    return NULL;
}

/* Defines the macro of a knob. */
static enum clopt_status define_knob(struct clopt_transform *transform,
                                     const struct clopt_plugin_entry *app,
                                     const struct clopt_step *step, const struct clopt_value *value,
                                     struct clopt_error *error)
{
    const struct clopt_knob *knob =
        app ? clopt_knob_find(app, step->optimization, value->name) : NULL;
    if (!knob)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: %s needs an app that carries it out, and no such app uses %s; leave "
                          "it out and give its macro with -D",
                          step->optimization->extension->name, value->name, transform->file);
    char option[256];
    snprintf(option, sizeof option, "-D %s=%s", knob->macro, value->text);
    CLOPT_TRY(clopt_value_check_legal(value, knob->legal, error));
    clopt_transform_add_option(transform, option);
    return CLOPT_OK;
}

static enum clopt_status define_set_knobs(struct clopt_transform *transform,
                                          const struct clopt_trial *trial,
                                          struct clopt_error *error)
{
    for (size_t i = 0; i < trial->step_count; i++) {
        const struct clopt_step *step = &trial->steps[i];
        const struct clopt_parameter *parameters =
            step->optimization->extension->optimization->parameters;
        for (size_t v = 0; v < step->values->count; v++) {
            const struct clopt_value *value = &step->values->items[v];
            if (!parameters[v].knob || !value->text)
                continue;
            CLOPT_TRY(define_knob(transform, trial->app, step, value, error));
        }
    }
    return CLOPT_OK;
}

/* Tells whether build options define a macro. */
static bool is_defined(const char *options, const char *macro)
{
    size_t length = strlen(macro);
    for (const char *at = strstr(options, "-D"); at; at = strstr(at + 2, "-D")) {
        const char *name = at + 2 + strspn(at + 2, " \t'\"");
        if (strncmp(name, macro, length) == 0 && clopt_word_length(name) == length)
            return true;
    }
    return false;
}

/* Gives the app's knobs that nobody has set their initial value. */
static void define_other_knobs(struct clopt_transform *transform, const struct clopt_app *app)
{
    for (const struct clopt_knob *knob = app->knobs; knob && knob->parameter; knob++) {
        char option[256];
        snprintf(option, sizeof option, "-D %s=%s", knob->macro, knob->initial);
        if (!is_defined(transform->options, knob->macro))
            clopt_transform_add_option(transform, option);
    }
}

/* Gives a trial that is not of a study the parameters that a name sets, as texts without a value,
 * so that the name can be read. */
static void take_parameters(struct clopt_trial *trial, const char *name)
{
    CLOPT_FREED struct clopt_parameter *table = clopt_calloc(strlen(name) + 2, sizeof *table);
    struct clopt_name_value value = clopt_name_begin(name);
    size_t count = 0;
    while (clopt_name_next(&value) && !value.optimization.length)
        table[count++] =
            (struct clopt_parameter){.name = clopt_strndup(value.name.text, value.name.length),
                                     .type = CLOPT_TEXT,
                                     .initial = ""};
    if (count) {
        trial->parameters = clopt_values_create_apart(table);
        trial->initial_parameters = clopt_values_create_apart(table);
    }
    for (size_t i = 0; i < count; i++)
        free((char *)table[i].name);
}

/* Defines the macros that a study tunes. */
static void define_parameters(struct clopt_transform *transform, const struct clopt_trial *trial)
{
    for (size_t i = 0; trial->parameters && i < trial->parameters->count; i++) {
        CLOPT_OWNED(clopt_text) option = {0};
        clopt_definition_append(&option, trial->parameters->items[i].name,
                                trial->parameters->items[i].text);
        clopt_transform_add_option(transform, clopt_text_string(&option));
    }
}

enum clopt_status clopt_apply_variant(struct clopt_transform *transform,
                                      const struct clopt_registry *registry, const char *name,
                                      struct clopt_error *error)
{
    const struct clopt_kernel own = {.name = transform->kernel};
    CLOPT_OWNED(clopt_trial) trial = {.kernel = &own};
    trial.app = find_app(transform, registry);
    take_parameters(&trial, name);
    CLOPT_TRY(clopt_trial_parse_name(&trial, name, registry, error));
    define_parameters(transform, &trial);
    CLOPT_TRY(define_set_knobs(transform, &trial, error));
    if (trial.app)
        define_other_knobs(transform, trial.app->extension->app);
    for (size_t i = 0; i < trial.step_count; i++)
        if (!trial.steps[i].kernel || strcmp(trial.steps[i].kernel->name, transform->kernel) == 0) {
            const struct clopt_step *step = &trial.steps[i];
            enum clopt_status status = clopt_step_check(transform, step, error);
            if (status || (status = clopt_step_apply(transform, step, error)))
                return clopt_step_fail(&trial, step, status, error);
        }
    return CLOPT_OK;
}
