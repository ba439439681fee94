/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds, loads and refuses plugins. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* secure_getenv() */
#endif
#include "plugin/registry.h"

#include <dirent.h>
#include <errno.h>
#include <ltdl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/suggest.h"
#include "base/text.h"
#include "plugin/definition.h"
#include "plugin/descriptor.h"
#include "plugin/loader.h"

struct loaded {
    struct clopt_plugin_entry entry;
    lt_dlhandle handle;
};

/* Apps that studies describe, as far as they have been met. */
struct definitions {
    struct clopt_definition **items;
    size_t count;
};

struct clopt_registry {
    struct loaded *loaded;
    size_t count;
    struct clopt_plugin_refusal *refusals;
    size_t refusal_count;
    struct clopt_text folders; /* those searched, for messages */
    struct definitions *definitions;
};

/* Returns the plugin's name if a file's name has the pattern NAME.so or NAME.la, else NULL. */
static char *name_of_file(const char *file)
{
    const char *ending = strrchr(file, '.');
    if (!ending || ending == file || file[0] == '.')
        return NULL;
    if (strcmp(ending, ".so") != 0 && strcmp(ending, ".la") != 0)
        return NULL;
    return strndup(file, (size_t)(ending - file));
}

/* A name that an earlier folder, or an earlier file of this one, has is taken: also where that
 * plugin was refused, for to use another one instead would be a silent fallback. */
static bool is_taken(const struct clopt_registry *registry, const char *name)
{
    for (size_t i = 0; i < registry->count; i++)
        if (strcmp(registry->loaded[i].entry.plugin->name, name) == 0)
            return true;
    for (size_t i = 0; i < registry->refusal_count; i++)
        if (strcmp(registry->refusals[i].name, name) == 0)
            return true;
    return false;
}

static enum clopt_status add_loaded(struct clopt_registry *registry, const struct loaded *loaded,
                                    struct clopt_error *error)
{
    struct loaded *more =
        realloc(registry->loaded, (registry->count + 1) * sizeof *registry->loaded);
    if (!more)
        return clopt_fail_memory(error);
    registry->loaded = more;
    registry->loaded[registry->count++] = *loaded;
    return CLOPT_OK;
}

static enum clopt_status add_refusal(struct clopt_registry *registry, const char *path,
                                     const char *name, const char *reason,
                                     struct clopt_error *error)
{
    struct clopt_plugin_refusal *more =
        realloc(registry->refusals, (registry->refusal_count + 1) * sizeof *registry->refusals);
    if (!more)
        return clopt_fail_memory(error);
    registry->refusals = more;
    struct clopt_plugin_refusal refusal = {strdup(path), strdup(name), strdup(reason)};
    registry->refusals[registry->refusal_count++] = refusal;
    if (!refusal.path || !refusal.name || !refusal.reason)
        return clopt_fail_memory(error);
    return CLOPT_OK;
}

static enum clopt_status load_file(struct clopt_registry *registry, const char *path,
                                   const char *name, struct clopt_error *error)
{
    if (!clopt_name_is_legal(name))
        return add_refusal(registry, path, name,
                           "the file's name is illegal for a plugin: a letter a-z, then at most 30 "
                           "of a-z, 0-9 and _",
                           error);
    struct loaded loaded = {0};
    struct clopt_error reason = {0};
    enum clopt_status status = clopt_plugin_open(path, name, &loaded.handle, &loaded.entry.plugin,
                                                 loaded.entry.hash, &reason);
    if (status != CLOPT_OK)
        return add_refusal(registry, path, name, reason.message, error);
    loaded.entry.path = strdup(path);
    status = loaded.entry.path ? add_loaded(registry, &loaded, error) : clopt_fail_memory(error);
    if (status != CLOPT_OK) {
        lt_dlclose(loaded.handle);
        free(loaded.entry.path);
    }
    return status;
}

/* Where a folder has NAME.so, NAME.la is not looked at: an installed one names a folder that may
 * hold another plugin. */
static bool has_shared_object(const char *folder, const char *name)
{
    struct clopt_text path = {0};
    struct stat about;
    clopt_text_printf(&path, "%s/%s.so", folder, name);
    bool found = !path.failed && lstat(path.data, &about) == 0;
    clopt_text_fini(&path);
    return found;
}

static enum clopt_status load_entry(struct clopt_registry *registry, const char *folder,
                                    const char *file, struct clopt_error *error)
{
    char *name = name_of_file(file);
    if (!name)
        return CLOPT_OK;
    enum clopt_status status = CLOPT_OK;
    bool is_archive = strcmp(strrchr(file, '.'), ".la") == 0;
    if (!is_taken(registry, name) && !(is_archive && has_shared_object(folder, name))) {
        char *path = clopt_path_join(folder, file);
        status = path ? load_file(registry, path, name, error) : clopt_fail_memory(error);
        free(path);
    }
    free(name);
    return status;
}

static int compare_files(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name); /* not alphasort(), which follows the locale */
}

/* Loads what a folder has; `origin` is who named it, NULL for the compiled-in one, which may be
 * missing. */
static enum clopt_status load_folder(struct clopt_registry *registry, const char *folder,
                                     const char *origin, struct clopt_error *error)
{
    struct dirent **files = NULL;
    int count = scandir(folder, &files, NULL, compare_files);
    if (count < 0 && !origin && errno == ENOENT)
        count = 0;
    if (count < 0)
        return clopt_fail(error, CLOPT_INVALID, "%s: folder %s: %s",
                          origin ? origin : "compiled-in plugin path", folder, strerror(errno));
    clopt_text_printf(&registry->folders, "%s%s", registry->folders.length ? ", " : "", folder);
    enum clopt_status status = CLOPT_OK;
    for (int i = 0; i < count; i++) {
        if (status == CLOPT_OK)
            status = load_entry(registry, folder, files[i]->d_name, error);
        free(files[i]);
    }
    free(files);
    return status;
}

/* Loads from colon-separated folders. Empty items are left out: they would be the working folder.
 */
static enum clopt_status load_path(struct clopt_registry *registry, const char *path,
                                   const char *origin, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    while (path && *path && status == CLOPT_OK) {
        size_t length = strcspn(path, ":");
        if (length) {
            char *folder = strndup(path, length);
            status =
                folder ? load_folder(registry, folder, origin, error) : clopt_fail_memory(error);
            free(folder);
        }
        path += length + (path[length] == ':');
    }
    return status;
}

static int compare_loaded(const void *a, const void *b)
{
    const struct clopt_plugin *first = ((const struct loaded *)a)->entry.plugin;
    const struct clopt_plugin *second = ((const struct loaded *)b)->entry.plugin;
    if (first->kind != second->kind)
        return first->kind < second->kind ? -1 : 1;
    return strcmp(first->name, second->name);
}

static int compare_refusals(const void *a, const void *b)
{
    const struct clopt_plugin_refusal *first = a;
    const struct clopt_plugin_refusal *second = b;
    return strcmp(first->name, second->name);
}

enum clopt_status clopt_registry_load(const char *plugin_path, struct clopt_registry **registry,
                                      struct clopt_error *error)
{
    if (lt_dlinit() != 0)
        return clopt_fail(error, CLOPT_FAILED, "lt_dlinit: %s", lt_dlerror());
    struct clopt_registry *made = calloc(1, sizeof *made);
    if (made)
        made->definitions = calloc(1, sizeof *made->definitions);
    if (!made || !made->definitions) {
        free(made);
        lt_dlexit();
        return clopt_fail_memory(error);
    }
    enum clopt_status status = load_path(made, plugin_path, "--plugin-path", error);
    if (status == CLOPT_OK)
        status = load_path(made, secure_getenv("CLOPT_PLUGIN_PATH"), "CLOPT_PLUGIN_PATH", error);
    if (status == CLOPT_OK)
        status = load_folder(made, CLOPT_PLUGINDIR, NULL, error);
    if (status != CLOPT_OK) {
        clopt_registry_unload(made);
        return status;
    }
    if (made->count)
        qsort(made->loaded, made->count, sizeof *made->loaded, compare_loaded);
    if (made->refusal_count)
        qsort(made->refusals, made->refusal_count, sizeof *made->refusals, compare_refusals);
    *registry = made;
    return CLOPT_OK;
}

void clopt_registry_unload(struct clopt_registry *registry)
{
    if (!registry)
        return;
    for (size_t i = 0; i < registry->definitions->count; i++)
        clopt_definition_destroy(registry->definitions->items[i]);
    free(registry->definitions->items);
    free(registry->definitions);
    for (size_t i = 0; i < registry->count; i++) {
        free(registry->loaded[i].entry.path);
        lt_dlclose(registry->loaded[i].handle);
    }
    for (size_t i = 0; i < registry->refusal_count; i++) {
        free(registry->refusals[i].path);
        free(registry->refusals[i].name);
        free(registry->refusals[i].reason);
    }
    free(registry->loaded);
    free(registry->refusals);
    clopt_text_fini(&registry->folders);
    free(registry);
    lt_dlexit();
}

size_t clopt_registry_count(const struct clopt_registry *registry)
{
    return registry->count;
}

const struct clopt_plugin_entry *clopt_registry_entry(const struct clopt_registry *registry,
                                                      size_t index)
{
    return index < registry->count ? &registry->loaded[index].entry : NULL;
}

size_t clopt_registry_refusal_count(const struct clopt_registry *registry)
{
    return registry->refusal_count;
}

const struct clopt_plugin_refusal *clopt_registry_refusal(const struct clopt_registry *registry,
                                                          size_t index)
{
    return index < registry->refusal_count ? &registry->refusals[index] : NULL;
}

static const char *kind_text(enum clopt_plugin_kind kind)
{
    switch (kind) {
    case CLOPT_PLUGIN_APP:
        return "app";
    case CLOPT_PLUGIN_OPTIMIZATION:
        return "optimization";
    default:
        return "plugin";
    }
}

/* Says why there is no usable plugin of that kind and name. */
static enum clopt_status report_missing(const struct clopt_registry *registry,
                                        enum clopt_plugin_kind kind, const char *name,
                                        struct clopt_error *error)
{
    const char **names = calloc(registry->count + 1, sizeof *names);
    if (!names)
        return clopt_fail_memory(error);
    size_t count = 0;
    for (size_t i = 0; i < registry->count; i++)
        if (kind == CLOPT_PLUGIN_ANY || registry->loaded[i].entry.plugin->kind == (uint32_t)kind)
            names[count++] = registry->loaded[i].entry.plugin->name;
    const char *nearest = clopt_suggest(name, names, count);
    free(names);
    const char *folders = clopt_text_string(&registry->folders);
    if (nearest)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "%s: no %s of that name; did you mean %s?",
                          name, kind_text(kind), nearest);
    return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                      "%s: no %s of that name in %s; `clopt plugins` lists what there is", name,
                      kind_text(kind), folders);
}

enum clopt_status clopt_registry_find(const struct clopt_registry *registry,
                                      enum clopt_plugin_kind kind, const char *name,
                                      const struct clopt_plugin_entry **entry,
                                      struct clopt_error *error)
{
    for (size_t i = 0; i < registry->count; i++) {
        const struct clopt_plugin *plugin = registry->loaded[i].entry.plugin;
        if (strcmp(plugin->name, name) != 0)
            continue;
        if (kind != CLOPT_PLUGIN_ANY && plugin->kind != (uint32_t)kind)
            return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "%s is an %s, not an %s", name,
                              kind_text(plugin->kind), kind_text(kind));
        *entry = &registry->loaded[i].entry;
        return CLOPT_OK;
    }
    for (size_t i = 0; i < registry->refusal_count; i++)
        if (strcmp(registry->refusals[i].name, name) == 0)
            return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "%s: plugin refused: %s: %s", name,
                              registry->refusals[i].path, registry->refusals[i].reason);
    return report_missing(registry, kind, name, error);
}

/* Adds a definition, whose owner the registry becomes. */
static enum clopt_status add_definition(struct definitions *definitions,
                                        struct clopt_definition *definition,
                                        struct clopt_error *error)
{
    struct clopt_definition **items =
        realloc(definitions->items, (definitions->count + 1) * sizeof *items);
    if (!items) {
        clopt_definition_destroy(definition);
        return clopt_fail_memory(error);
    }
    definitions->items = items;
    items[definitions->count++] = definition;
    return CLOPT_OK;
}

enum clopt_status clopt_registry_define(const struct clopt_registry *registry,
                                        const struct clopt_plugin_entry *base,
                                        const json_t *description, bool check,
                                        const struct clopt_plugin_entry **defined,
                                        struct clopt_error *error)
{
    struct definitions *definitions = registry->definitions;
    for (size_t i = 0; i < definitions->count; i++) {
        const struct clopt_plugin_entry *known = clopt_definition_entry(definitions->items[i]);
        if (known->base == base && json_equal(known->description, description)) {
            *defined = known;
            return CLOPT_OK;
        }
    }
    struct clopt_definition *definition = NULL;
    enum clopt_status status = clopt_definition_create(base, description, &definition, error);
    if (!status && check)
        status = clopt_definition_check(definition, error);
    if (status) {
        clopt_definition_destroy(definition);
        return status;
    }
    status = add_definition(definitions, definition, error);
    if (!status)
        *defined = clopt_definition_entry(definition);
    return status;
}
