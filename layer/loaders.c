/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenCL loaders beside the one that has the layer: libraries for Python bring their own, and hand
 * launches to the drivers past it. */
#include "layer/layer.h"

#define MOST_LOADERS 8

static unsigned with_layer; /* loaders that have asked for it */

void clopt_loaders_count(void)
{
    with_layer++;
}

/* Takes the path of a mapped file apart: the file, and its name; false: it is no loader. */
static bool is_loader(const char *line, char path[256], unsigned long *file)
{
    unsigned major, minor;
    if (sscanf(line, "%*s %*s %*s %x:%x %lu %255[^\n]", &major, &minor, file, path) != 4)
        return false;
    const char *name = strrchr(path, '/');
    return name && strncmp(name + 1, "libOpenCL", strlen("libOpenCL")) == 0 && strstr(name, ".so");
}

void clopt_loaders_look(void)
{
    struct clopt_record *record = clopt_record_get();
    unsigned long seen[MOST_LOADERS], file;
    char line[512], path[256], paths[sizeof record->loader_paths] = "";
    unsigned count = 0;
    FILE *maps = record ? fopen("/proc/self/maps", "re") : NULL;
    while (maps && fgets(line, sizeof line, maps) && count < MOST_LOADERS) {
        bool known = !is_loader(line, path, &file);
        for (unsigned i = 0; i < count && !known; i++)
            known = seen[i] == file;
        if (known)
            continue;
        size_t length = strlen(paths);
        snprintf(paths + length, sizeof paths - length, "%s%s", count ? ", " : "", path);
        seen[count++] = file;
    }
    if (maps)
        fclose(maps);
    if (count > 1 && count > with_layer && count > record->loaders) {
        record->loaders = count;
        memcpy(record->loader_paths, paths, sizeof paths);
    }
}

/* What was loaded later counts, too, unless the process ends by a signal or by _exit(). */
__attribute__((destructor)) static void look_at_the_end(void)
{
    clopt_loaders_look();
}
