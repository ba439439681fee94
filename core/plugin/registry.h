/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds, loads and refuses plugins. */
#ifndef CLOPT_PLUGIN_REGISTRY_H
#define CLOPT_PLUGIN_REGISTRY_H

#include <stddef.h>

#include <jansson.h>

#include <clopt/app.h>
#include <clopt/optimization.h>
#include <clopt/plugin.h>

struct clopt_registry;

/* A usable plugin. */
struct clopt_plugin_entry {
    const struct clopt_plugin *plugin;
    char *path;
    char hash[65]; /* SHA-256 of the file: a plugin that was built anew is another one */
    /* Of an app that a study describes: its plugin's entry, and the description as JSON. Then
     * `plugin` is a copy that has the defined tables and, as name, the app's label in the study;
     * the hash is of the description, too. NULL for what is just a plugin. */
    const struct clopt_plugin_entry *base;
    const json_t *description;
};

/* A file of the plugin pattern that cannot be used. */
struct clopt_plugin_refusal {
    char *path;
    char *name; /* the name by which a study would ask for it: from the file's name */
    char *reason;
};

/* Loads every plugin of the search path: `plugin_path` (colon-separated folders, may be NULL), then
 * CLOPT_PLUGIN_PATH (not when running setuid), then the compiled-in folder. The first folder that
 * has a name wins, also where it has a bad plugin of that name; in a folder names are sorted.
 * Folders named by the user that cannot be read are CLOPT_INVALID; bad plugins are no error, they
 * are listed as refused. */
enum clopt_status clopt_registry_load(const char *plugin_path, struct clopt_registry **registry,
                                      struct clopt_error *error);
void clopt_registry_unload(struct clopt_registry *registry);

/* Lists, sorted by kind and name. They belong to the registry. */
size_t clopt_registry_count(const struct clopt_registry *registry);
const struct clopt_plugin_entry *clopt_registry_entry(const struct clopt_registry *registry,
                                                      size_t index);
size_t clopt_registry_refusal_count(const struct clopt_registry *registry);
const struct clopt_plugin_refusal *clopt_registry_refusal(const struct clopt_registry *registry,
                                                          size_t index);

/* Either kind, where a plugin is looked for. */
#define CLOPT_PLUGIN_ANY ((enum clopt_plugin_kind)0)

/* Finds a usable plugin; CLOPT_PLUGIN_UNUSABLE says that it is missing (with the nearest name and
 * the folders searched) or refused (with the reason). */
enum clopt_status clopt_registry_find(const struct clopt_registry *registry,
                                      enum clopt_plugin_kind kind, const char *name,
                                      const struct clopt_plugin_entry **entry,
                                      struct clopt_error *error);

/* Defines an app from a description (definition.h says of what kind): the same description gives
 * the same entry again. It belongs to the registry. `check` lets the plugin look closer at it. */
enum clopt_status clopt_registry_define(const struct clopt_registry *registry,
                                        const struct clopt_plugin_entry *base,
                                        const json_t *description, bool check,
                                        const struct clopt_plugin_entry **defined,
                                        struct clopt_error *error);

static inline const struct clopt_app *clopt_entry_app(const struct clopt_plugin_entry *entry)
{
    return entry->plugin->operations;
}

static inline const struct clopt_optimization *clopt_entry_optimization(
    const struct clopt_plugin_entry *entry)
{
    return entry->plugin->operations;
}

#endif
