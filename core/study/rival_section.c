/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads [rival LABEL]: a native program that solves the same problems. */
#include <ctype.h>

#include "file/file.h"
#include "study/schema.h"
#include "text/json.h"
#include "trial/rival.h"

#define AT(member) offsetof(struct clopt_study_rival, member)

static const struct clopt_key keys[] = {
    CLOPT_KEY("apps", LIST, TEXT, NULL, NULL, AT(apps), "only for these apps [all]"),
    CLOPT_KEY("devices", LIST, TEXT, NULL, NULL, AT(devices),
              "measured beside these devices [processors]"),
    CLOPT_KEY("sources", OWN, TEXT, NULL, NULL, 0, "files that it is compiled from, or depends on"),
    CLOPT_KEY("compiler", OWN, TEXT, NULL, "cc", 0, "what compiles it"),
    CLOPT_KEY("cflags", OWN, TEXT, NULL, "-O3 -march=native -fopenmp", 0, "the compiler's options"),
    CLOPT_KEY("libraries", OWN, TEXT, NULL, NULL, 0, "libraries to link"),
    CLOPT_KEY("command", OWN, TEXT, NULL, NULL, 0, "a command of the shell, in place of sources"),
    CLOPT_KEY("kind", OWN, TEXT, "<rival>", NULL, 0,
              "who runs it; `clopt plugins --kind=rival` lists them [the standard one]"),
    CLOPT_KEY("package", OWN, TEXT, NULL, NULL, 0, "the Debian package that it needs"),
    {0},
};

/* Reads a list of texts; empty where the key is missing. */
static enum clopt_status read_list(const struct clopt_ini_section *section, const char *key,
                                   struct clopt_list *list, struct clopt_error *error)
{
    const struct clopt_ini_setting *setting = clopt_ini_setting(section, key);
    return setting ? clopt_study_list_setting(section, setting, CLOPT_TEXT, list, error) : CLOPT_OK;
}

/* Adds the files: those in <> are looked for with the kernels, later. */
static enum clopt_status add_sources(const struct clopt_study *study,
                                     const struct clopt_ini_section *section, json_t *rival,
                                     struct clopt_error *error)
{
    CLOPT_OWNED(clopt_list) names = {0};
    enum clopt_status status = read_list(section, "sources", &names, error);
    json_t *sources = json_array();
    for (size_t i = 0; i < names.count && !status; i++) {
        bool own = *names.items[i] == '<';
        CLOPT_FREED char *path = own ? NULL : clopt_path_beside(study->path, names.items[i]);
        if (!own && clopt_file_check(path, error))
            status =
                clopt_fail_within(error, "%s: [%s] sources",
                                  clopt_ini_setting(section, "sources")->origin, section->name);
        json_array_append_new(sources, clopt_json_text(own ? names.items[i] : path));
    }
    json_object_set_new(rival, "sources", sources);
    return status;
}

/* Makes what a worker needs to know. */
static json_t *describe(const struct clopt_study *study, const struct clopt_ini_section *section,
                        const char *label)
{
    CLOPT_FREED char *folder = clopt_path_beside(study->path, ".");
    const char *package = clopt_key_value(keys, section, "package");
    return json_pack("{s:s, s:s, s:s*, s:s*, s:s, s:s, s:s, s:b}", "label", label, "folder", folder,
                     "command", clopt_key_value(keys, section, "command"), "kind",
                     clopt_key_value(keys, section, "kind"), "compiler",
                     clopt_key_value(keys, section, "compiler"), "cflags",
                     clopt_key_value(keys, section, "cflags"), "package", package ? package : "",
                     "pin", study->measure.pin);
}

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

static enum clopt_status read_rival(const struct clopt_study_reading *reading,
                                    const struct clopt_ini_section *section, const char *label)
{
    struct clopt_study *study = reading->study;
    struct clopt_error *error = reading->error;
    struct clopt_study_rival *rival =
        clopt_array_add(&study->rivals, &study->rival_count, sizeof *rival);
    *rival = (struct clopt_study_rival){clopt_strdup(label), clopt_strdup(section->origin),
                                        .program = describe(study, section, label)};
    CLOPT_TRY(clopt_keys_read(keys, section, NULL, rival, error));
    for (const char *at = label; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("_-.", *at))
            return clopt_fail(error, CLOPT_INVALID,
                              "%s: [%s]: %s is not a label; use letters, digits, _, - and .",
                              section->origin, section->name, label);
    if (!rival->program)
        return clopt_fail(error, CLOPT_INVALID, "%s: [%s] is not UTF-8", section->origin,
                          section->name);
    if (clopt_rival_find(reading->registry, clopt_rival_text(rival->program, "kind"), &rival->kind,
                         error))
        return clopt_fail_within(error, "%s: [%s] kind", section->origin, section->name);
    CLOPT_TRY(clopt_study_check_targets(reading, section, &rival->apps, &(struct clopt_list){0}));
    CLOPT_TRY(check_devices(study, section, &rival->devices, error));
    CLOPT_TRY(add_sources(study, section, rival->program, error));
    CLOPT_OWNED(clopt_list) names = {0};
    enum clopt_status status = read_list(section, "libraries", &names, error);
    json_t *libraries = json_array();
    for (size_t i = 0; i < names.count; i++)
        json_array_append_new(libraries, clopt_json_text(names.items[i]));
    json_object_set_new(rival->program, "libraries", libraries);
    CLOPT_TRY(status);
    if (json_object_get(rival->program, "command") ||
        json_array_size(json_object_get(rival->program, "sources")))
        return CLOPT_OK;
    return clopt_fail(error, CLOPT_INVALID,
                      "%s: [%s]: names neither sources = FILE.c nor command = PROGRAM",
                      section->origin, section->name);
}

const struct clopt_study_section clopt_section_rival = {
    .kind = "rival", .label = "LABEL", .keys = keys, .read = read_rival};
