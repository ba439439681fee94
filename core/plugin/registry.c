/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds, loads and refuses plugins. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* secure_getenv(), dladdr() */
#endif
#include "plugin/registry.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <sys/stat.h>

#include "file/file.h"
#include "plugin/definition.h"
#include "plugin/descriptor.h"
#include "plugin/loader.h"
#include "plugin/options.h"
#include "text/suggest.h"

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

/* An address in this library. */
static const char folder_anchor;

/* A file of the plugin pattern: the first one of its name. */
struct file {
    struct clopt_plugin_refusal about;  /* with a reason once it was refused */
    unsigned folder;                    /* of the search path */
    bool ships;                         /* it is clopt's own: it need not be tried in a child */
    lt_dlhandle handle;                 /* once it is loaded */
    struct clopt_plugin_entry *entries; /* its extensions */
    size_t count;
};

/* Apps that studies describe, as far as they have been met. */
struct definitions {
    struct clopt_definition **items;
    size_t count;
};

/* Extensions that are loaded, by kind and name. */
struct listing {
    struct listed {
        struct clopt_plugin_entry *entry;
        unsigned rank; /* 0: its file has its name; else by the folder: the least counts */
    } * items;
    size_t count;
};

struct clopt_registry {
    struct file **files; /* by name */
    size_t count;
    struct file *own; /* stands for what is linked in; NULL: nothing */
    struct listing *listing;
    bool trusted;              /* plugins are loaded without a probe */
    struct clopt_text folders; /* those searched, for messages */
    unsigned folder_count;
    struct definitions *definitions;
    struct made_options *options; /* of extensions, as far as they were asked for */
};

/* Returns the plugin's name if a file's name has the pattern NAME.so or NAME.la, else NULL. */
static char *name_of_file(const char *file)
{
    const char *ending = strrchr(file, '.');
    if (!ending || ending == file || file[0] == '.')
        return NULL;
    if (strcmp(ending, ".so") != 0 && strcmp(ending, ".la") != 0)
        return NULL;
    if (strncmp(file, "libclopt-layer.", 15) == 0) /* it is for OpenCL's loader */
        return NULL;
    return clopt_strndup(file, (size_t)(ending - file));
}

static struct file *find_file(const struct clopt_registry *registry, const char *name)
{
    for (size_t i = 0; i < registry->count; i++)
        if (strcmp(registry->files[i]->about.name, name) == 0)
            return registry->files[i];
    return NULL;
}

static void file_destroy(struct file *file)
{
    if (file->handle)
        lt_dlclose(file->handle);
    free(file->entries);
    free(file->about.path);
    free(file->about.name);
    free(file->about.reason);
    free(file);
}

static void add_file(struct clopt_registry *registry, const char *folder, const char *file,
                     const char *name, bool ships)
{
    struct file *made = clopt_calloc(1, sizeof *made);
    made->about =
        (struct clopt_plugin_refusal){clopt_path_join(folder, file), clopt_strdup(name), NULL};
    made->ships = ships;
    made->folder = registry->folder_count;
    clopt_array_grow(&registry->files, registry->count, sizeof made);
    registry->files[registry->count++] = made;
}

/* Lists an extension, unless one of its kind and name is listed that has no higher rank. */
static void list_entry(struct listing *listing, struct clopt_plugin_entry *entry, unsigned rank)
{
    size_t i = 0;
    while (i < listing->count &&
           (listing->items[i].entry->extension->kind != entry->extension->kind ||
            strcmp(listing->items[i].entry->extension->name, entry->extension->name) != 0))
        i++;
    if (i < listing->count && listing->items[i].rank <= rank)
        return;
    clopt_array_grow(&listing->items, listing->count, sizeof *listing->items);
    listing->items[i] = (struct listed){entry, rank};
    listing->count += i == listing->count;
}

static int compare_entries(const void *a, const void *b)
{
    const struct clopt_extension *first = ((const struct listed *)a)->entry->extension;
    const struct clopt_extension *second = ((const struct listed *)b)->entry->extension;
    return first->kind == second->kind
               ? strcmp(first->name, second->name)
               : (first->kind > second->kind) - (first->kind < second->kind);
}

/* Lists the extensions of a file, which has them from a plugin. */
static void take_extensions(const struct clopt_registry *registry, struct file *file,
                            const struct clopt_extension *extensions, const char *hash)
{
    struct listing *listing = registry->listing;
    while (extensions[file->count].name)
        file->count++;
    file->entries = clopt_calloc(file->count, sizeof *file->entries);
    for (size_t i = 0; i < file->count; i++) {
        struct clopt_plugin_entry *entry = &file->entries[i];
        *entry = (struct clopt_plugin_entry){.extension = &extensions[i], .path = file->about.path};
        snprintf(entry->hash, sizeof entry->hash, "%s", hash);
        bool named = file->about.name && strcmp(file->about.name, extensions[i].name) == 0;
        list_entry(listing, entry, named ? 0 : file->folder);
    }
    qsort(listing->items, listing->count, sizeof *listing->items, compare_entries);
}

/* Loads a plugin, or refuses it, unless that was done before. */
static void load_file(const struct clopt_registry *registry, struct file *file)
{
    struct clopt_plugin_refusal *about = &file->about;
    if (file->handle || about->reason)
        return; /* before anything is cleared: this is asked often */
    struct clopt_error reason = {0};
    struct clopt_opened_plugin opened = {.path = about->path};
    if (!clopt_name_is_legal(about->name))
        clopt_fail(&reason, CLOPT_PLUGIN_UNUSABLE,
                   "the file's name is illegal for a plugin: a letter a-z, then at most 30 of a-z, "
                   "0-9 and _");
    else if (!clopt_plugin_open(&opened, !registry->trusted && !file->ships, &reason)) {
        file->handle = opened.handle;
        take_extensions(registry, file, opened.plugin->extensions, opened.hash);
    }
    if (reason.status)
        about->reason = clopt_strdup(reason.message);
}

/* Takes a file in that has the pattern of a plugin. A name that an earlier folder has, or an
 * earlier file of this one, is taken, also where that plugin is refused: to use another one would
 * be a silent fallback. */
static void take_file(struct clopt_registry *registry, const char *folder, const char *file,
                      bool ships)
{
    CLOPT_FREED char *name = name_of_file(file);
    if (!name || find_file(registry, name))
        return;
    CLOPT_FREED char *shared = clopt_text_format("%s/%s.so", folder, name);
    struct stat about;
    /* NAME.la is not looked at beside NAME.so: it may name a folder with another plugin. */
    if (strcmp(strrchr(file, '.'), ".la") != 0 || lstat(shared, &about) != 0)
        add_file(registry, folder, file, name, ships);
}

static int compare_files(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name); /* not alphasort(), which follows the locale */
}

/* Whether a folder is where clopt's own plugins are: the compiled-in one, or in a build tree the
 * one beside the library. */
static bool is_own_folder(const char *folder)
{
    Dl_info info;
    struct stat own, about;
    if (strcmp(folder, CLOPT_PLUGINDIR) == 0)
        return true;
    if (stat(folder, &about) != 0 || !dladdr(&folder_anchor, &info) || !info.dli_fname)
        return false;
    CLOPT_FREED char *objects = clopt_path_beside(info.dli_fname, "../plugins");
    CLOPT_FREED char *built = clopt_path_beside(info.dli_fname, "../" LT_OBJDIR);
    return stat(built, &own) == 0 && stat(objects, &own) == 0 && own.st_dev == about.st_dev &&
           own.st_ino == about.st_ino;
}

/* Finds what a folder has; `origin` is who named it; NULL: it is built in, and may be missing. */
static enum clopt_status search_folder(struct clopt_registry *registry, const char *folder,
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
    bool ships = is_own_folder(folder);
    registry->folder_count++;
    for (int i = 0; i < count; i++) {
        take_file(registry, folder, files[i]->d_name, ships);
        free(files[i]);
    }
    free(files);
    return CLOPT_OK;
}

/* Searches colon-separated folders without empty items, which would be the working folder. */
static enum clopt_status search_path(struct clopt_registry *registry, const char *path,
                                     const char *origin, struct clopt_error *error)
{
    while (path && *path) {
        size_t length = strcspn(path, ":");
        CLOPT_FREED char *folder = clopt_strndup(path, length);
        if (length)
            CLOPT_TRY(search_folder(registry, folder, origin, error));
        path += length + (path[length] == ':');
    }
    return CLOPT_OK;
}

static int compare_names(const void *a, const void *b)
{
    const struct file *const *first = a;
    const struct file *const *second = b;
    return strcmp((*first)->about.name, (*second)->about.name);
}

enum clopt_status clopt_registry_open(const char *plugin_path, struct clopt_registry **registry,
                                      struct clopt_error *error)
{
    if (lt_dlinit() != 0)
        return clopt_fail(error, CLOPT_FAILED, "lt_dlinit: %s", lt_dlerror());
    CLOPT_HELD(clopt_registry) made = clopt_calloc(1, sizeof *made);
    made->definitions = clopt_calloc(1, sizeof *made->definitions);
    made->listing = clopt_calloc(1, sizeof *made->listing);
    CLOPT_TRY(search_path(made, plugin_path, "--plugin-path", error));
    CLOPT_TRY(search_path(made, secure_getenv("CLOPT_PLUGIN_PATH"), "CLOPT_PLUGIN_PATH", error));
    CLOPT_TRY(search_folder(made, CLOPT_PLUGINDIR, NULL, error));
    if (made->count)
        qsort(made->files, made->count, sizeof *made->files, compare_names);
    *registry = made;
    made = NULL;
    return CLOPT_OK;
}

void clopt_registry_add(struct clopt_registry *registry, const struct clopt_extension *extensions)
{
    registry->own = clopt_calloc(1, sizeof *registry->own);
    registry->own->about.path = clopt_strdup("linked in");
    take_extensions(registry, registry->own, extensions, "");
}

void clopt_registry_trust(struct clopt_registry *registry)
{
    registry->trusted = true;
}

void clopt_registry_load(const struct clopt_registry *registry)
{
    for (size_t i = 0; i < registry->count; i++)
        load_file(registry, registry->files[i]);
}

struct made_options **clopt_registry_options(struct clopt_registry *registry)
{
    return &registry->options;
}

void clopt_registry_close(struct clopt_registry *registry)
{
    if (!registry)
        return;
    for (size_t i = 0; i < registry->definitions->count; i++)
        clopt_definition_destroy(registry->definitions->items[i]);
    free(registry->definitions->items);
    free(registry->definitions);
    clopt_extension_options_destroy(registry->options);
    free(registry->listing->items);
    free(registry->listing);
    for (size_t i = 0; i < registry->count; i++)
        file_destroy(registry->files[i]);
    if (registry->own)
        file_destroy(registry->own);
    free(registry->files);
    clopt_text_fini(&registry->folders);
    free(registry);
    lt_dlexit();
}

const struct clopt_plugin_entry *clopt_registry_entry(const struct clopt_registry *registry,
                                                      enum clopt_kind kind, size_t index)
{
    const struct listing *listing = registry->listing;
    clopt_registry_load(registry);
    for (size_t i = 0; i < listing->count; i++)
        if ((kind == CLOPT_KIND_ANY ||
             listing->items[i].entry->extension->kind == (uint32_t)kind) &&
            index-- == 0)
            return listing->items[i].entry;
    return NULL;
}

const struct clopt_plugin_refusal *clopt_registry_refusal(const struct clopt_registry *registry,
                                                          size_t index)
{
    for (size_t i = 0; i < registry->count; i++)
        if (registry->files[i]->about.reason && index-- == 0)
            return &registry->files[i]->about;
    return NULL;
}

/* Says that there is no extension of that kind and name, once all plugins are loaded. */
static enum clopt_status report_missing(const struct clopt_registry *registry, enum clopt_kind kind,
                                        const char *name, struct clopt_error *error)
{
    CLOPT_FREED const char **names = clopt_calloc(registry->listing->count, sizeof *names);
    size_t count = 0;
    const struct clopt_plugin_entry *entry;
    for (; (entry = clopt_registry_entry(registry, kind, count)); count++)
        names[count] = entry->extension->name;
    const char *nearest = clopt_suggest(name, names, count);
    if (kind > CLOPT_KIND_OPTIMIZATION && count) { /* so few that they can be listed */
        CLOPT_OWNED(clopt_text) advice = clopt_suggest_or_list(name, names, count, "there are");
        return clopt_fail(error, CLOPT_INVALID, "%s: unknown %s; %s", name, clopt_kind_text(kind),
                          clopt_text_string(&advice));
    }
    const char *folders = clopt_text_string(&registry->folders);
    if (nearest)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "%s: no %s of that name; did you mean %s?",
                          name, clopt_kind_text(kind), nearest);
    return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                      "%s: no %s of that name in %s; `clopt plugins` lists those that exist, "
                      "--plugin-path names other folders",
                      name, clopt_kind_text(kind), folders);
}

/* Returns the extension among those that are loaded; NULL: it is not. */
static struct clopt_plugin_entry *find_loaded(const struct clopt_registry *registry,
                                              enum clopt_kind kind, const char *name)
{
    const struct listing *listing = registry->listing;
    for (size_t i = 0; i < listing->count; i++) {
        const struct clopt_extension *extension = listing->items[i].entry->extension;
        if ((kind == CLOPT_KIND_ANY || extension->kind == (uint32_t)kind) &&
            strcmp(extension->name, name) == 0)
            return listing->items[i].entry;
    }
    return NULL;
}

/* Loads plugins until there is one with the extension: first the one named after the kind. */
static struct clopt_plugin_entry *find_in_all(const struct clopt_registry *registry,
                                              enum clopt_kind kind, const char *name)
{
    struct clopt_plugin_entry *entry = find_loaded(registry, kind, name);
    struct file *first = find_file(registry, clopt_kind_folder(kind));
    if (!entry && first) {
        load_file(registry, first);
        entry = find_loaded(registry, kind, name);
    }
    for (size_t i = 0; i < registry->count && !entry; i++) {
        load_file(registry, registry->files[i]);
        entry = find_loaded(registry, kind, name);
    }
    return entry;
}

static const char *article(enum clopt_kind kind)
{
    return strchr("ao", clopt_kind_text(kind)[0]) ? "an" : "a";
}

enum clopt_status clopt_registry_find(const struct clopt_registry *registry, enum clopt_kind kind,
                                      const char *name, const struct clopt_plugin_entry **entry,
                                      struct clopt_error *error)
{
    struct file *file = find_file(registry, name);
    struct clopt_plugin_entry *found;
    if (file)
        load_file(registry, file);
    if (file && file->about.reason)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "%s: plugin refused: %s: %s", name,
                          file->about.path, file->about.reason);
    if (file && !find_loaded(registry, kind, name) &&
        (found = find_loaded(registry, CLOPT_KIND_ANY, name)))
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "%s is %s %s, not %s %s", name,
                          article(found->extension->kind), clopt_kind_text(found->extension->kind),
                          article(kind), clopt_kind_text(kind));
    if (!(found = find_in_all(registry, kind, name)))
        return error ? report_missing(registry, kind, name, error) : CLOPT_PLUGIN_UNUSABLE;
    *entry = found;
    return found->extension->kind > CLOPT_KIND_OPTIMIZATION || *found->hash
               ? CLOPT_OK
               : clopt_plugin_hash(found->path, found->hash, error);
}

enum clopt_status clopt_registry_define(const struct clopt_registry *registry,
                                        const json_t *description,
                                        const struct clopt_child_limits *limits,
                                        const struct clopt_plugin_entry **app,
                                        struct clopt_error *error)
{
    const struct clopt_plugin_entry *base = *app;
    struct definitions *definitions = registry->definitions;
    for (size_t i = 0; i < definitions->count; i++) {
        const struct clopt_plugin_entry *known = clopt_definition_entry(definitions->items[i]);
        if (known->base == base && json_equal(known->description, description)) {
            *app = known;
            return CLOPT_OK;
        }
    }
    CLOPT_HELD(clopt_definition) definition = NULL;
    CLOPT_TRY(clopt_definition_create(base, description, &definition, error));
    if (limits)
        CLOPT_TRY(clopt_definition_check(definition, limits, error));
    struct clopt_definition **item =
        clopt_array_add(&definitions->items, &definitions->count, sizeof *item);
    *item = definition;
    *app = clopt_definition_entry(definition);
    definition = NULL;
    return CLOPT_OK;
}
