/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of variants, "geometry(block_size=32)+loops(unroll=4)", and of problems. */
#include "trial/trial.h"

#include <math.h>

#include "text/variant_name.h"

static const char initial_code[] = "initial code";

/* Appends a value, in quotes where it holds what separates values. */
static void append_value(struct clopt_text *name, const char *value)
{
    bool quoted = !*value || strpbrk(value, ",()+=\" ");
    clopt_text_printf(name, quoted ? "\"%s\"" : "%s", value);
}

static void append_step(struct clopt_text *name, const struct clopt_trial *trial,
                        const struct clopt_step *step)
{
    bool any = false;
    for (size_t i = 0; i < step->values->count; i++) {
        const struct clopt_value *value = &step->values->items[i];
        if (clopt_value_changes_nothing(trial->app, step->optimization, i, value->text))
            continue;
        if (any)
            clopt_text_append(name, ",");
        else
            clopt_text_printf(name, "%s%s(", name->length ? "+" : "",
                              step->optimization->extension->name);
        any = true;
        clopt_text_printf(name, "%s=", value->name);
        append_value(name, value->text);
    }
    if (any)
        clopt_text_append(name, ")");
}

char *clopt_step_name(const struct clopt_trial *trial, const struct clopt_step *step)
{
    struct clopt_text name = {0};
    append_step(&name, trial, step);
    return clopt_text_take(&name);
}

enum clopt_status clopt_step_fail(const struct clopt_trial *trial, const struct clopt_step *step,
                                  enum clopt_status status, struct clopt_error *error)
{
    if (!error || trial->step_count < 2)
        return status;
    CLOPT_FREED char *name = clopt_step_name(trial, step);
    clopt_fail_within(error, "%s", *name ? name : step->optimization->extension->name);
    return status;
}

/* Appends "WG=64,TILE=8": the parameters that do not have their initial value. */
static void append_parameters(struct clopt_text *name, const struct clopt_trial *trial)
{
    for (size_t i = 0; trial->parameters && i < trial->parameters->count; i++) {
        const struct clopt_value *value = &trial->parameters->items[i];
        if (strcmp(value->text, trial->initial_parameters->items[i].text) == 0)
            continue;
        clopt_text_printf(name, "%s%s=", name->length ? "," : "", value->name);
        append_value(name, value->text);
    }
}

char *clopt_trial_name(const struct clopt_trial *trial)
{
    struct clopt_text name = {0};
    if (trial->rival)
        clopt_text_printf(&name, "rival %s",
                          json_string_value(json_object_get(trial->rival, "label")));
    append_parameters(&name, trial);
    for (struct clopt_trial_part part = {0}; clopt_trial_next_part(trial, &part);) {
        CLOPT_OWNED(clopt_text) steps = {0};
        for (size_t i = part.first; i < part.end; i++)
            append_step(&steps, trial, &trial->steps[i]);
        if (steps.length)
            clopt_text_printf(&name, "%s%s",
                              part.first    ? ", "
                              : name.length ? "+"
                                            : "",
                              clopt_text_string(&steps));
        if (clopt_trial_is_combined(trial))
            clopt_text_printf(&name, " in %s", part.kernel->name);
    }
    if (!name.length)
        clopt_text_append(&name, initial_code);
    return clopt_text_take(&name);
}

static char *copy_piece(struct clopt_piece piece)
{
    return clopt_strndup(piece.text, piece.length);
}

/* Sets one of the trial's parameters. */
static enum clopt_status set_parameter(struct clopt_trial *trial, const char *name,
                                       const char *value, struct clopt_error *error)
{
    const struct clopt_value *item = clopt_values_find(trial->parameters, name);
    if (!item)
        return clopt_fail(error, CLOPT_INVALID, "no [parameter %s]", name);
    const struct clopt_parameter parameter = {.name = name, .type = item->type};
    return clopt_values_set(trial->parameters, &parameter, value, error);
}

static enum clopt_status set_value(struct clopt_step *step, const char *name, const char *value,
                                   struct clopt_error *error)
{
    const struct clopt_extension *extension = step->optimization->extension;
    const struct clopt_parameter *parameters = extension->optimization->parameters;
    const struct clopt_parameter *parameter = clopt_parameter_find(parameters, name);
    return parameter ? clopt_values_set(step->values, parameter, value, error)
                     : clopt_parameter_unknown(parameters, extension->name, name, error);
}

static enum clopt_status add_step(struct clopt_trial *trial, struct clopt_piece optimization,
                                  const struct clopt_registry *registry, struct clopt_error *error)
{
    if (trial->step_count == CLOPT_MOST_STEPS)
        return clopt_fail(error, CLOPT_INVALID, "more than %d optimizations", CLOPT_MOST_STEPS);
    struct clopt_step *step = &trial->steps[trial->step_count];
    CLOPT_FREED char *name = copy_piece(optimization);
    CLOPT_TRY(
        clopt_registry_find(registry, CLOPT_KIND_OPTIMIZATION, name, &step->optimization, error));
    step->kernel = NULL;
    step->values = clopt_step_values_create(step->optimization);
    trial->step_count++;
    return CLOPT_OK;
}

/* Takes in one value of a name; `begins`: it is the first of its step. */
static enum clopt_status take_value(struct clopt_trial *trial, const struct clopt_name_value *taken,
                                    bool begins, const struct clopt_registry *registry,
                                    struct clopt_error *error)
{
    bool macro = !taken->optimization.length;
    CLOPT_TRY(begins && !macro ? add_step(trial, taken->optimization, registry, error) : CLOPT_OK);
    CLOPT_FREED char *name = copy_piece(taken->name), *value = copy_piece(taken->value);
    return macro ? set_parameter(trial, name, value, error)
                 : set_value(&trial->steps[trial->step_count - 1], name, value, error);
}

/* Gives the steps that have none the kernel that their name ends with. Without an app the trial's
 * kernel is the only one that is known: the steps of others are left out. */
static enum clopt_status end_part(struct clopt_trial *trial, struct clopt_piece name,
                                  struct clopt_error *error)
{
    const struct clopt_kernel *kernel = trial->app ? trial->app->extension->app->kernels : NULL;
    size_t first = 0;
    while (first < trial->step_count && trial->steps[first].kernel)
        first++;
    while (kernel && kernel->name && !clopt_piece_is(name, kernel->name))
        kernel++;
    if (trial->app && !kernel->name)
        return clopt_fail(error, CLOPT_INVALID, "%s has no kernel %.*s",
                          trial->app->extension->name, (int)name.length, name.text);
    if (!trial->app && clopt_piece_is(name, trial->kernel->name))
        kernel = trial->kernel;
    for (size_t i = first; i < trial->step_count && kernel; i++)
        trial->steps[i].kernel = kernel;
    while (!kernel && trial->step_count > first)
        clopt_values_destroy(trial->steps[--trial->step_count].values);
    return CLOPT_OK;
}

static enum clopt_status parse_name(struct clopt_trial *trial, const char *name,
                                    const struct clopt_registry *registry,
                                    struct clopt_error *error)
{
    struct clopt_name_value value = clopt_name_begin(name);
    const char *part = NULL; /* the steps after those whose kernel was named; NULL: none was */
    for (bool more = true; more;) {
        const char *step = value.step.text;
        more = clopt_name_next(&value);
        if (value.kernel.length) {
            CLOPT_TRY(end_part(trial, value.kernel, error));
            part = value.step.text != step ? value.step.text : value.rest;
        }
        if (more)
            CLOPT_TRY(take_value(trial, &value, value.step.text != step, registry, error));
    }
    const char *wrong = part ? part : value.rest;
    if (part ? *part != '\0' : value.expected != NULL)
        return clopt_fail(error, CLOPT_INVALID,
                          *wrong ? "expected %s at \"%s\"" : "expected %s at its end",
                          part ? "STEPS in KERNEL" : value.expected, wrong);
    if (part && !trial->step_count)
        return clopt_fail(error, CLOPT_INVALID, "has no steps in %s", trial->kernel->name);
    if (part)
        trial->kernel = trial->steps[0].kernel;
    return CLOPT_OK;
}

enum clopt_status clopt_trial_parse_name(struct clopt_trial *trial, const char *name,
                                         const struct clopt_registry *registry,
                                         struct clopt_error *error)
{
    clopt_trial_clear(trial);
    if (strcmp(name, initial_code) == 0 || !parse_name(trial, name, registry, error))
        return CLOPT_OK;
    clopt_trial_clear(trial);
    return clopt_fail_within(error, "variant %s", name);
}

/* Appends those of the first `count` inputs that are set, and not to their initial value, if
 * `initial` is given. */
static void append_inputs(struct clopt_text *label, const struct clopt_parameter *parameters,
                          const struct clopt_values *inputs, size_t count,
                          const struct clopt_values *initial)
{
    for (size_t i = 0; i < count; i++) {
        const char *text = inputs->items[i].text;
        const char *usual = initial ? initial->items[i].text : NULL;
        if (!text || (usual && strcmp(text, usual) == 0))
            continue;
        if (parameters[i].type == CLOPT_FILE && strrchr(text, '/'))
            text = strrchr(text, '/') + 1;
        clopt_text_printf(label, "%s%s=%s", label->length ? ", " : "", inputs->items[i].name, text);
    }
}

/* Where nothing differs, sizes say which problem it is: what a file of the user's would replace. */
static size_t count_sizes(const struct clopt_parameter *parameters)
{
    size_t count = 0;
    while (parameters && parameters[count].name && parameters[count].type != CLOPT_FILE)
        count++;
    return count;
}

char *clopt_inputs_label(const struct clopt_plugin_entry *app, const struct clopt_values *inputs)
{
    const struct clopt_parameter *parameters = app->extension->app->inputs;
    CLOPT_HELD(clopt_values) initial = clopt_values_create(parameters);
    struct clopt_text label = {0};
    append_inputs(&label, parameters, inputs, inputs->count, initial);
    if (!label.length)
        append_inputs(&label, parameters, inputs, count_sizes(parameters), NULL);
    return clopt_text_take(&label);
}

double clopt_inputs_size(const struct clopt_values *inputs)
{
    double size = 0;
    for (size_t i = 0; i < inputs->count; i++)
        if (inputs->items[i].type == CLOPT_INTEGER && inputs->items[i].text)
            size += log(1 + fabs((double)inputs->items[i].integer));
    return size;
}
