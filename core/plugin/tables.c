/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks a plugin's operations and the tables in them. */
#include "plugin/descriptor.h"

#include "number/values.h"
#include "text/text.h"

/* A table that is longer lacks its end. */
#define LONGEST_TABLE CLOPT_LONGEST_TABLE

/* Checks that an initial value (NULL: none) is a legal one. `what` is what has it: "knob". */
static enum clopt_status check_initial(const struct clopt_parameter *parameter, const char *what,
                                       struct clopt_error *error)
{
    CLOPT_OWNED(clopt_value) value = {0};
    if (!parameter->initial || !clopt_parameter_read(parameter, parameter->initial, &value, error))
        return CLOPT_OK;
    clopt_fail_within(error, "initial value of %s %s", what, parameter->name);
    if (error)
        error->status = CLOPT_PLUGIN_UNUSABLE;
    return CLOPT_PLUGIN_UNUSABLE;
}

static enum clopt_status check_parameter(const struct clopt_parameter *table, size_t index,
                                         const char *what, struct clopt_error *error)
{
    const struct clopt_parameter *parameter = &table[index];
    if (!clopt_name_is_legal(parameter->name))
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "%s %zu has the illegal name '%.32s'", what,
                          index + 1, parameter->name);
    for (size_t i = 0; i < index; i++)
        if (strcmp(table[i].name, parameter->name) == 0)
            return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "%s %s appears twice", what,
                              parameter->name);
    if ((int)parameter->type < CLOPT_INTEGER || parameter->type > CLOPT_FACTOR)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "%s %s has the unknown type %d", what,
                          parameter->name, (int)parameter->type);
    if (!parameter->help || !parameter->help[0])
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "%s %s has no help", what, parameter->name);
    return check_initial(parameter, what, error);
}

/* Checks a table of parameters (NULL: an empty one): names, types, legal and initial values.
 * `what` is what messages call one of them: "input", say. */
static enum clopt_status check_parameters(const struct clopt_parameter *parameters,
                                          const char *what, struct clopt_error *error)
{
    for (size_t i = 0; parameters && parameters[i].name; i++) {
        if (i == LONGEST_TABLE)
            return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                              "the table of %ss has no end (an entry whose name is NULL)", what);
        CLOPT_TRY(check_parameter(parameters, i, what, error));
    }
    return CLOPT_OK;
}

static bool has_kernel(const struct clopt_app *app, const char *name, size_t length)
{
    for (const struct clopt_kernel *kernel = app->kernels; kernel->name; kernel++)
        if (strlen(kernel->name) == length && memcmp(kernel->name, name, length) == 0)
            return true;
    return false;
}

static enum clopt_status check_kernels(const struct clopt_app *app, struct clopt_error *error)
{
    if (!app->kernels || !app->kernels[0].name)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "it has no kernels");
    for (size_t i = 0; app->kernels[i].name; i++) {
        const struct clopt_kernel *kernel = &app->kernels[i];
        if (i == LONGEST_TABLE)
            return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                              "the table of kernels has no end (an entry whose name is NULL)");
        if (!clopt_is_identifier(kernel->name))
            return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                              "kernel %zu has the illegal name '%.64s'", i + 1, kernel->name);
        if (kernel->dimensions < 1 || kernel->dimensions > 3)
            return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                              "kernel %s has %u dimensions, not 1 to 3", kernel->name,
                              kernel->dimensions);
        for (size_t j = 0; j < i; j++)
            if (strcmp(app->kernels[j].name, kernel->name) == 0)
                return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "kernel %s appears twice",
                                  kernel->name);
    }
    return CLOPT_OK;
}

/* Checks that every word of a knob's list of kernels is a kernel. */
static enum clopt_status check_knob_kernels(const struct clopt_app *app,
                                            const struct clopt_knob *knob,
                                            struct clopt_error *error)
{
    const char *word = knob->kernels ? knob->kernels : "";
    for (word += strspn(word, " "); *word; word += strspn(word, " ")) {
        size_t length = strcspn(word, " ");
        if (!has_kernel(app, word, length))
            return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                              "knob %s names the kernel %.*s, which the app does not have",
                              knob->parameter, (int)length, word);
        word += length;
    }
    return CLOPT_OK;
}

static enum clopt_status check_knob(const struct clopt_app *app, size_t index,
                                    struct clopt_error *error)
{
    const struct clopt_knob *knob = &app->knobs[index];
    if (!clopt_name_is_legal(knob->parameter))
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "knob %zu has the illegal name '%.32s'",
                          index + 1, knob->parameter);
    for (size_t i = 0; i < index; i++)
        if (strcmp(app->knobs[i].parameter, knob->parameter) == 0)
            return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "knob %s appears twice",
                              knob->parameter);
    if (!knob->optimization || !clopt_name_is_legal(knob->optimization))
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "knob %s names no optimization",
                          knob->parameter);
    if (!knob->macro || !clopt_is_identifier(knob->macro))
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "knob %s names no macro", knob->parameter);
    if (!knob->legal || !knob->initial || !knob->help || !knob->help[0])
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                          "knob %s lacks its legal values, initial value or help", knob->parameter);
    const struct clopt_parameter parameter = {
        .name = knob->parameter, .legal = knob->legal, .initial = knob->initial};
    CLOPT_TRY(check_initial(&parameter, "knob", error));
    return check_knob_kernels(app, knob, error);
}

static enum clopt_status check_knobs(const struct clopt_app *app, struct clopt_error *error)
{
    for (size_t i = 0; app->knobs && app->knobs[i].parameter; i++) {
        if (i == LONGEST_TABLE)
            return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                              "the table of knobs has no end (an entry whose parameter is NULL)");
        CLOPT_TRY(check_knob(app, i, error));
    }
    return CLOPT_OK;
}

static enum clopt_status check_operations(const struct clopt_app *app, struct clopt_error *error)
{
    const char *missing = !app->describe  ? "describe"
                          : !app->setup   ? "setup"
                          : !app->prepare ? "prepare"
                          : !app->launch  ? "launch"
                          : !app->check   ? "check"
                                          : NULL;
    if (missing)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "it lacks the operation %s", missing);
    if (!app->define && !app->write != !app->results)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                          "the operation write and the table results need each other");
    return CLOPT_OK;
}

static enum clopt_status check_source(const struct clopt_app *app, struct clopt_error *error)
{
    if (!app->source || !app->source[0] || app->source[0] == '/' || strstr(app->source, ".."))
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                          "it names no source file below the kernel folder");
    return CLOPT_OK;
}

/* An app that a study describes gets its source and kernels from there. */
static enum clopt_status check_define(const struct clopt_app *app, struct clopt_error *error)
{
    const struct clopt_define *define = app->define;
    if (!define->define || !define->undefine)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "it lacks the operation %s",
                          define->define ? "undefine" : "define");
    bool has_inputs = false;
    for (size_t i = 0; define->sections && define->sections[i].name && define->inputs_section; i++)
        has_inputs |= strcmp(define->sections[i].name, define->inputs_section) == 0;
    if (!has_inputs)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                          "its table of sections lacks the section of inputs");
    return CLOPT_OK;
}

/* Checks which parameters one depends on, and adds them to `named`: inputs, or those further up. */
static enum clopt_status check_dependence(const struct clopt_parameter *table, size_t index,
                                          bool is_input, uint64_t *named, struct clopt_error *error)
{
    uint64_t own = CLOPT_PARAMETER_BIT(index), wrong = is_input ? own : ~(own - 1);
    const char *names[] = {table[index].with, table[index].without};
    for (size_t i = 0; i < 2; i++) {
        uint64_t bits;
        if (!clopt_parameters_named(table, names[i], &bits) || bits & wrong)
            return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                              "parameter %s depends on '%.64s', which is more than names of %s",
                              table[index].name, names[i],
                              is_input ? "other inputs" : "parameters further up in the table");
        *named |= bits;
    }
    return CLOPT_OK;
}

enum clopt_status clopt_app_check(const struct clopt_app *app, struct clopt_error *error)
{
    if (!app->dwarf || !app->dwarf[0])
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "it names no dwarf");
    CLOPT_TRY(app->define ? check_define(app, error) : check_source(app, error));
    if (!app->define)
        CLOPT_TRY(check_kernels(app, error));
    uint64_t named = 0;
    CLOPT_TRY(check_parameters(app->inputs, "input", error));
    for (size_t i = 0; app->inputs && app->inputs[i].name; i++)
        CLOPT_TRY(check_dependence(app->inputs, i, true, &named, error));
    CLOPT_TRY(check_knobs(app, error));
    CLOPT_TRY(check_parameters(app->results, "result", error));
    return check_operations(app, error);
}

static enum clopt_status check_dependences(const struct clopt_parameter *table,
                                           struct clopt_error *error)
{
    uint64_t named = 0;
    size_t count = 0;
    for (size_t i = 0; table[i].name; i++)
        CLOPT_TRY(check_dependence(table, i, false, &named, error));
    for (; named; named &= named - 1)
        count++;
    if (count > CLOPT_MOST_NAMED)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                          "parameters depend on %zu others, more than %d", count, CLOPT_MOST_NAMED);
    return CLOPT_OK;
}

enum clopt_status clopt_optimization_check(const struct clopt_optimization *optimization,
                                           struct clopt_error *error)
{
    if (!optimization->parameters || !optimization->parameters[0].name)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "it has no parameters");
    CLOPT_TRY(check_parameters(optimization->parameters, "parameter", error));
    CLOPT_TRY(check_dependences(optimization->parameters, error));
    for (const struct clopt_parameter *p = optimization->parameters; p->name; p++)
        if (!p->knob && !optimization->apply)
            return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                              "it lacks the operation apply, and parameter %s is not a knob",
                              p->name);
    return CLOPT_OK;
}
