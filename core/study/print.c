/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the effective configuration of a study: an INI with the origin of each value. */
#include <stddef.h>
#include <string.h>

#include "study/description.h"
#include "study/keys.h"
#include "study/sections.h"

static void print_section(struct clopt_text *text, const char *kind, const char *name,
                          const char *label, const struct clopt_ini *ini,
                          const struct clopt_ini_section **section)
{
    struct clopt_text full = {0};
    clopt_text_printf(&full, "%s %s%s%s", kind, name, label ? " " : "", label ? label : "");
    *section = clopt_ini_section(ini, clopt_text_string(&full));
    clopt_text_printf(text, "\n[%s]", clopt_text_string(&full));
    clopt_text_printf(text, " ; %s\n", *section ? (*section)->origin : "default");
    clopt_text_fini(&full);
}

static void print_settings(struct clopt_text *text, const struct clopt_ini_section *section)
{
    for (size_t i = 0; section && i < section->count; i++) {
        const struct clopt_ini_setting *setting = &section->settings[i];
        clopt_study_print_value(text, setting->key, setting->value, setting->origin);
    }
}

/* Writes the parameters that hold their initial value because the study sets none. */
static void print_defaults(struct clopt_text *text, const struct clopt_ini_section *section,
                           const struct clopt_parameter *parameters)
{
    for (size_t i = 0; parameters && parameters[i].name; i++)
        if (parameters[i].initial && !parameters[i].knob &&
            !clopt_ini_setting(section, parameters[i].name))
            clopt_study_print_value(text, parameters[i].name, parameters[i].initial, "default");
}

static void print_parameters(struct clopt_text *text, const struct clopt_study *study,
                             const struct clopt_ini *ini)
{
    const struct clopt_ini_section *section;
    for (size_t i = 0; i < study->parameter_count; i++) {
        print_section(text, "parameter", study->parameters[i].name, NULL, ini, &section);
        print_settings(text, section);
        if (!clopt_ini_setting(section, "initial"))
            clopt_study_print_value(text, "initial", study->parameters[i].initial.text, "default");
    }
    section = clopt_ini_section(ini, "constraints");
    if (!section)
        return;
    clopt_text_printf(text, "\n[constraints] ; %s\n", section->origin);
    print_settings(text, section);
}

char *clopt_study_print(const struct clopt_study *study, const struct clopt_ini *ini)
{
    struct clopt_text text = {0};
    const struct clopt_ini_section *section;
    clopt_study_print_plain(&text, ini, "study");
    for (size_t i = 0; i < study->device_count; i++) {
        print_section(&text, "device", study->devices[i].label, NULL, ini, &section);
        print_settings(&text, section);
    }
    for (size_t i = 0; i < study->app_count; i++) {
        const struct clopt_plugin_entry *entry = study->apps[i].entry;
        if (entry->description) {
            clopt_study_print_description(&text, entry);
            continue;
        }
        print_section(&text, "app", entry->plugin->name, NULL, ini, &section);
        print_settings(&text, section);
        print_defaults(&text, section, clopt_entry_app(entry)->inputs);
    }
    print_parameters(&text, study, ini);
    for (size_t i = 0; i < study->optimization_count; i++) {
        const struct clopt_plugin_entry *entry = study->optimizations[i].entry;
        print_section(&text, "optimization", entry->plugin->name, study->optimizations[i].label,
                      ini, &section);
        print_settings(&text, section);
        print_defaults(&text, section, clopt_entry_optimization(entry)->parameters);
    }
    static const char *const plain[] = {"combine", "search", "measure", "limits"};
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
        if (strcmp(plain[i], "search") == 0 && !study->search.strategy)
            continue;
        clopt_text_append(&text, "\n");
        clopt_study_print_plain(&text, ini, plain[i]);
    }
    for (size_t i = 0; i < study->published_count; i++) {
        print_section(&text, "published", study->published[i].source, NULL, ini, &section);
        print_settings(&text, section);
    }
    for (size_t i = 0; i < study->rival_count; i++) {
        print_section(&text, "rival", study->rivals[i].label, NULL, ini, &section);
        print_settings(&text, section);
    }
    return clopt_text_take(&text);
}
