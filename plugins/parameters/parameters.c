/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads [parameter NAME] and [constraints]: macros of the programs that are tuned. */
#include "parameters/sections.h"

#include <ctype.h>

#include "space/parameters.h"
#include "text/macro_default.h"
#include "text/suggest.h"
#include "trial/variant.h"

#define AT(member) offsetof(struct clopt_study_parameter, member)

static const struct clopt_key keys[] = {
    CLOPT_KEY("values", OWN, TEXT, NULL, NULL, 0, "what is tried, a list"),
    CLOPT_KEY("initial", OWN, TEXT, NULL, NULL, 0,
              "the value of the initial code [the source's, or the first]"),
    CLOPT_KEY("help", VALUE, TEXT, NULL, NULL, AT(help), "what it means"),
    CLOPT_KEY("kernels", LIST, TEXT, NULL, NULL, AT(kernels),
              "the kernels whose variants have other values [all]"),
    CLOPT_KEY("apps", LIST, TEXT, NULL, NULL, AT(apps), "the apps that have the macro [all]"),
    CLOPT_KEY("constraint", OWN, TEXT, NULL, NULL, 0, "an expression that must hold"),
    {0},
};

/* Tells whether a name can be a macro, and a variable of an expression. */
static bool is_name(const char *name)
{
    static const char *const words[] = {"and", "or",   "not",   "if",   "else",
                                        "in",  "True", "False", "true", "false"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(name, words[i]) == 0)
            return false;
    return clopt_is_identifier(name);
}

/* ---- values ---- */

/* Whether a list begins with a number that has a suffix of C's, such as 16.f: it stays as it is. */
static bool has_suffix(const char *text)
{
    char *end;
    strtod(text, &end);
    size_t letters = strspn(end, "fFhHuUlL");
    return end != text && letters && (!end[letters] || strchr(", ", end[letters]));
}

static bool parses(const char *text, enum clopt_type type)
{
    CLOPT_OWNED(clopt_list) list = {0};
    return clopt_list_parse(text, type, CLOPT_MOST_VALUES, &list, NULL) == CLOPT_OK;
}

/* Finds out of which type the values of a list are: words begin with a letter, options with -. */
static enum clopt_type find_type(const char *text)
{
    bool is_word = isalpha((unsigned char)*text) || *text == '_' || *text == '"';
    if (has_suffix(text) || clopt_is_build_option(text) ||
        (is_word && strncmp(text, "pow2 ", 5) != 0))
        return CLOPT_TEXT;
    return parses(text, CLOPT_REAL) && !parses(text, CLOPT_INTEGER) ? CLOPT_REAL : CLOPT_INTEGER;
}

/* Compilers split their options at blanks, each in its own way. */
static enum clopt_status check_words(const struct clopt_list *list, struct clopt_error *error)
{
    for (size_t i = 0; i < list->count; i++)
        for (const char *c = list->items[i]; *c; c++)
            if (!isgraph((unsigned char)*c) || strchr("\"'\\`$;", *c))
                return clopt_fail(
                    error, CLOPT_INVALID,
                    "%s: compilers cannot take blanks, quotes, backslashes, $ or ; in "
                    "the value of a macro",
                    list->items[i]);
    return CLOPT_OK;
}

/* Computes the numbers that expressions see. */
static enum clopt_status provide_numbers(struct clopt_study_parameter *parameter,
                                         struct clopt_error *error)
{
    if (parameter->type == CLOPT_TEXT)
        return CLOPT_OK;
    parameter->numbers = clopt_calloc(parameter->values.count, sizeof *parameter->numbers);
    for (size_t i = 0; i < parameter->values.count; i++) {
        struct clopt_value value;
        CLOPT_TRY(clopt_value_parse(parameter->values.items[i], parameter->type, &value, error));
        parameter->numbers[i] = parameter->type == CLOPT_INTEGER
                                    ? clopt_number_integer(value.integer)
                                    : clopt_number_real(value.real);
        free(value.text);
    }
    return CLOPT_OK;
}

static enum clopt_status read_values(const struct clopt_ini_section *section,
                                     struct clopt_study_parameter *parameter,
                                     struct clopt_error *error)
{
    const struct clopt_ini_setting *setting = clopt_ini_setting(section, "values");
    if (!setting)
        return clopt_fail(error, CLOPT_INVALID, "%s: [%s] values: missing", section->origin,
                          section->name);
    parameter->type = find_type(setting->value);
    CLOPT_TRY(
        clopt_study_list_setting(section, setting, parameter->type, &parameter->values, error));
    if (parameter->type == CLOPT_TEXT && check_words(&parameter->values, error))
        return clopt_fail_within(error, "%s: [%s] values", setting->origin, section->name);
    return provide_numbers(parameter, error);
}

static enum clopt_status set_initial(struct clopt_study_parameter *parameter, const char *text,
                                     struct clopt_error *error)
{
    struct clopt_value initial;
    CLOPT_TRY(clopt_value_parse(text, parameter->type, &initial, error));
    free(parameter->initial.text);
    parameter->initial = initial;
    parameter->initial.name = parameter->name;
    parameter->initial_number = SIZE_MAX;
    for (size_t i = 0; i < parameter->values.count; i++)
        if (strcmp(parameter->values.items[i], parameter->initial.text) == 0)
            parameter->initial_number = i;
    return parameter->type == CLOPT_TEXT
               ? check_words(&(struct clopt_list){&parameter->initial.text, 1}, error)
               : CLOPT_OK;
}

/* Where neither the study nor another app says so, the initial code has the value that the source
 * gives the macro by itself: it is the source as it was written. */
static void take_default(struct clopt_study_parameter *parameter, const struct clopt_app *app)
{
    CLOPT_OWNED(clopt_app_source) source = {0};
    struct clopt_token name, value;
    if (clopt_app_source_read(app, NULL, &source, NULL))
        return; /* which is said where it matters */
    for (const char *at = source.text; clopt_macro_default_next(&at, &name, &value);)
        if (clopt_token_is(&name, parameter->name)) {
            CLOPT_FREED char *text = clopt_strndup(value.text, value.length);
            parameter->is_default_known = true;
            set_initial(parameter, text, NULL);
            return;
        }
}

/* ---- sections ---- */

static enum clopt_status read_parameter(const struct clopt_study_reading *reading,
                                        const struct clopt_ini_section *section, const char *name)
{
    struct clopt_study *study = reading->study;
    struct clopt_error *error = reading->error;
    if (!is_name(name))
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: [%s]: a parameter is called as a macro: letters, digits and _",
                          section->origin, section->name);
    if (study->parameter_count == CLOPT_MOST_PARAMETERS)
        return clopt_fail(error, CLOPT_INVALID, "%s: [%s]: more than %d parameters",
                          section->origin, section->name, CLOPT_MOST_PARAMETERS);
    struct clopt_study_parameter *parameter =
        clopt_array_add(&study->parameters, &study->parameter_count, sizeof *parameter);
    parameter->name = clopt_strdup(name);
    CLOPT_TRY(clopt_keys_read(keys, section, NULL, parameter, error));
    CLOPT_TRY(read_values(section, parameter, error));
    /* The initial code has the first value, or no build option, unless the study says otherwise. */
    const struct clopt_ini_setting *setting = clopt_ini_setting(section, "initial");
    const char *first = parameter->values.items[0];
    const char *text = setting ? setting->value : clopt_is_build_option(first) ? "none" : first;
    return set_initial(parameter, text, error)
               ? clopt_fail_within(error, "%s: [%s] initial",
                                   setting ? setting->origin : section->origin, section->name)
               : CLOPT_OK;
}

const struct clopt_study_section clopt_section_parameter = {
    .kind = "parameter", .label = "NAME", .keys = keys, .is_early = true, .read = read_parameter};

/* ---- what parameters are for ---- */

/* Checks that a parameter is not confused with anything else of an app that has it. */
static enum clopt_status check_app(const struct clopt_study_parameter *parameter,
                                   const struct clopt_ini_section *section,
                                   const struct clopt_plugin_entry *entry,
                                   struct clopt_error *error)
{
    const struct clopt_app *app = entry->extension->app;
    for (const struct clopt_knob *knob = app->knobs; knob && knob->parameter; knob++)
        if (strcmp(knob->macro, parameter->name) == 0)
            return clopt_fail(
                error, CLOPT_INVALID,
                "%s: [%s]: %s sets this macro itself: it is the knob %s of [optimization "
                "%s]",
                section->origin, section->name, entry->extension->name, knob->parameter,
                knob->optimization);
    if (clopt_parameter_find(app->inputs, parameter->name))
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: [%s]: %s has an input of this name; expressions could not tell them "
                          "apart",
                          section->origin, section->name, entry->extension->name);
    return CLOPT_OK;
}

static enum clopt_status check_targets(const struct clopt_study_reading *reading,
                                       struct clopt_ini_section *section,
                                       struct clopt_study_parameter *parameter)
{
    const struct clopt_study *study = reading->study;
    CLOPT_TRY(clopt_study_check_targets(reading, section, &parameter->apps, &parameter->kernels));
    bool open = !clopt_ini_setting(section, "initial");
    for (size_t i = 0; i < study->app_count; i++) {
        const struct clopt_plugin_entry *entry = study->apps[i].entry;
        if (!clopt_study_names(&parameter->apps, entry->extension->name))
            continue;
        CLOPT_TRY(check_app(parameter, section, entry, reading->error));
        if (open && !parameter->is_default_known)
            take_default(parameter, entry->extension->app);
    }
    if (open)
        clopt_ini_set(section, "initial", parameter->initial.text, "default");
    return CLOPT_OK;
}

/* ---- constraints ---- */

/* Checks that every variable is a parameter, an input of some app, or told by the device. */
static enum clopt_status check_variables(const struct clopt_study *study,
                                         const struct clopt_expression *expression,
                                         struct clopt_error *error)
{
    for (size_t i = 0; i < expression->variable_count; i++) {
        const char *variable = expression->variables[i];
        const char *names[CLOPT_MOST_NAMES];
        size_t count = clopt_study_name_variables(study, names, CLOPT_MOST_NAMES);
        size_t known = 0;
        while (known < count && strcmp(names[known], variable) != 0)
            known++;
        if (known < study->parameter_count && study->parameters[known].type == CLOPT_TEXT)
            return clopt_expression_refuse(expression, i, error, "%s is not a number", variable);
        if (known < count)
            continue;
        const char *near = clopt_suggest(variable, names, count);
        if (near)
            return clopt_expression_refuse(expression, i, error,
                                           "unknown name %s; did you mean %s?", variable, near);
        return clopt_expression_refuse(
            expression, i, error,
            "%s is neither a parameter, nor an input of an app, nor told by a device", variable);
    }
    return CLOPT_OK;
}

static enum clopt_status read_constraint(struct clopt_study *study,
                                         const struct clopt_ini_section *section,
                                         const struct clopt_ini_setting *setting,
                                         struct clopt_error *error)
{
    if (!is_name(setting->key))
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: [%s] %s: a constraint has a name in front, such as "
                          "threads = WGX * WGY <= 1024",
                          setting->origin, section->name, setting->key);
    if (study->constraint_count == CLOPT_MOST_CONSTRAINTS)
        return clopt_fail(error, CLOPT_INVALID, "%s: [%s]: more than %d constraints",
                          setting->origin, section->name, CLOPT_MOST_CONSTRAINTS);
    struct clopt_constraint *constraint =
        clopt_array_add(&study->constraints, &study->constraint_count, sizeof *constraint);
    constraint->name =
        clopt_text_format("%s: [%s] %s", setting->origin, section->name, setting->key);
    enum clopt_status status =
        clopt_expression_create(setting->value, &constraint->expression, error);
    if (status == CLOPT_OK)
        status = check_variables(study, constraint->expression, error);
    return status ? clopt_fail_within(error, "%s", constraint->name) : CLOPT_OK;
}

/* Reads the constraints, and checks which apps and kernels the parameters are for. */
static enum clopt_status read_constraints(const struct clopt_study_reading *reading)
{
    const struct clopt_ini *ini = reading->ini;
    struct clopt_study *study = reading->study;
    size_t number = 0;
    for (size_t i = 0; i < ini->count; i++)
        if (clopt_section_is(&clopt_section_parameter, &ini->sections[i], NULL))
            CLOPT_TRY(check_targets(reading, &ini->sections[i], &study->parameters[number++]));
    for (size_t i = 0; i < ini->count; i++) {
        const struct clopt_ini_section *section = &ini->sections[i];
        bool is_parameter = clopt_section_is(&clopt_section_parameter, section, NULL);
        if (!is_parameter && !clopt_section_is(&clopt_section_constraints, section, NULL))
            continue;
        for (size_t j = 0; j < section->count; j++)
            if (!is_parameter || strcmp(section->settings[j].key, "constraint") == 0)
                CLOPT_TRY(read_constraint(study, section, &section->settings[j], reading->error));
    }
    return CLOPT_OK;
}

const struct clopt_study_section clopt_section_constraints = {
    .kind = "constraints", .is_optional = true, .finish = read_constraints};
