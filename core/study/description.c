/* SPDX-License-Identifier: BSD-3-Clause */
/* Apps that a study describes: collects the sections that are theirs. */
#include "study/schema.h"

#include <ctype.h>

static const char app_kind[] = "app ";
static const char parameter_kind[] = "parameter ";

/* Checks a label: reports name the app by it. */
static enum clopt_status check_label(const struct clopt_ini_section *section,
                                     const struct clopt_registry *registry,
                                     const struct clopt_study_title *title,
                                     struct clopt_error *error)
{
    const struct clopt_plugin_entry *other;
    if (!title->plugin->extension->app->define)
        return clopt_fail(error, CLOPT_INVALID, "%s: [%s]: %s takes no label: write [app %s]",
                          section->origin, section->name, title->plugin->extension->name,
                          title->plugin->extension->name);
    if (!clopt_is_identifier(title->label))
        return clopt_fail(
            error, CLOPT_INVALID,
            "%s: [%s]: %s is not a label; use letters, digits and _, not a digit first",
            section->origin, section->name, title->label);
    if (clopt_registry_find(registry, CLOPT_KIND_APP, title->label, &other, NULL) == CLOPT_OK)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: [%s]: %s is the name of another app; choose another label",
                          section->origin, section->name, title->label);
    return CLOPT_OK;
}

enum clopt_status clopt_study_read_title(const struct clopt_ini_section *section,
                                         const struct clopt_registry *registry,
                                         struct clopt_study_title *title, struct clopt_error *error)
{
    const char *name = section->name + strlen(app_kind);
    size_t length = strcspn(name, " ");
    *title = (struct clopt_study_title){.label = name[length] ? name + length + 1 : NULL};
    CLOPT_FREED char *plugin = clopt_strndup(name, length);
    if (clopt_registry_find(registry, CLOPT_KIND_APP, plugin, &title->plugin, error))
        return clopt_fail_within(error, "%s: [%s]", section->origin, section->name);
    return title->label ? check_label(section, registry, title, error) : CLOPT_OK;
}

/* Tells whether the first word of a section's name is that of a section which describes `app`; in
 * that case `named` says whether a name is to follow. */
static bool is_kind_of(const struct clopt_app *app, const char *name, bool *named)
{
    size_t length = strcspn(name, " ");
    const struct clopt_section_help *kind = app->define ? app->define->sections : NULL;
    for (; kind && kind->name; kind++)
        if (strcspn(kind->name, " ") == length && strncmp(kind->name, name, length) == 0) {
            *named = kind->name[length];
            return true;
        }
    return false;
}

/* Tells whether a section describes the app of a title, beside [app ...] itself; `rest` (may be
 * NULL) gets the words after the section's kind and the app's label. */
static bool is_described_by(const struct clopt_study_title *title,
                            const struct clopt_ini_section *section, const char **rest)
{
    const char *blank = strchr(section->name, ' ');
    const char *words = blank ? blank + 1 : section->name + strlen(section->name);
    size_t length = title->label ? strlen(title->label) : 0;
    bool named;
    if (!is_kind_of(title->plugin->extension->app, section->name, &named))
        return false;
    if (title->label) {
        if (strncmp(words, title->label, length) != 0 || (words[length] && words[length] != ' '))
            return false;
        words += length + (words[length] == ' ');
    } else if (named ? strchr(words, ' ') != NULL
                     : isalpha((unsigned char)*words) || *words == '_') {
        return false; /* somebody's label */
    }
    if (rest)
        *rest = words;
    return true;
}

bool clopt_study_is_description(const struct clopt_ini *ini, const struct clopt_registry *registry,
                                const struct clopt_ini_section *section)
{
    for (size_t i = 0; i < ini->count; i++) {
        struct clopt_study_title title;
        if (clopt_section_is(&clopt_section_app, &ini->sections[i], NULL) &&
            clopt_study_read_title(&ini->sections[i], registry, &title, NULL) == CLOPT_OK &&
            is_described_by(&title, section, NULL))
            return true;
    }
    return false;
}

size_t clopt_study_add_kinds(const struct clopt_ini *ini, const struct clopt_registry *registry,
                             const char **names, size_t count, size_t most)
{
    for (size_t i = 0; i < ini->count; i++) {
        struct clopt_study_title title;
        if (!clopt_section_is(&clopt_section_app, &ini->sections[i], NULL) ||
            clopt_study_read_title(&ini->sections[i], registry, &title, NULL) != CLOPT_OK)
            continue;
        const struct clopt_define *define = title.plugin->extension->app->define;
        const struct clopt_section_help *kind = define ? define->sections : NULL;
        for (; kind && kind->name && count < most; kind++) {
            size_t same = 0;
            while (same < count && strcmp(names[same], kind->name) != 0)
                same++;
            names[same] = kind->name;
            count += same == count;
        }
    }
    return count;
}

const struct clopt_ini_section *clopt_study_inputs_section(const struct clopt_ini *ini,
                                                           const struct clopt_study_title *title,
                                                           const struct clopt_ini_section *section)
{
    const struct clopt_define *define = title->plugin->extension->app->define;
    if (!define)
        return section;
    for (size_t i = 0; i < ini->count; i++) {
        const char *rest;
        const char *name = ini->sections[i].name;
        size_t length = strcspn(name, " ");
        if (is_described_by(title, &ini->sections[i], &rest) && !*rest &&
            strncmp(define->inputs_section, name, length) == 0 && !define->inputs_section[length])
            return &ini->sections[i];
    }
    return NULL;
}

/* Appends a section by the name that the plugin knows it by. */
static bool add_section(json_t *sections, const struct clopt_ini_section *section, const char *kind,
                        size_t kind_length, const char *rest)
{
    json_t *settings = json_array();
    for (size_t i = 0; i < section->count; i++) {
        const struct clopt_ini_setting *setting = &section->settings[i];
        if (json_array_append_new(settings, json_pack("[s,s,s]", setting->key, setting->value,
                                                      setting->origin)) != 0) {
            json_decref(settings);
            return false;
        }
    }
    json_t *name = json_sprintf("%.*s%s%s", (int)kind_length, kind, *rest ? " " : "", rest);
    return json_array_append_new(sections, json_pack("{s:o,s:s,s:s,s:o}", "name", name, "title",
                                                     section->name, "origin", section->origin,
                                                     "settings", settings)) == 0;
}

/* Collects an app's sections; NULL where one is not UTF-8. */
static json_t *collect(const struct clopt_ini *ini, const char *path,
                       const struct clopt_ini_section *section,
                       const struct clopt_study_title *title)
{
    json_auto_t *sections = json_array();
    bool good = add_section(sections, section, app_kind, strlen(app_kind) - 1, "");
    for (size_t i = 0; i < ini->count && good; i++) {
        const struct clopt_ini_section *other = &ini->sections[i];
        const char *rest;
        size_t length = strcspn(other->name, " ");
        if (strncmp(other->name, parameter_kind, strlen(parameter_kind)) == 0)
            good = add_section(sections, other, other->name, length, other->name + length + 1);
        else if (is_described_by(title, other, &rest))
            good = add_section(sections, other, other->name, length, rest);
    }
    json_t *description = good ? json_pack("{s:s,s:O}", "study", path, "sections", sections) : NULL;
    if (description && title->label)
        json_object_set_new(description, "label", json_string(title->label));
    return description;
}

enum clopt_status clopt_study_define_app(const struct clopt_study_reading *reading,
                                         const struct clopt_ini_section *section,
                                         const struct clopt_study_title *title,
                                         const struct clopt_plugin_entry **entry)
{
    const struct clopt_limits *own = &reading->study->limits;
    *entry = title->plugin;
    if (!title->plugin->extension->app->define)
        return CLOPT_OK;
    json_auto_t *description = collect(reading->ini, reading->study->path, section, title);
    if (!description)
        return clopt_fail(reading->error, CLOPT_INVALID,
                          "%s: [%s]: what describes this app is not UTF-8", section->origin,
                          section->name);
    struct clopt_child_limits limits = {.seconds = own->build_s,
                                        .seconds_key = "[limits] build",
                                        .memory_bytes = clopt_memory_limit(own->memory_bytes),
                                        .memory_key = "[limits] memory",
                                        .advice = CLOPT_PARSING_ADVICE};
    return clopt_registry_define(reading->registry, description, &limits, entry, reading->error);
}
