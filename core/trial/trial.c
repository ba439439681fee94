/* SPDX-License-Identifier: BSD-3-Clause */
/* One variant of one kernel, for one problem. */
#include "trial/trial.h"

#include <clopt/memory.h>

static void clear_steps(struct clopt_trial *trial)
{
    for (size_t i = 0; i < trial->step_count; i++)
        clopt_values_destroy(trial->steps[i].values);
    trial->step_count = 0;
}

void clopt_trial_fini(struct clopt_trial *trial)
{
    clear_steps(trial);
    clopt_values_destroy(trial->inputs);
    clopt_values_destroy(trial->parameters);
    clopt_values_destroy(trial->initial_parameters);
    json_decref(trial->rival);
    *trial = (struct clopt_trial){0};
}

void clopt_trial_copy(const struct clopt_trial *trial, struct clopt_trial *copy)
{
    *copy = *trial;
    json_incref(copy->rival);
    copy->inputs = clopt_values_copy(trial->inputs);
    copy->parameters = clopt_values_copy(trial->parameters);
    copy->initial_parameters = clopt_values_copy(trial->initial_parameters);
    for (size_t i = 0; i < trial->step_count; i++)
        copy->steps[i].values = clopt_values_copy(trial->steps[i].values);
}

void clopt_trial_clear(struct clopt_trial *trial)
{
    clear_steps(trial);
    json_decref(trial->rival);
    trial->rival = NULL;
    clopt_values_destroy(trial->parameters);
    trial->parameters = clopt_values_copy(trial->initial_parameters);
}

bool clopt_trial_is_initial(const struct clopt_trial *trial)
{
    return trial->step_count == 0 && !trial->rival &&
           (!trial->parameters || clopt_values_equal(trial->parameters, trial->initial_parameters));
}

const struct clopt_alternative *clopt_trial_alternative(const struct clopt_trial *trial)
{
    const struct clopt_defined *defined = trial->app->extension->app->defined;
    const struct clopt_alternative *found = defined ? defined->alternatives : NULL;
    const char *name = found ? clopt_values_text(trial->parameters, CLOPT_ALTERNATIVE) : NULL;
    while (name && found->name && strcmp(found->name, name) != 0)
        found++;
    return name && found->name ? found : NULL;
}

struct clopt_values *clopt_step_values_create(const struct clopt_plugin_entry *optimization)
{
    const struct clopt_parameter *parameters = optimization->extension->optimization->parameters;
    struct clopt_values *values = clopt_values_create(parameters);
    for (size_t i = 0; i < values->count; i++)
        if (parameters[i].knob)
            clopt_value_unset(&values->items[i]);
    return values;
}

const struct clopt_knob *clopt_knob_find(const struct clopt_plugin_entry *app,
                                         const struct clopt_plugin_entry *optimization,
                                         const char *parameter)
{
    const struct clopt_knob *knob = app ? app->extension->app->knobs : NULL;
    for (; knob && knob->parameter; knob++)
        if (strcmp(knob->optimization, optimization->extension->name) == 0 &&
            strcmp(knob->parameter, parameter) == 0)
            return knob;
    return NULL;
}

bool clopt_knob_touches(const struct clopt_knob *knob, const char *kernel)
{
    size_t length = strlen(kernel);
    for (const char *at = knob->kernels; at && (at = strstr(at, kernel)); at += length)
        if ((at == knob->kernels || at[-1] == ' ') && (!at[length] || at[length] == ' '))
            return true;
    return !knob->kernels;
}

bool clopt_value_changes_nothing(const struct clopt_plugin_entry *app,
                                 const struct clopt_plugin_entry *optimization, size_t parameter,
                                 const char *text)
{
    if (!text)
        return true;
    const struct clopt_parameter *described =
        &optimization->extension->optimization->parameters[parameter];
    const char *initial = described->initial;
    if (described->knob) {
        const struct clopt_knob *knob = clopt_knob_find(app, optimization, described->name);
        initial = knob ? knob->initial : NULL;
    }
    if (!initial || strcmp(initial, text) == 0)
        return initial;
    CLOPT_OWNED(clopt_value) value = {0};
    return !clopt_value_parse(initial, described->type, &value, NULL) &&
           strcmp(value.text, text) == 0;
}

bool clopt_step_rewrites(const struct clopt_step *step)
{
    const struct clopt_optimization *optimization = step->optimization->extension->optimization;
    for (size_t i = 0; optimization->apply && i < step->values->count; i++)
        if (!optimization->parameters[i].knob &&
            !clopt_value_changes_nothing(NULL, step->optimization, i, step->values->items[i].text))
            return true;
    return false;
}

bool clopt_trial_rewrites(const struct clopt_trial *trial, const struct clopt_kernel *kernel)
{
    for (struct clopt_trial_part part = {0}; clopt_trial_next_part(trial, &part);)
        for (size_t i = part.first; i < part.end; i++)
            if ((!kernel || kernel == part.kernel) && clopt_step_rewrites(&trial->steps[i]))
                return true;
    return false;
}

/* Whether all knobs that a step sets touch a kernel. */
static bool knobs_touch(const struct clopt_trial *trial, const struct clopt_step *step,
                        const char *kernel)
{
    for (size_t i = 0; i < step->values->count; i++) {
        const struct clopt_value *value = &step->values->items[i];
        const struct clopt_knob *knob =
            clopt_knob_find(trial->app, step->optimization, value->name);
        if (knob && !clopt_knob_touches(knob, kernel) &&
            !clopt_value_changes_nothing(trial->app, step->optimization, i, value->text))
            return false;
    }
    return true;
}

const struct clopt_kernel *clopt_kernel_find(const struct clopt_plugin_entry *app, const char *name)
{
    const struct clopt_kernel *kernel = app->extension->app->kernels;
    while (kernel->name && strcmp(kernel->name, name) != 0)
        kernel++;
    return kernel->name ? kernel : NULL;
}

bool clopt_trial_next_part(const struct clopt_trial *trial, struct clopt_trial_part *part)
{
    part->first = part->end;
    if (part->begun && part->first == trial->step_count)
        return false;
    part->begun = true;
    const struct clopt_kernel *own = trial->steps[part->first].kernel;
    part->kernel = clopt_trial_is_combined(trial) ? own : trial->kernel;
    while (part->end < trial->step_count && trial->steps[part->end].kernel == own)
        part->end++;
    return true;
}

bool clopt_trial_is_of(const struct clopt_trial *trial, const struct clopt_kernel *kernel)
{
    bool is_of = true;
    if (clopt_trial_is_combined(trial))
        return false;
    for (size_t i = 0; i < trial->step_count; i++)
        is_of = is_of && !clopt_step_rewrites(&trial->steps[i]) &&
                knobs_touch(trial, &trial->steps[i], kernel->name);
    return is_of || kernel == trial->kernel;
}

static struct clopt_values *create_knobs(const struct clopt_app *app)
{
    size_t count = 0;
    while (app->knobs && app->knobs[count].parameter)
        count++;
    CLOPT_FREED struct clopt_parameter *parameters = clopt_calloc(count + 1, sizeof *parameters);
    for (size_t i = 0; i < count; i++)
        parameters[i] = (struct clopt_parameter){
            .name = app->knobs[i].parameter,
            .type = CLOPT_INTEGER,
            .initial = app->knobs[i].initial,
        };
    return clopt_values_create(parameters); /* values keep the names, which are the plugin's */
}

/* A knob has one value in the whole program: no two steps can set it differently. */
static enum clopt_status check_once(const struct clopt_trial *trial, const struct clopt_step *step,
                                    size_t parameter, struct clopt_error *error)
{
    const struct clopt_value *value = &step->values->items[parameter];
    for (const struct clopt_step *other = trial->steps; other < step; other++) {
        if (other->optimization != step->optimization)
            continue;
        const char *text = other->values->items[parameter].text;
        if (text && strcmp(text, value->text) != 0)
            return clopt_fail(error, CLOPT_INFEASIBLE,
                              "%s is %s in an earlier step: a program has one value of it",
                              value->name, text);
    }
    return CLOPT_OK;
}

static enum clopt_status set_knob(const struct clopt_trial *trial, const struct clopt_step *step,
                                  const struct clopt_value *value, struct clopt_values *knobs,
                                  struct clopt_error *error)
{
    const struct clopt_knob *knob = clopt_knob_find(trial->app, step->optimization, value->name);
    if (!knob)
        return clopt_fail(error, CLOPT_INFEASIBLE, "%s has no knob for %s of %s",
                          trial->app ? trial->app->extension->name : "a file of kernels",
                          value->name, step->optimization->extension->name);
    struct clopt_parameter parameter = {
        .name = knob->parameter, .type = CLOPT_INTEGER, .legal = knob->legal};
    enum clopt_status status = clopt_values_set(knobs, &parameter, value->text, error);
    if (status == CLOPT_INVALID) {
        status = CLOPT_INFEASIBLE;
        if (error)
            error->status = status;
    }
    return status;
}

static enum clopt_status set_knobs(const struct clopt_trial *trial, const struct clopt_step *step,
                                   struct clopt_values *knobs, struct clopt_error *error)
{
    const struct clopt_parameter *parameters =
        step->optimization->extension->optimization->parameters;
    for (size_t i = 0; i < step->values->count; i++) {
        const struct clopt_value *value = &step->values->items[i];
        if (!parameters[i].knob || !value->text)
            continue;
        enum clopt_status status = check_once(trial, step, i, error);
        status = status ? status : set_knob(trial, step, value, knobs, error);
        if (status)
            return clopt_step_fail(trial, step, status, error);
    }
    return CLOPT_OK;
}

enum clopt_status clopt_trial_knobs(const struct clopt_trial *trial, struct clopt_values **knobs,
                                    struct clopt_error *error)
{
    CLOPT_HELD(clopt_values) made = create_knobs(trial->app->extension->app);
    *knobs = NULL;
    for (size_t i = 0; i < trial->step_count; i++)
        CLOPT_TRY(set_knobs(trial, &trial->steps[i], made, error));
    *knobs = made;
    made = NULL;
    return CLOPT_OK;
}

struct clopt_problem clopt_problem_of(const struct clopt_plugin_entry *entry,
                                      const struct clopt_values *inputs, uint64_t seed)
{
    const struct clopt_app *app = entry->extension->app;
    return (struct clopt_problem){.app = entry->extension->name,
                                  .app_hash = entry->hash,
                                  .inputs = inputs,
                                  .seed = seed,
                                  .definition = app->defined ? app->defined->definition : NULL};
}

static json_t *parameters_to_json(const struct clopt_trial *trial)
{
    json_t *json = json_array();
    for (size_t i = 0; i < trial->parameters->count; i++) {
        const struct clopt_value *value = &trial->parameters->items[i];
        json_array_append_new(json, json_pack("{s:s, s:s, s:s, s:s}", "name", value->name, "type",
                                              clopt_type_text(value->type), "value", value->text,
                                              "initial", trial->initial_parameters->items[i].text));
    }
    return json;
}

json_t *clopt_trial_to_json(const struct clopt_trial *trial)
{
    char seed[24];
    snprintf(seed, sizeof seed, "%" PRIu64, trial->seed); /* JSON's integers are signed */
    json_t *steps = json_array();
    for (size_t i = 0; i < trial->step_count; i++) {
        const struct clopt_step *step = &trial->steps[i];
        json_array_append_new(steps, json_pack("{s:s, s:o, s:s*}", "optimization",
                                               step->optimization->extension->name, "values",
                                               clopt_values_to_json(step->values), "kernel",
                                               step->kernel ? step->kernel->name : NULL));
    }
    const struct clopt_plugin_entry *base = trial->app->base ? trial->app->base : trial->app;
    json_t *json = json_pack("{s:s, s:o, s:s, s:s, s:o}", "app", base->extension->name, "inputs",
                             clopt_values_to_json(trial->inputs), "seed", seed, "kernel",
                             trial->kernel->name, "steps", steps);
    if (json && trial->parameters)
        json_object_set_new(json, "parameters", parameters_to_json(trial));
    if (json && trial->source_limit)
        json_object_set_new(json, "source_limit", json_integer((json_int_t)trial->source_limit));
    if (json && trial->rival)
        json_object_set(json, "rival", trial->rival);
    if (json && trial->app->description)
        json_object_set(json, "description", (json_t *)trial->app->description);
    return json;
}

/* Reads the values of a step; knobs that are not named stay unset. */
static enum clopt_status values_from_json(const struct clopt_plugin_entry *optimization,
                                          const json_t *json, struct clopt_values **values,
                                          struct clopt_error *error)
{
    const struct clopt_parameter *parameters = optimization->extension->optimization->parameters;
    CLOPT_TRY(clopt_values_from_json(parameters, json, values, error));
    for (size_t i = 0; i < (*values)->count; i++) {
        struct clopt_value *value = &(*values)->items[i];
        if (parameters[i].knob && !json_object_get(json, value->name))
            clopt_value_unset(value);
    }
    return CLOPT_OK;
}

/* Finds the kernel that an object names; NULL, and the reason: none. */
static const struct clopt_kernel *kernel_from_json(const json_t *json,
                                                   const struct clopt_trial *trial,
                                                   struct clopt_error *error)
{
    const char *name = json_string_value(json_object_get(json, "kernel"));
    const struct clopt_kernel *kernel = name ? clopt_kernel_find(trial->app, name) : NULL;
    if (!kernel)
        clopt_fail(error, CLOPT_INVALID, "trial: %s has no kernel %s", trial->app->extension->name,
                   name ? name : "without a name");
    return kernel;
}

static enum clopt_status step_from_json(const json_t *json, const struct clopt_registry *registry,
                                        struct clopt_trial *trial, struct clopt_error *error)
{
    const char *name = json_string_value(json_object_get(json, "optimization"));
    if (!name || trial->step_count == CLOPT_MOST_STEPS)
        return clopt_fail(error, CLOPT_INVALID, "trial: malformed or too many steps");
    struct clopt_step *step = &trial->steps[trial->step_count];
    CLOPT_TRY(
        clopt_registry_find(registry, CLOPT_KIND_OPTIMIZATION, name, &step->optimization, error));
    CLOPT_TRY(values_from_json(step->optimization, json_object_get(json, "values"), &step->values,
                               error));
    trial->step_count++;
    step->kernel = json_object_get(json, "kernel") ? kernel_from_json(json, trial, error) : NULL;
    if (!step->kernel == !json_object_get(json, "kernel") &&
        !step->kernel == !trial->steps[0].kernel)
        return CLOPT_OK;
    return clopt_fail(error, CLOPT_INVALID, "trial: a step of no kernel");
}

static enum clopt_status head_from_json(const json_t *json, const struct clopt_registry *registry,
                                        struct clopt_trial *trial, struct clopt_error *error)
{
    const char *app = json_string_value(json_object_get(json, "app"));
    const char *seed = json_string_value(json_object_get(json, "seed"));
    if (!app || !seed)
        return clopt_fail(error, CLOPT_INVALID, "trial: no app or no seed");
    trial->seed = strtoull(seed, NULL, 10);
    trial->source_limit = (uint64_t)json_integer_value(json_object_get(json, "source_limit"));
    CLOPT_TRY(clopt_registry_find(registry, CLOPT_KIND_APP, app, &trial->app, error));
    const json_t *description = json_object_get(json, "description");
    if (description)
        CLOPT_TRY(clopt_registry_define(registry, description, NULL, &trial->app, error));
    if (!trial->app->extension->app->kernels)
        return clopt_fail(error, CLOPT_INVALID, "trial: %s needs a description", app);
    if (!(trial->kernel = kernel_from_json(json, trial, error)))
        return CLOPT_INVALID;
    return clopt_values_from_json(trial->app->extension->app->inputs,
                                  json_object_get(json, "inputs"), &trial->inputs, error);
}

/* Makes the table of the parameters of a trial; it borrows from the JSON. */
static enum clopt_status read_parameter_table(const json_t *json, bool initial,
                                              struct clopt_parameter *table,
                                              struct clopt_error *error)
{
    for (size_t i = 0; i < json_array_size(json); i++) {
        const json_t *item = json_array_get(json, i);
        const char *type = json_string_value(json_object_get(item, "type"));
        table[i].name = json_string_value(json_object_get(item, "name"));
        table[i].initial = json_string_value(json_object_get(item, initial ? "initial" : "value"));
        size_t known = 0;
        while (type && known <= CLOPT_TEXT &&
               strcmp(type, clopt_type_text((enum clopt_type)known)) != 0)
            known++;
        if (!table[i].name || !table[i].initial || !type || known > CLOPT_TEXT)
            return clopt_fail(error, CLOPT_INVALID, "trial: a malformed parameter");
        table[i].type = (enum clopt_type)known;
    }
    return CLOPT_OK;
}

static enum clopt_status parameters_from_json(const json_t *json, bool initial,
                                              struct clopt_values **values,
                                              struct clopt_error *error)
{
    CLOPT_FREED struct clopt_parameter *table =
        clopt_calloc(json_array_size(json) + 1, sizeof *table);
    CLOPT_TRY(read_parameter_table(json, initial, table, error));
    *values = clopt_values_create_apart(table);
    for (size_t i = 0; i < (*values)->count; i++)
        if (!(*values)->items[i].text)
            return clopt_fail(error, CLOPT_INVALID, "trial: parameter %s = %s: not a value",
                              table[i].name, table[i].initial);
    return CLOPT_OK;
}

enum clopt_status clopt_trial_from_json(const json_t *json, const struct clopt_registry *registry,
                                        struct clopt_trial *trial, struct clopt_error *error)
{
    *trial = (struct clopt_trial){0};
    const json_t *steps = json_object_get(json, "steps");
    const json_t *parameters = json_object_get(json, "parameters");
    CLOPT_TRY(head_from_json(json, registry, trial, error));
    if (parameters) {
        CLOPT_TRY(parameters_from_json(parameters, false, &trial->parameters, error));
        CLOPT_TRY(parameters_from_json(parameters, true, &trial->initial_parameters, error));
    }
    for (size_t i = 0; i < json_array_size(steps); i++)
        CLOPT_TRY(step_from_json(json_array_get(steps, i), registry, trial, error));
    trial->rival = json_deep_copy(json_object_get(json, "rival"));
    return CLOPT_OK;
}
