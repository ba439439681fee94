/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds, loads and refuses plugins. */
#pragma once

#include <jansson.h>

#include <clopt/app.h>
#include <clopt/optimization.h>

#include "process/child.h"

struct clopt_registry;

/* A usable extension of a plugin. */
struct clopt_plugin_entry {
    const struct clopt_extension *extension;
    char *path; /* of the plugin */
    /* SHA-256 of the file of an app or an optimization, once it was found: a plugin that was built
     * again is another one. */
    char hash[65];
    /* Of an app that a study describes: its plugin's entry, and the description as JSON. Then
     * `extension` is a copy that has the defined tables and, as name, the app's label in the study;
     * the hash is of the description, too. NULL for what just a plugin has. */
    const struct clopt_plugin_entry *base;
    const json_t *description;
};

/* A file of the plugin pattern that cannot be used. */
struct clopt_plugin_refusal {
    char *path;
    char *name; /* the name by which a study would ask for it: from the file's name */
    char *reason;
};

/* Finds the files of the search path: `plugin_path` (colon-separated folders, may be NULL), then
 * CLOPT_PLUGIN_PATH (not when running setuid), then the compiled-in folder. The first folder that
 * has a name wins, also where it has a bad plugin of that name; in a folder names are sorted.
 * Folders named by the user that cannot be read are CLOPT_INVALID. Nothing is loaded yet. */
enum clopt_status clopt_registry_open(const char *plugin_path, struct clopt_registry **registry,
                                      struct clopt_error *error);
void clopt_registry_close(struct clopt_registry *registry);
CLOPT_HOLDER(clopt_registry, clopt_registry_close);

/* Adds extensions that are linked in; their list ends with one without a name, and outlives the
 * registry. */
void clopt_registry_add(struct clopt_registry *registry, const struct clopt_extension *extensions);

/* From now on plugins are loaded without being tried in a child: another process has done that. So
 * are those that ship, in the compiled-in folder or beside the library in its build tree. */
void clopt_registry_trust(struct clopt_registry *registry);

/* Loads all that there are. Bad plugins are no error, they are listed as refused. */
void clopt_registry_load(const struct clopt_registry *registry);

/* Lists of all that there are of a kind, or of all by kind, by name, for which all are loaded, and
 * of what was refused; NULL at the end. They belong to the registry. Of two extensions of a kind
 * and name the one of the plugin that comes first counts. */
const struct clopt_plugin_entry *clopt_registry_entry(const struct clopt_registry *registry,
                                                      enum clopt_kind kind, size_t index);
const struct clopt_plugin_refusal *clopt_registry_refusal(const struct clopt_registry *registry,
                                                          size_t index);

/* Finds an extension: in the plugin whose file has its name, or else in any; plugins are loaded as
 * far as that takes. CLOPT_PLUGIN_UNUSABLE says that it is missing (with the nearest name and the
 * folders searched) or its plugin refused (with the reason). */
enum clopt_status clopt_registry_find(const struct clopt_registry *registry, enum clopt_kind kind,
                                      const char *name, const struct clopt_plugin_entry **entry,
                                      struct clopt_error *error);

/* Defines an app, which `app` becomes, by one of its plugin from a description (definition.h says
 * of what kind): the same description gives the same entry again. It belongs to the registry. With
 * `limits`, the plugin looks closer at it in a child. */
enum clopt_status clopt_registry_define(const struct clopt_registry *registry,
                                        const json_t *description,
                                        const struct clopt_child_limits *limits,
                                        const struct clopt_plugin_entry **app,
                                        struct clopt_error *error);
