/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of variants, "geometry(block_size=32)+loops(unroll=4)", and of problems; their sizes. */
#include "trial/trial.h"

#include <math.h>

#define SMALLEST_SIZE 64 /* integers below are degrees, indices and the like, not sizes */

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
        clopt_text_append(&name, CLOPT_INITIAL_CODE);
    return clopt_text_take(&name);
}

/* Appends those of the first `count` inputs that are set, and differ from `initial` (if given). */
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

bool clopt_inputs_halve(struct clopt_values *inputs, const struct clopt_parameter *parameters,
                        bool odd)
{
    bool changed = false;
    for (size_t i = 0; i < inputs->count; i++) {
        struct clopt_value *value = &inputs->items[i];
        if (value->type == CLOPT_FILE && value->text)
            return false; /* the size is the file's */
        if (value->type != CLOPT_INTEGER || !value->text || value->integer < SMALLEST_SIZE)
            continue;
        char text[32];
        long long half = (long long)value->integer / 2;
        snprintf(text, sizeof text, "%lld", odd ? (half - 1) | 1 : half);
        changed |= clopt_values_set(inputs, &parameters[i], text, NULL) == CLOPT_OK;
    }
    return changed;
}
