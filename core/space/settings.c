/* SPDX-License-Identifier: BSD-3-Clause */
/* The settings that an optimization has for one kernel, by number. */
#include "space/settings.h"

#define NOWHERE SIZE_MAX

static const struct clopt_parameter *parameters_of(
    const struct clopt_study_optimization *optimization)
{
    return optimization->entry->extension->optimization->parameters;
}

/* Finds the value of a parameter that changes nothing in its list. */
static size_t find_nothing(const struct clopt_study_optimization *optimization,
                           const struct clopt_plugin_entry *app, size_t parameter)
{
    const struct clopt_list *list = &optimization->lists[parameter];
    for (size_t i = 0; i < list->count; i++)
        if (clopt_value_changes_nothing(app, optimization->entry, parameter, list->items[i]))
            return i;
    return NOWHERE;
}

/* ---- parameters that mean something with or without others only ---- */

/* Whether all values of a parameter change something (`all`), or one at least does. What a knob's
 * do is up to the app. */
static bool changes(const struct clopt_study_optimization *optimization, size_t parameter, bool all)
{
    if (parameters_of(optimization)[parameter].knob)
        return !all;
    bool nothing = find_nothing(optimization, NULL, parameter) != NOWHERE;
    return !nothing || (!all && optimization->lists[parameter].count > 1);
}

static enum clopt_status fail_meaning(const struct clopt_study_optimization *optimization,
                                      size_t parameter, const char *preposition, uint64_t others,
                                      struct clopt_error *error)
{
    const struct clopt_parameter *parameters = parameters_of(optimization);
    CLOPT_OWNED(clopt_text) names = {0};
    for (size_t i = 0; i < parameter; i++)
        if (others & CLOPT_PARAMETER_BIT(i))
            clopt_text_printf(&names, "%s%s", names.length ? " or " : "", parameters[i].name);
    return clopt_fail(error, CLOPT_INVALID,
                      "%s means nothing %s %s: change the values of one, or leave out the other",
                      parameters[parameter].name, preposition, clopt_text_string(&names));
}

enum clopt_status clopt_settings_link(const struct clopt_study_optimization *optimization,
                                      size_t parameter, struct clopt_setting_link *link,
                                      struct clopt_error *error)
{
    const struct clopt_parameter *parameters = parameters_of(optimization);
    *link = (struct clopt_setting_link){0};
    clopt_parameters_named(parameters, parameters[parameter].with, &link->with);
    clopt_parameters_named(parameters, parameters[parameter].without, &link->without);
    bool possible = !link->with;
    uint64_t against = 0;
    for (size_t i = 0; i < parameter; i++) {
        possible |= link->with & CLOPT_PARAMETER_BIT(i) && changes(optimization, i, false);
        if (link->without & CLOPT_PARAMETER_BIT(i) && changes(optimization, i, true))
            against |= CLOPT_PARAMETER_BIT(i);
    }
    if (!changes(optimization, parameter, false) || (possible && !against))
        return CLOPT_OK;
    return fail_meaning(optimization, parameter, possible ? "beside" : "without",
                        possible ? against : link->with, error);
}

bool clopt_settings_mean(const struct clopt_settings *settings, size_t parameter, uint64_t changed)
{
    const struct clopt_setting_link *link = &settings->optimization->links[parameter];
    return !(link->without & changed) && (!link->with || link->with & changed);
}

/* ---- numbers ---- */

/* Counts what parameters from `first` on can be where those before change `changed`. */
static uint64_t count_from(const struct clopt_settings *settings, size_t first, uint64_t changed)
{
    if (first == settings->optimization->parameter_count)
        return 1;
    uint64_t below = count_from(settings, first + 1, changed);
    size_t values = settings->values[first];
    if (!clopt_settings_mean(settings, first, changed))
        return below;
    if (!(settings->named & CLOPT_PARAMETER_BIT(first)))
        return clopt_count_multiply(values, below);
    bool nothing = settings->nothing[first] != NOWHERE;
    uint64_t other = count_from(settings, first + 1, changed | CLOPT_PARAMETER_BIT(first));
    return clopt_count_add(clopt_count_multiply(values - nothing, other), nothing ? below : 0);
}

/* Finds the number, among all settings, of the one that changes nothing. */
static uint64_t find_skipped(const struct clopt_settings *settings)
{
    uint64_t number = 0;
    for (size_t i = 0; i < settings->optimization->parameter_count; i++) {
        if (!clopt_settings_mean(settings, i, 0))
            continue;
        if (settings->nothing[i] == NOWHERE)
            return UINT64_MAX;
        /* All values before it change something. */
        uint64_t before = count_from(settings, i + 1, CLOPT_PARAMETER_BIT(i));
        number = clopt_count_add(number, clopt_count_multiply(settings->nothing[i], before));
    }
    return number;
}

/* Tells whether a parameter is a knob that the app has, but not for this kernel: it cannot make a
 * variant of it. */
static bool leaves_kernel(const struct clopt_study_optimization *optimization, size_t parameter,
                          const struct clopt_plugin_entry *app, const struct clopt_kernel *kernel)
{
    const struct clopt_parameter *described = &parameters_of(optimization)[parameter];
    const struct clopt_knob *knob =
        described->knob ? clopt_knob_find(app, optimization->entry, described->name) : NULL;
    return knob && !clopt_knob_touches(knob, kernel->name);
}

void clopt_settings_init(struct clopt_settings *settings,
                         const struct clopt_study_optimization *optimization,
                         const struct clopt_plugin_entry *app, const struct clopt_kernel *kernel)
{
    *settings = (struct clopt_settings){.optimization = optimization};
    for (size_t i = 0; i < optimization->parameter_count; i++) {
        bool foreign = leaves_kernel(optimization, i, app, kernel);
        settings->foreign |= foreign ? CLOPT_PARAMETER_BIT(i) : 0;
        settings->values[i] = foreign ? 1 : optimization->lists[i].count;
        settings->nothing[i] = foreign ? 0 : find_nothing(optimization, app, i);
        settings->named |= optimization->links[i].with | optimization->links[i].without;
    }
    settings->skipped = find_skipped(settings);
    settings->count = count_from(settings, 0, 0);
    if (settings->skipped != UINT64_MAX && settings->count != UINT64_MAX)
        settings->count--;
}

static enum clopt_status set_value(struct clopt_value *value, const char *text,
                                   struct clopt_error *error)
{
    struct clopt_value parsed = {0};
    enum clopt_status status =
        text ? clopt_value_parse(text, value->type, &parsed, error) : CLOPT_OK;
    parsed.name = value->name;
    parsed.type = value->type;
    free(value->text);
    *value = parsed;
    return status;
}

enum clopt_status clopt_settings_make(const struct clopt_settings *settings, const size_t *choice,
                                      struct clopt_values **values, struct clopt_error *error)
{
    const struct clopt_study_optimization *optimization = settings->optimization;
    *values = clopt_step_values_create(optimization->entry);
    uint64_t changed = 0;
    for (size_t i = 0; i < optimization->parameter_count; i++) {
        if (choice[i] == NOWHERE || !clopt_settings_mean(settings, i, changed) ||
            settings->foreign & CLOPT_PARAMETER_BIT(i))
            continue;
        changed |= choice[i] != settings->nothing[i] ? CLOPT_PARAMETER_BIT(i) : 0;
        CLOPT_TRY(set_value(&(*values)->items[i], optimization->lists[i].items[choice[i]], error));
    }
    return CLOPT_OK;
}

/* Returns which value a parameter has; takes what it accounts for off `index`. */
static size_t choose(const struct clopt_settings *settings, size_t parameter, uint64_t changed,
                     uint64_t *index)
{
    uint64_t with_nothing = count_from(settings, parameter + 1, changed);
    uint64_t with_other =
        count_from(settings, parameter + 1, changed | CLOPT_PARAMETER_BIT(parameter));
    for (size_t chosen = 0;; chosen++) {
        uint64_t below = chosen == settings->nothing[parameter] ? with_nothing : with_other;
        if (*index < below)
            return chosen;
        *index -= below;
    }
}

void clopt_settings_choose(const struct clopt_settings *settings, uint64_t index, size_t *choice)
{
    uint64_t changed = 0;
    index += index >= settings->skipped;
    for (size_t i = 0; i < settings->optimization->parameter_count; i++) {
        bool means = clopt_settings_mean(settings, i, changed);
        choice[i] = means ? choose(settings, i, changed, &index) : NOWHERE;
        changed |= means && choice[i] != settings->nothing[i] ? CLOPT_PARAMETER_BIT(i) : 0;
    }
}
