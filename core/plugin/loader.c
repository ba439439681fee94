/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens one plugin, and finds the true reason where that fails. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr1() */
#endif
#include "plugin/loader.h"

#include <dlfcn.h>
#include <link.h>

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "plugin/descriptor.h"
#include "process/child.h"
#include "text/text.h"

#define MOST_SECONDS 10 /* that loading may take */

/* Returns the shared object that a file of the plugin pattern is about. */
static char *object_path(const char *path)
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    const char *ending = strrchr(name, '.');
    if (!ending || strcmp(ending, ".la") != 0)
        return clopt_strdup(path);
    return clopt_text_format("%.*s" LT_OBJDIR "%.*s.so", (int)(name - path), path,
                             (int)(ending - name), name);
}

/* Leaves out the path in front of a message of the dynamic loader: the caller names it. */
static const char *loader_message(const char *object)
{
    const char *message = dlerror();
    if (!message)
        return "the dynamic loader does not say why";
    size_t length = strlen(object);
    if (strncmp(message, object, length) == 0 && strncmp(message + length, ": ", 2) == 0)
        return message + length + 2;
    return message;
}

/* Reads the descriptor as far as the object really has it: its ABI number before anything else. */
static enum clopt_status check_symbol(const void *symbol, struct clopt_error *error)
{
    Dl_info info;
    const ElfW(Sym) *about = NULL;
    if (!dladdr1(symbol, &info, (void **)&about, RTLD_DL_SYMENT) || !about ||
        info.dli_saddr != symbol || ELF64_ST_TYPE(about->st_info) != STT_OBJECT)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                          "its symbol clopt_plugin is not a struct clopt_plugin");
    return clopt_descriptor_check(symbol, about->st_size, error);
}

/* Loads the plugin and reads its descriptor. */
static enum clopt_status load(struct clopt_opened_plugin *opening, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    const void *symbol = NULL;
    /* libltdl would bind lazily, so that a missing function ends the program at its first call, and
     * it hides the loader's message: so this comes first, and libltdl finds it mapped. */
    void *first = dlopen(opening->object, RTLD_NOW | RTLD_LOCAL);
    if (!first)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "%s", loader_message(opening->object));
    opening->handle = lt_dlopen(opening->path);
    if (!opening->handle)
        status = clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "libltdl: %s", lt_dlerror());
    else if (!(symbol = lt_dlsym(opening->handle, "clopt_plugin")))
        status = clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                            "not a clopt plugin: it has no symbol clopt_plugin "
                            "(CLOPT_PLUGIN defines it)");
    else
        status = check_symbol(symbol, error);
    opening->plugin = symbol;
    if (status && opening->handle)
        lt_dlclose(opening->handle);
    dlclose(first);
    return status;
}

/* Loads and unloads the plugin. */
static enum clopt_status try(void *user, struct clopt_error *error)
{
    struct clopt_opened_plugin *opening = user;
    clopt_fail(error, CLOPT_OK, "on loading");
    CLOPT_TRY(load(opening, error));
    clopt_fail(error, CLOPT_OK, "on unloading");
    lt_dlclose(opening->handle);
    return CLOPT_OK;
}

enum clopt_status clopt_plugin_open(struct clopt_opened_plugin *opened, bool probe,
                                    struct clopt_error *error)
{
    static const struct clopt_child_limits limits = {
        .seconds = MOST_SECONDS, .advice = "look at its constructors and destructors"};
    CLOPT_FREED char *object = object_path(opened->path);
    opened->object = object;
    if (probe) {
        CLOPT_TRY(clopt_object_check(object, opened->hash, error));
        CLOPT_TRY(clopt_child_run(&limits, try, opened, error));
    }
    return load(opened, error);
}

enum clopt_status clopt_plugin_hash(const char *path, char hash[CLOPT_HASH_SIZE],
                                    struct clopt_error *error)
{
    CLOPT_FREED char *object = object_path(path);
    return clopt_object_check(object, hash, error);
}
