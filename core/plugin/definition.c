/* SPDX-License-Identifier: BSD-3-Clause */
/* Apps that a study describes. */
#include "plugin/definition.h"

#include <clopt/memory.h>

#include "file/sha256.h"

struct clopt_definition {
    struct clopt_plugin_entry entry;
    struct clopt_extension extension;
    struct clopt_app app;
    json_t *json;
    struct clopt_section *sections;
    size_t section_count;
    bool defined;
};

static const char *get_text(const json_t *json, const char *key)
{
    return json_string_value(json_object_get(json, key));
}

/* Reads ["key", "value", "origin"]. */
static bool read_setting(const json_t *json, struct clopt_setting *setting)
{
    setting->key = json_string_value(json_array_get(json, 0));
    setting->value = json_string_value(json_array_get(json, 1));
    setting->origin = json_string_value(json_array_get(json, 2));
    return setting->key && setting->value && setting->origin;
}

/* Reads one section; its texts stay the JSON's. */
static bool read_section(const json_t *json, struct clopt_section *section)
{
    const json_t *list = json_object_get(json, "settings");
    size_t count = json_array_size(list);
    struct clopt_setting *settings = clopt_calloc(count, sizeof *settings);
    section->settings = settings;
    section->count = count;
    section->name = get_text(json, "name");
    section->title = get_text(json, "title");
    section->origin = get_text(json, "origin");
    bool good = section->name && section->title && section->origin;
    for (size_t i = 0; i < count && good; i++)
        good = read_setting(json_array_get(list, i), &settings[i]);
    return good;
}

static enum clopt_status read_sections(struct clopt_definition *definition,
                                       struct clopt_error *error)
{
    const json_t *list = json_object_get(definition->json, "sections");
    size_t count = json_array_size(list);
    bool good = count && get_text(definition->json, "study");
    definition->sections = clopt_calloc(count, sizeof *definition->sections);
    for (size_t i = 0; i < count && good; i++) {
        definition->section_count++;
        good = read_section(json_array_get(list, i), &definition->sections[i]);
    }
    return good ? CLOPT_OK : clopt_fail(error, CLOPT_INVALID, "malformed description of an app");
}

/* Hashes what the description says, but not where it is, nor which inputs and parameters are
 * tried: the trial itself knows that. */
static void hash_description(struct clopt_definition *definition)
{
    struct clopt_sha256 hash;
    const char *inputs = definition->app.define->inputs_section;
    clopt_sha256_init(&hash);
    clopt_sha256_add_string(&hash, definition->entry.base->hash);
    for (size_t i = 0; i < definition->section_count; i++) {
        const struct clopt_section *section = &definition->sections[i];
        if (strncmp(section->name, "parameter ", strlen("parameter ")) == 0)
            continue;
        clopt_sha256_add_string(&hash, section->name);
        bool values = strcmp(section->name, inputs) != 0;
        for (size_t j = 0; j < section->count; j++) {
            clopt_sha256_add_string(&hash, section->settings[j].key);
            clopt_sha256_add_string(&hash, values ? section->settings[j].value : NULL);
        }
    }
    clopt_sha256_end(&hash, definition->entry.hash);
}

/* Makes the entry from that of the plugin. */
static enum clopt_status make_entry(struct clopt_definition *definition,
                                    const struct clopt_plugin_entry *base,
                                    struct clopt_error *error)
{
    const char *label = get_text(definition->json, "label");
    definition->app = *base->extension->app;
    definition->extension = *base->extension;
    definition->extension.operations = &definition->app;
    if (label)
        definition->extension.name = label;
    definition->entry = (struct clopt_plugin_entry){.extension = &definition->extension,
                                                    .path = base->path,
                                                    .base = base,
                                                    .description = definition->json};
    if (!definition->app.define)
        return clopt_fail(error, CLOPT_INVALID, "%s is not an app that a study describes",
                          base->extension->name);
    return CLOPT_OK;
}

static struct clopt_description describe(const struct clopt_definition *definition)
{
    return (struct clopt_description){.study = get_text(definition->json, "study"),
                                      .sections = definition->sections,
                                      .count = definition->section_count};
}

enum clopt_status clopt_definition_create(const struct clopt_plugin_entry *base,
                                          const json_t *description,
                                          struct clopt_definition **created,
                                          struct clopt_error *error)
{
    CLOPT_HELD(clopt_definition) definition = clopt_calloc(1, sizeof *definition);
    definition->json = json_deep_copy(description);
    CLOPT_TRY(make_entry(definition, base, error));
    CLOPT_TRY(read_sections(definition, error));
    struct clopt_description told = describe(definition);
    CLOPT_TRY(definition->app.define->define(&told, &definition->app, error));
    definition->defined = true;
    hash_description(definition);
    *created = definition;
    definition = NULL;
    return CLOPT_OK;
}

void clopt_definition_destroy(struct clopt_definition *definition)
{
    if (!definition)
        return;
    if (definition->defined)
        definition->app.define->undefine(&definition->app);
    for (size_t i = 0; i < definition->section_count; i++)
        free((void *)definition->sections[i].settings);
    free(definition->sections);
    json_decref(definition->json);
    free(definition);
}

static enum clopt_status check(void *user, struct clopt_error *error)
{
    const struct clopt_definition *definition = user;
    struct clopt_description told = describe(definition);
    return definition->app.define->check(&told, &definition->app, error);
}

enum clopt_status clopt_definition_check(struct clopt_definition *definition,
                                         const struct clopt_child_limits *limits,
                                         struct clopt_error *error)
{
    return definition->app.define->check ? clopt_child_run(limits, check, definition, error)
                                         : CLOPT_OK;
}

const struct clopt_plugin_entry *clopt_definition_entry(const struct clopt_definition *definition)
{
    return &definition->entry;
}
