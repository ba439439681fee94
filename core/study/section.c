/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what the sections of apps and optimizations have in common: keys, lists and kernels. */
#include "study/section.h"

#include <stdlib.h>
#include <string.h>

#include "study/keys.h"
#include "text/suggest.h"
#include "text/text.h"

/* Puts "FILE:LINE: [section] " in front of a message. */
enum clopt_status clopt_study_fail_at(const char *origin, const struct clopt_ini_section *section,
                                      struct clopt_error *error)
{
    if (!error)
        return CLOPT_INVALID;
    char message[sizeof error->message];
    memcpy(message, error->message, sizeof message);
    return clopt_fail(error, error->status, "%s: [%s] %s", origin, section->name, message);
}

static bool is_among(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

enum clopt_status clopt_study_check_keys(const struct clopt_ini_section *section,
                                         const char *const *keys,
                                         const struct clopt_parameter *parameters,
                                         struct clopt_error *error)
{
    const char *names[CLOPT_MOST_NAMES];
    size_t count = 0;
    while (keys[count]) {
        names[count] = keys[count];
        count++;
    }
    size_t fixed = count;
    for (size_t i = 0; parameters && parameters[i].name && count < CLOPT_MOST_NAMES; i++)
        names[count++] = parameters[i].name;
    for (size_t i = 0; i < section->count; i++) {
        const struct clopt_ini_setting *setting = &section->settings[i];
        if (!is_among(setting->key, keys, fixed) && !clopt_parameter_find(parameters, setting->key))
            return clopt_study_unknown_key(section, setting, names, count, error);
    }
    return CLOPT_OK;
}

/* Makes the list of one value that holds where a study sets none. */
enum clopt_status clopt_study_list_initial(const struct clopt_value *value, struct clopt_list *list,
                                           struct clopt_error *error)
{
    list->items = calloc(1, sizeof *list->items);
    if (!list->items)
        return clopt_fail_memory(error);
    list->count = 1;
    if (value->text && !(list->items[0] = strdup(value->text)))
        return clopt_fail_memory(error);
    return CLOPT_OK;
}

/* Parses the list of a setting. */
enum clopt_status clopt_study_list_setting(const struct clopt_ini_section *section,
                                           const struct clopt_ini_setting *setting,
                                           enum clopt_type type, struct clopt_list *list,
                                           struct clopt_error *error)
{
    enum clopt_status status =
        clopt_list_parse(setting->value, type, CLOPT_MOST_VALUES, list, error);
    if (status == CLOPT_OK)
        return status;
    return clopt_fail_within(error, "%s: [%s] %s", setting->origin, section->name, setting->key);
}

const struct clopt_kernel *clopt_study_find_kernel(const struct clopt_plugin_entry *app,
                                                   const char *name)
{
    for (const struct clopt_kernel *kernel = clopt_entry_app(app)->kernels; kernel->name; kernel++)
        if (strcmp(kernel->name, name) == 0)
            return kernel;
    return NULL;
}

enum clopt_status clopt_study_fail_kernel(const struct clopt_ini_section *section, const char *name,
                                          const char *const *names, size_t count,
                                          struct clopt_error *error)
{
    const char *origin = clopt_ini_setting(section, "kernels")->origin;
    const char *near = clopt_suggest(name, names, count);
    if (near)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: [%s] kernels = %s: no such kernel; did you mean %s?", origin,
                          section->name, name, near);
    struct clopt_text known = {0};
    for (size_t i = 0; i < count; i++)
        clopt_text_printf(&known, "%s%s", i ? ", " : "", names[i]);
    clopt_fail(error, CLOPT_INVALID, "%s: [%s] kernels = %s: no such kernel; there are %s", origin,
               section->name, name, clopt_text_string(&known));
    clopt_text_fini(&known);
    return CLOPT_INVALID;
}

size_t clopt_study_name_kernels(const struct clopt_plugin_entry *app, const char **names,
                                size_t count)
{
    const struct clopt_kernel *kernel = clopt_entry_app(app)->kernels;
    for (; kernel->name && count < CLOPT_MOST_NAMES; kernel++)
        names[count++] = kernel->name;
    return count;
}

static enum clopt_status check_app(const struct clopt_study *study,
                                   const struct clopt_ini_section *section,
                                   const struct clopt_ini_setting *setting, const char *name,
                                   struct clopt_error *error)
{
    for (size_t i = 0; i < study->app_count; i++)
        if (strcmp(study->apps[i].entry->plugin->name, name) == 0)
            return CLOPT_OK;
    return clopt_fail(error, CLOPT_INVALID,
                      "%s: [%s] apps = %s: there is no [app %s] in this study", setting->origin,
                      section->name, name, name);
}

/* Checks that one of the apps has a kernel. */
static enum clopt_status check_kernel(const struct clopt_study *study,
                                      const struct clopt_ini_section *section,
                                      const struct clopt_list *apps, const char *name,
                                      struct clopt_error *error)
{
    const char *names[CLOPT_MOST_NAMES];
    size_t known = 0;
    for (size_t i = 0; i < study->app_count; i++) {
        const struct clopt_plugin_entry *entry = study->apps[i].entry;
        if (!clopt_study_names(apps, entry->plugin->name))
            continue;
        if (clopt_study_find_kernel(entry, name))
            return CLOPT_OK;
        known = clopt_study_name_kernels(entry, names, known);
    }
    return clopt_study_fail_kernel(section, name, names, known, error);
}

enum clopt_status clopt_study_read_targets(const struct clopt_study *study,
                                           const struct clopt_ini_section *section,
                                           struct clopt_list *apps, struct clopt_list *kernels,
                                           struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    const struct clopt_ini_setting *setting = clopt_ini_setting(section, "apps");
    if (setting)
        status = clopt_study_list_setting(section, setting, CLOPT_TEXT, apps, error);
    for (size_t i = 0; i < apps->count && status == CLOPT_OK; i++)
        status = check_app(study, section, setting, apps->items[i], error);
    setting = clopt_ini_setting(section, "kernels");
    if (status == CLOPT_OK && setting)
        status = clopt_study_list_setting(section, setting, CLOPT_TEXT, kernels, error);
    for (size_t i = 0; i < kernels->count && status == CLOPT_OK; i++)
        status = check_kernel(study, section, apps, kernels->items[i], error);
    return status;
}
