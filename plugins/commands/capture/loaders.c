/* SPDX-License-Identifier: BSD-3-Clause */
/* Records which OpenCL loaders a process has loaded: libraries for Python bring their own, and hand
 * launches to the drivers past the layer, which links this. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dl_iterate_phdr(), dlvsym() */
#endif
#include "commands/capture/record.h"

#include <dlfcn.h>
#include <link.h>

#include "text/text.h"

/* Adds the path of an object of the process, with its end. */
static int add_path(struct dl_phdr_info *object, size_t size, void *paths)
{
    (void)size;
    clopt_text_append_bytes(paths, object->dlpi_name, strlen(object->dlpi_name) + 1);
    return 0;
}

/* Whether a function that an object hands out is its own, and not of what it is linked to. */
static bool is_own(const char *path, const void *function)
{
    Dl_info found;
    return function && dladdr(function, &found) && strcmp(found.dli_fname, path) == 0;
}

/* Whether an object is a loader, whatever its name: drivers have the loader's functions, too, but
 * without the loader's version, or with what loaders call. */
static bool is_loader(const char *path)
{
    const char *name = strrchr(path, '/');
    void *object = *path ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    bool loader = object && (strncmp(name ? name + 1 : path, "libOpenCL", 9) == 0 ||
                             (is_own(path, dlvsym(object, "clGetPlatformIDs", "OPENCL_1.0")) &&
                              !is_own(path, dlsym(object, "clIcdGetPlatformIDsKHR"))));
    if (object)
        dlclose(object);
    return loader;
}

void clopt_record_add_loaders(struct clopt_record *record, unsigned with_layer)
{
    char paths[sizeof record->loader_paths] = "";
    unsigned count = 0;
    CLOPT_OWNED(clopt_text) objects = {0};
    dl_iterate_phdr(add_path, &objects);
    for (const char *path = objects.data; path && path < objects.data + objects.length;
         path += strlen(path) + 1)
        if (is_loader(path))
            snprintf(paths + strlen(paths), sizeof paths - strlen(paths), "%s%s",
                     count++ ? ", " : "", path);
    if (count > 1 && count > with_layer && count > record->loaders) {
        record->loaders = count;
        memcpy(record->loader_paths, paths, sizeof paths);
    }
}
