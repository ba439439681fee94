/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of variants, "geometry(block_size=32)+loops(unroll=4)", and of problems. */
#include "trial/trial.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "text/text.h"

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
                              step->optimization->plugin->name);
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
    clopt_text_append(&name, "");
    append_step(&name, trial, step);
    return clopt_text_take(&name);
}

enum clopt_status clopt_step_fail(const struct clopt_trial *trial, const struct clopt_step *step,
                                  enum clopt_status status, struct clopt_error *error)
{
    if (!error || trial->step_count < 2)
        return status;
    char *name = clopt_step_name(trial, step);
    clopt_fail_within(error, "%s", name && *name ? name : step->optimization->plugin->name);
    free(name);
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
        struct clopt_text steps = {0};
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
        clopt_text_fini(&steps);
    }
    if (!name.length)
        clopt_text_append(&name, initial_code);
    return clopt_text_take(&name);
}

/* Copies a name (letters, digits, underscores) and moves past it. */
static char *take_word(const char **rest)
{
    const char *start = *rest;
    while (isalnum((unsigned char)**rest) || **rest == '_')
        ++*rest;
    return *rest == start ? NULL : strndup(start, (size_t)(*rest - start));
}

/* Copies a value, without its quotes, and moves past it. Without quotes it ends with one of
 * `stops`. */
static char *take_value(const char **rest, const char *stops)
{
    const char *start = *rest;
    if (*start != '"') {
        *rest += strcspn(start, stops);
        return strndup(start, (size_t)(*rest - start));
    }
    const char *end = strchr(start + 1, '"');
    if (!end)
        return NULL;
    *rest = end + 1;
    return strndup(start + 1, (size_t)(end - start - 1));
}

/* Reads "name=value", up to one of `stops`; the caller frees both, also after an error. */
static enum clopt_status read_setting(const char **rest, const char *stops, char **name,
                                      char **value, struct clopt_error *error)
{
    *value = NULL;
    *name = take_word(rest);
    if (!*name || **rest != '=')
        return clopt_fail(error, CLOPT_INVALID, "expected parameter=value at \"%s\"", *rest);
    ++*rest;
    *value = take_value(rest, stops);
    return *value ? CLOPT_OK : clopt_fail(error, CLOPT_INVALID, "a closing quote is missing");
}

static enum clopt_status parse_value(struct clopt_step *step, const char **rest,
                                     struct clopt_error *error)
{
    const struct clopt_parameter *parameters =
        clopt_entry_optimization(step->optimization)->parameters;
    char *name, *value;
    enum clopt_status status = read_setting(rest, ",)", &name, &value, error);
    const struct clopt_parameter *parameter =
        status ? NULL : clopt_parameter_find(parameters, name);
    if (parameter)
        status = clopt_values_set(step->values, parameter, value, error);
    else if (!status)
        status = clopt_parameter_unknown(parameters, step->optimization->plugin->name, name, error);
    free(name);
    free(value);
    return status;
}

/* Reads "(parameter=value,...)". */
static enum clopt_status parse_values(struct clopt_step *step, const char **rest,
                                      struct clopt_error *error)
{
    if (**rest != '(')
        return clopt_fail(error, CLOPT_INVALID, "expected ( at \"%s\"", *rest);
    do {
        ++*rest;
        enum clopt_status status = parse_value(step, rest, error);
        if (status)
            return status;
    } while (**rest == ',');
    if (**rest != ')')
        return clopt_fail(error, CLOPT_INVALID, "expected , or ) at \"%s\"", *rest);
    ++*rest;
    return CLOPT_OK;
}

/* Whether a name begins with "parameter=". */
static bool begins_with_parameter(const char *name)
{
    char *word = take_word(&name);
    bool is_parameter = word && *name == '=';
    free(word);
    return is_parameter;
}

/* Reads "WG=64", the value of one of the trial's parameters. */
static enum clopt_status parse_parameter(struct clopt_trial *trial, const char **rest,
                                         struct clopt_error *error)
{
    struct clopt_values *parameters = trial->parameters;
    char *name, *value;
    size_t i = 0;
    enum clopt_status status = read_setting(rest, ",+", &name, &value, error);
    while (!status && parameters && i < parameters->count &&
           strcmp(parameters->items[i].name, name) != 0)
        i++;
    if (!status && (!parameters || i == parameters->count))
        status = clopt_fail(error, CLOPT_INVALID, "no [parameter %s]", name);
    if (!status) {
        struct clopt_parameter parameter = {.name = name, .type = parameters->items[i].type};
        status = clopt_values_set(parameters, &parameter, value, error);
    }
    free(name);
    free(value);
    return status;
}

static enum clopt_status parse_parameters(struct clopt_trial *trial, const char **rest,
                                          struct clopt_error *error)
{
    enum clopt_status status = parse_parameter(trial, rest, error);
    while (status == CLOPT_OK && **rest == ',') {
        ++*rest;
        status = parse_parameter(trial, rest, error);
    }
    return status;
}

enum clopt_status clopt_trial_take_parameters(struct clopt_trial *trial, const char *name,
                                              struct clopt_error *error)
{
    struct clopt_parameter *table = calloc(strlen(name) + 2, sizeof *table);
    size_t count = 0;
    bool complete = table != NULL;
    for (const char *rest = name; complete && begins_with_parameter(rest); rest += *rest == ',') {
        char *own, *value;
        read_setting(&rest, ",+", &own, &value, NULL);
        table[count] = (struct clopt_parameter){.name = own, .type = CLOPT_TEXT, .initial = ""};
        complete = table[count++].name != NULL;
        free(value);
    }
    if (complete && count) {
        trial->parameters = clopt_values_create_apart(table);
        trial->initial_parameters = clopt_values_create_apart(table);
        complete = trial->parameters && trial->initial_parameters;
    }
    for (size_t i = 0; i < count; i++)
        free((char *)table[i].name);
    free(table);
    return complete ? CLOPT_OK : clopt_fail_memory(error);
}

static enum clopt_status parse_step(struct clopt_trial *trial, const char **rest,
                                    const struct clopt_registry *registry,
                                    struct clopt_error *error)
{
    if (trial->step_count == CLOPT_MOST_STEPS)
        return clopt_fail(error, CLOPT_INVALID, "more than %d optimizations", CLOPT_MOST_STEPS);
    struct clopt_step *step = &trial->steps[trial->step_count];
    char *name = take_word(rest);
    if (!name)
        return clopt_fail(error, CLOPT_INVALID, "expected an optimization at \"%s\"", *rest);
    enum clopt_status status =
        clopt_registry_find(registry, CLOPT_PLUGIN_OPTIMIZATION, name, &step->optimization, error);
    free(name);
    if (status)
        return status;
    step->values = clopt_step_values_create(step->optimization);
    if (!step->values)
        return clopt_fail_memory(error);
    trial->step_count++;
    return parse_values(step, rest, error);
}

bool clopt_trial_split_name(const char **rest, char **steps, char **kernel)
{
    static const char in[] = ") in ";
    const char *end = *rest;
    for (bool quoted = false; *end && (quoted || strncmp(end, in, sizeof in - 1) != 0); end++)
        quoted = quoted != (*end == '"');
    *steps = *kernel = NULL;
    if (!*end)
        return false;
    *steps = strndup(*rest, (size_t)(end + 1 - *rest));
    *rest = end + sizeof in - 1;
    *kernel = take_word(rest);
    if (strncmp(*rest, ", ", 2) == 0)
        *rest += 2;
    if (*steps && *kernel)
        return true;
    free(*steps);
    free(*kernel);
    return false;
}

/* Reads parameters and steps of one kernel (NULL: the trial's). */
static enum clopt_status parse_part(struct clopt_trial *trial, const char *rest,
                                    const struct clopt_kernel *kernel,
                                    const struct clopt_registry *registry,
                                    struct clopt_error *error)
{
    size_t first = trial->step_count;
    enum clopt_status status = begins_with_parameter(rest)
                                   ? parse_parameters(trial, &rest, error)
                                   : parse_step(trial, &rest, registry, error);
    while (status == CLOPT_OK && *rest == '+') {
        rest++;
        status = parse_step(trial, &rest, registry, error);
    }
    for (size_t i = first; i < trial->step_count; i++)
        trial->steps[i].kernel = kernel;
    return status || !*rest ? status
                            : clopt_fail(error, CLOPT_INVALID, "expected + at \"%s\"", rest);
}

/* Reads the steps of several kernels. */
static enum clopt_status parse_parts(struct clopt_trial *trial, const char *rest,
                                     const struct clopt_registry *registry,
                                     struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    for (char *steps, *name; !status && clopt_trial_split_name(&rest, &steps, &name);) {
        const struct clopt_kernel *kernel = clopt_kernel_find(trial->app, name);
        status = kernel ? parse_part(trial, steps, kernel, registry, error)
                        : clopt_fail(error, CLOPT_INVALID, "%s has no kernel %s",
                                     trial->app->plugin->name, name);
        free(steps);
        free(name);
    }
    if (!status && *rest)
        return clopt_fail(error, CLOPT_INVALID, "expected STEPS in KERNEL at \"%s\"", rest);
    if (!status && trial->step_count)
        trial->kernel = trial->steps[0].kernel;
    return status;
}

/* Whether a name has the steps of several kernels. */
static bool names_kernels(const char *name)
{
    char *steps, *kernel;
    bool split = clopt_trial_split_name(&name, &steps, &kernel);
    free(steps);
    free(kernel);
    return split;
}

enum clopt_status clopt_trial_parse_name(struct clopt_trial *trial, const char *name,
                                         const struct clopt_registry *registry,
                                         struct clopt_error *error)
{
    enum clopt_status status = clopt_trial_clear(trial, error);
    if (status || strcmp(name, initial_code) == 0)
        return status;
    status = trial->app && names_kernels(name) ? parse_parts(trial, name, registry, error)
                                               : parse_part(trial, name, NULL, registry, error);
    if (status) {
        clopt_trial_clear(trial, NULL);
        return clopt_fail_within(error, "variant %s", name);
    }
    return CLOPT_OK;
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
    const struct clopt_parameter *parameters = clopt_entry_app(app)->inputs;
    struct clopt_values *initial = clopt_values_create(parameters);
    if (!initial)
        return NULL;
    struct clopt_text label = {0};
    append_inputs(&label, parameters, inputs, inputs->count, initial);
    if (!label.length)
        append_inputs(&label, parameters, inputs, count_sizes(parameters), NULL);
    clopt_values_destroy(initial);
    return clopt_text_take(&label);
}
