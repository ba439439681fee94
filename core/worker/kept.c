/* SPDX-License-Identifier: BSD-3-Clause */
/* Small files in a cache folder, which are believed only where they are whole and meant. */
#include "worker/kept.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/text.h"

/* A file is a line of these words, then the data: the key, the hash of the data, its length. */
#define WRITE_HEAD "clopt kept 1 %s %s %zu\n"
#define READ_HEAD  "clopt kept 1 %64[0-9a-f] %64[0-9a-f] %zu%n"

#define MOST_KEPT_BYTES ((uint64_t)1 << 30)

#define ENDING_LENGTH 5 /* of ".kept" */
#define MOST_NAME     (CLOPT_HASH_SIZE - 1 + ENDING_LENGTH + 7)

static char *file_path(const char *folder, const char *key)
{
    struct clopt_text path = {0};
    clopt_text_printf(&path, "%s/%s.kept", folder, key);
    return clopt_text_take(&path);
}

static void hash_data(const char *data, size_t bytes, char hash[CLOPT_HASH_SIZE])
{
    struct clopt_sha256 state;
    clopt_sha256_init(&state);
    clopt_sha256_add(&state, data, bytes);
    clopt_sha256_end(&state, hash);
}

/* Whether a file holds what was written under a key; `offset` gets where the data begins. */
static bool is_whole(const char *file, size_t file_bytes, const char *key, size_t *offset)
{
    char written_key[CLOPT_HASH_SIZE], written_hash[CLOPT_HASH_SIZE], hash[CLOPT_HASH_SIZE];
    size_t bytes = 0;
    int head = 0;
    if (sscanf(file, READ_HEAD, written_key, written_hash, &bytes, &head) != 3 ||
        file[head] != '\n' || strcmp(written_key, key) != 0)
        return false;
    *offset = (size_t)head + 1;
    if (bytes != file_bytes - *offset)
        return false;
    hash_data(file + *offset, bytes, hash);
    return strcmp(written_hash, hash) == 0;
}

/* What is kept is run as code: another user's is none of ours. Also notes that it is in use, by
 * which it is decided what goes first. */
static bool is_own(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
           utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW) == 0;
}

bool clopt_kept_read(const char *folder, const char *key, char **data, size_t *bytes)
{
    char *path = file_path(folder, key);
    size_t offset = 0;
    *data = NULL;
    bool good = path && is_own(path) &&
                clopt_file_read(path, MOST_KEPT_BYTES, data, bytes, NULL) == CLOPT_OK &&
                is_whole(*data, *bytes, key, &offset);
    free(path);
    if (good) {
        *bytes -= offset;
        memmove(*data, *data + offset, *bytes + 1);
    } else {
        free(*data);
        *data = NULL;
    }
    return good;
}

void clopt_kept_write(const char *folder, const char *key, const void *data, size_t bytes)
{
    char hash[CLOPT_HASH_SIZE];
    struct clopt_text file = {0};
    hash_data(data, bytes, hash);
    clopt_text_printf(&file, WRITE_HEAD, key, hash, bytes);
    clopt_text_append_bytes(&file, data, bytes);
    char *path = file_path(folder, key);
    if (path && !file.failed && clopt_folder_create_own(folder, NULL) == CLOPT_OK)
        clopt_file_write_soon(path, file.data, file.length, NULL);
    free(path);
    clopt_text_fini(&file);
}

/* ---- what is too much ---- */

/* A file that may be deleted. */
struct old_file {
    char name[MOST_NAME + 1];
    struct timespec used;
    uint64_t bytes;
};

struct old_files {
    struct old_file *items;
    size_t count;
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

/* Tells whether a name is one that clopt gives: a key and an ending, and six characters more for a
 * file whose writer was killed. */
static bool is_own_name(const char *name)
{
    static const char *const endings[] = {".kept", ".data", ".lock"};
    if (strlen(name) > MOST_NAME || strspn(name, "0123456789abcdef") != CLOPT_HASH_SIZE - 1)
        return false;
    name += CLOPT_HASH_SIZE - 1;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (strncmp(name, endings[i], ENDING_LENGTH) == 0)
            return name[ENDING_LENGTH] == '\0' ||
                   (name[ENDING_LENGTH] == '.' && strlen(name) == ENDING_LENGTH + 7);
    return false;
}

/* Takes note of a file, if it is one of this user's that clopt made. */
static bool add_file(struct old_files *files, int folder, const char *name)
{
    struct stat info;
    if (!is_own_name(name) || fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(info.st_mode) || info.st_uid != geteuid())
        return true;
    struct old_file *items = files->items;
    if ((files->count & (files->count - 1)) == 0) /* a power of two: full */
        items = realloc(items, (files->count ? 2 * files->count : 1) * sizeof *items);
    if (!items)
        return false;
    files->items = items;
    struct old_file *file = &items[files->count++];
    *file = (struct old_file){.used = info.st_mtim, .bytes = (uint64_t)info.st_size};
    memcpy(file->name, name, strlen(name) + 1);
    files->bytes += file->bytes;
    return true;
}

void clopt_kept_prune(const char *folder, uint64_t most_bytes)
{
    DIR *listing = opendir(folder);
    if (!listing)
        return;
    struct old_files files = {0};
    const struct dirent *entry;
    while ((entry = readdir(listing)) && add_file(&files, dirfd(listing), entry->d_name))
        ;
    if (files.bytes > most_bytes)
        qsort(files.items, files.count, sizeof *files.items, compare_age);
    for (size_t i = 0; i < files.count && files.bytes > most_bytes; i++)
        if (unlinkat(dirfd(listing), files.items[i].name, 0) == 0)
            files.bytes -= files.items[i].bytes;
    free(files.items);
    closedir(listing);
}
