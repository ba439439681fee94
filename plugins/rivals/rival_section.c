/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads [rival LABEL]: a native program that solves the same problems. */
#include "rivals/native.h"

#include <ctype.h>

#include "file/file.h"

#define AT(member) offsetof(struct clopt_study_rival, member)

static const struct clopt_key keys[] = {
    CLOPT_KEY("apps", LIST, TEXT, NULL, NULL, AT(apps), "only for these apps [all]"),
    CLOPT_KEY("devices", LIST, TEXT, NULL, NULL, AT(devices),
              "measured beside these devices [processors]"),
    CLOPT_KEY("kind", OWN, TEXT, "<rival>", NULL, 0,
              "who runs it; `clopt plugins --kind=rival` lists them [the standard one]"),
    {0},
};

static enum clopt_status check_devices(const struct clopt_study *study,
                                       const struct clopt_ini_section *section,
                                       const struct clopt_list *labels, struct clopt_error *error)
{
    for (size_t i = 0; i < labels->count; i++)
        if (!clopt_study_has_device(study, labels->items[i]))
            return clopt_fail(error, CLOPT_INVALID,
                              "%s: [%s] devices = %s: this study has no [device %s]",
                              clopt_ini_setting(section, "devices")->origin, section->name,
                              labels->items[i], labels->items[i]);
    return CLOPT_OK;
}

/* Adds the values of the keys of its kind to what is known of it. */
static enum clopt_status add_values(const struct clopt_study_rival *rival,
                                    const struct clopt_ini_section *section,
                                    struct clopt_error *error)
{
    const struct clopt_parameter *own = rival->kind->parameters;
    bool good = rival->program;
    for (; good && own && own->name; own++) {
        const struct clopt_ini_setting *setting = clopt_ini_setting(section, own->name);
        const char *text = setting ? setting->value : own->initial;
        good = !text || !json_object_set_new(rival->program, own->name, json_string(text));
    }
    return good ? CLOPT_OK
                : clopt_fail(error, CLOPT_INVALID, "%s: [%s] is not UTF-8", section->origin,
                             section->name);
}

static enum clopt_status read_rival(const struct clopt_study_reading *reading,
                                    const struct clopt_ini_section *section, const char *label)
{
    struct clopt_study *study = reading->study;
    struct clopt_error *error = reading->error;
    struct clopt_study_rival *rival =
        clopt_array_add(&study->rivals, &study->rival_count, sizeof *rival);
    const char *kind = clopt_key_value(keys, section, "kind");
    CLOPT_FREED char *folder = clopt_path_beside(study->path, ".");
    rival->label = clopt_strdup(label);
    rival->origin = clopt_strdup(section->origin);
    if (clopt_rival_find(reading->registry, kind ? kind : "", &rival->kind, error))
        return clopt_fail_within(error, "%s: [%s] kind", section->origin, section->name);
    CLOPT_TRY(clopt_keys_read(keys, section, rival->kind->parameters, rival, error));
    for (const char *at = label; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("_-.", *at))
            return clopt_fail(error, CLOPT_INVALID,
                              "%s: [%s]: %s is not a label; use letters, digits, _, - and .",
                              section->origin, section->name, label);
    rival->program = json_pack("{s:s, s:s, s:s*, s:b}", "label", label, "folder", folder, "kind",
                               kind, "pin", study->measure.pin);
    CLOPT_TRY(clopt_study_check_targets(reading, section, &rival->apps, &(struct clopt_list){0}));
    CLOPT_TRY(check_devices(study, section, &rival->devices, error));
    CLOPT_TRY(add_values(rival, section, error));
    return rival->kind->describe
               ? rival->kind->describe(section, study->path, rival->program, error)
               : CLOPT_OK;
}

static const struct clopt_parameter *parameters_of(const struct clopt_registry *registry,
                                                   const struct clopt_ini_section *section)
{
    const char *kind = clopt_key_value(keys, section, "kind");
    const struct clopt_rival *found;
    return clopt_rival_find(registry, kind ? kind : "", &found, NULL) ? NULL : found->parameters;
}

const struct clopt_study_section clopt_section_rival = {.kind = "rival",
                                                        .label = "LABEL",
                                                        .keys = keys,
                                                        .read = read_rival,
                                                        .parameters = parameters_of};
