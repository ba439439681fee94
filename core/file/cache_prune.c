/* SPDX-License-Identifier: BSD-3-Clause */
/* Deletes the oldest files of a cache folder. */
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "file/cache.h"

#define ENDING_LENGTH 5    /* of ".data" */
#define STALE_S       3600 /* no file takes so long to write */

/* A file that may be deleted. */
struct old_file {
    const char *name;
    struct timespec used;
    uint64_t bytes;
};

static int compare_age(const void *a, const void *b)
{
    const struct timespec *first = &((const struct old_file *)a)->used;
    const struct timespec *second = &((const struct old_file *)b)->used;
    if (first->tv_sec != second->tv_sec)
        return first->tv_sec < second->tv_sec ? -1 : 1;
    return (first->tv_nsec > second->tv_nsec) - (first->tv_nsec < second->tv_nsec);
}

/* Tells whether a name is one that clopt gives: a key and an ending, and seven characters more for
 * a file whose writer was killed. */
static int has_own_name(const struct dirent *entry)
{
    const char *name = entry->d_name;
    size_t length = strlen(name), key = CLOPT_HASH_SIZE - 1;
    if (strspn(name, "0123456789abcdef") != key)
        return 0;
    bool known = strncmp(name + key, ".data", ENDING_LENGTH) == 0 ||
                 strncmp(name + key, ".lock", ENDING_LENGTH) == 0;
    size_t rest = known ? length - key - ENDING_LENGTH : 1;
    return rest == 0 || (rest == 7 && name[key + ENDING_LENGTH] == '.');
}

/* Whether a file has a temporary name, and nobody has written to it for long: its writer was
 * killed.
 */
static bool is_left_behind(const char *name, const struct stat *info)
{
    return name[CLOPT_HASH_SIZE - 1 + ENDING_LENGTH] == '.' &&
           info->st_mtim.tv_sec + STALE_S < time(NULL);
}

/* Lists this user's own files; returns how many there are. What was left behind goes. */
static size_t list_files(int folder, struct dirent *const *entries, size_t count,
                         struct old_file *files, uint64_t *bytes)
{
    size_t own = 0;
    *bytes = 0;
    for (size_t i = 0; i < count; i++) {
        struct stat info;
        if (fstatat(folder, entries[i]->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(info.st_mode) || info.st_uid != geteuid() ||
            (is_left_behind(entries[i]->d_name, &info) &&
             unlinkat(folder, entries[i]->d_name, 0) == 0))
            continue;
        files[own++] = (struct old_file){entries[i]->d_name, info.st_mtim, (uint64_t)info.st_size};
        *bytes += (uint64_t)info.st_size;
    }
    return own;
}

void clopt_cache_prune(const char *path, uint64_t most_bytes)
{
    CLOPT_FREED struct dirent **entries = NULL;
    int found = scandir(path, &entries, has_own_name, NULL);
    size_t count = found > 0 ? (size_t)found : 0;
    CLOPT_FREED struct old_file *files = calloc(count + 1, sizeof *files);
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (files && folder >= 0) {
        uint64_t bytes;
        size_t own = list_files(folder, entries, count, files, &bytes);
        qsort(files, own, sizeof *files, compare_age);
        for (size_t i = 0; i < own && bytes > most_bytes; i++)
            if (unlinkat(folder, files[i].name, 0) == 0)
                bytes -= files[i].bytes;
    }
    if (folder >= 0)
        close(folder);
    for (size_t i = 0; i < count; i++)
        free(entries[i]);
}
