/* SPDX-License-Identifier: BSD-3-Clause */
/* Files in a cache folder, each under a key. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_TMPFILE, secure_getenv() */
#endif
#include "file/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "file/file.h"
#include "file/folder.h"

/* The oldest files go when all of them together take more than this. */
#define MOST_BYTES ((uint64_t)8 << 30)

/* What follows the data in a file: the key, their checksum, their length. */
#define SEAL       "clopt data 1 %s %016" PRIx64 " %020zu\n"
#define SEAL_BYTES (13 + 64 + 1 + 16 + 1 + 20 + 1)

/* Returns the folder that the environment names, for the caller to free. */
static char *find_folder(void)
{
    const char *folder = secure_getenv("CLOPT_CACHE_DIR");
    if (folder && *folder)
        return clopt_strdup(folder);
    folder = secure_getenv("XDG_CACHE_HOME");
    if (folder && *folder)
        return clopt_path_join(folder, "clopt");
    folder = secure_getenv("HOME");
    return folder && *folder ? clopt_path_join(folder, ".cache/clopt") : NULL;
}

char *clopt_cache_folder(const char *below)
{
    char *folder = find_folder();
    if (!folder || !below)
        return folder;
    char *path = clopt_path_join(folder, below);
    free(folder);
    return path;
}

/* Mixes all words of a block in four independent lanes, at the speed of memory. Each step can be
 * undone, so that any change within a word changes the result; other changes do so but for one in
 * 2^64. That is enough against damage; nobody else may write here. */
uint64_t clopt_cache_checksum(const void *block, size_t bytes)
{
    const unsigned char *data = block;
    uint64_t lanes[4] = {1, 2, 3, 4}, sum = bytes;
    size_t whole = bytes / sizeof lanes * sizeof lanes;
    for (size_t at = 0; at < bytes; at += sizeof lanes) {
        uint64_t words[4] = {0};
        if (at < whole)
            memcpy(words, data + at, sizeof words);
        else
            memcpy(words, data + at, bytes - at);
#pragma GCC unroll 4 /* lanes stay in registers */
        for (unsigned i = 0; i < 4; i++) {
            lanes[i] = (lanes[i] ^ words[i]) * 0x9E3779B97F4A7C15u;
            lanes[i] ^= lanes[i] >> 32;
        }
    }
    for (unsigned i = 0; i < 4; i++)
        sum = (sum ^ lanes[i]) * 0xBF58476D1CE4E5B9u;
    return sum ^ sum >> 32;
}

static void make_seal(const char *key, const void *data, size_t bytes, char seal[SEAL_BYTES + 1])
{
    snprintf(seal, SEAL_BYTES + 1, SEAL, key, clopt_cache_checksum(data, bytes), bytes);
}

/* ---- finding ---- */

/* Whether an open file is this user's alone, and has room for data of the size wanted, which 0
 * leaves open. */
static bool is_plausible(int file, size_t *bytes)
{
    struct stat info;
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode) || info.st_uid != geteuid() ||
        (info.st_mode & (S_IWGRP | S_IWOTH)) || info.st_size <= SEAL_BYTES)
        return false;
    size_t found = (size_t)info.st_size - SEAL_BYTES;
    if (*bytes && found != *bytes)
        return false;
    *bytes = found;
    return true;
}

/* Whether data are followed by their seal. */
static bool is_sealed(int file, const char *key, const void *data, size_t bytes)
{
    char seal[SEAL_BYTES + 1], found[SEAL_BYTES];
    if (pread(file, found, SEAL_BYTES, (off_t)bytes) != SEAL_BYTES)
        return false;
    make_seal(key, data, bytes, seal);
    return memcmp(seal, found, SEAL_BYTES) == 0;
}

static const void *map(int file, size_t bytes)
{
    void *data = bytes ? mmap(NULL, bytes, PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
    return data == MAP_FAILED ? NULL : data;
}

void clopt_cache_release(const void *data, size_t bytes)
{
    if (data)
        munmap((void *)data, bytes);
}

const void *clopt_cache_map(int file, size_t *bytes)
{
    struct stat info;
    if (fstat(file, &info) != 0)
        return NULL;
    *bytes = (size_t)info.st_size;
    return map(file, *bytes);
}

/* Maps a file that is whole. */
static const void *find_file(const char *path, const char *key, size_t *bytes)
{
    size_t found = *bytes;
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return NULL;
    const void *data = is_plausible(file, &found) ? map(file, found) : NULL;
    if (data && !is_sealed(file, key, data, found)) {
        clopt_cache_release(data, found);
        data = NULL;
    }
    if (data) {
        futimens(file, NULL); /* the time of use decides what goes first */
        *bytes = found;
    }
    close(file);
    return data;
}

const void *clopt_cache_find(const char *folder, const char *key, size_t *bytes)
{
    CLOPT_FREED char *path = clopt_text_format("%s/%s.data", folder, key);
    return find_file(path, key, bytes);
}

/* ---- making ---- */

/* Opens a new file that has no name, so that it goes with its writer; or, where the file system has
 * no such files, one with a temporary name. -1: there is none. */
static int open_file(const char *folder, char *temporary)
{
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0)
        *temporary = '\0';
    return file >= 0 ? file : mkstemp(temporary);
}

/* Gives such a file its name, instead of the file that has it. */
static bool name_file(int file, const char *temporary, const char *path)
{
    char link[32];
    if (*temporary)
        return rename(temporary, path) == 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    unlink(path);
    return linkat(AT_FDCWD, link, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0;
}

/* Makes a new file, seals it, and names it. NULL without an error: it cannot be cached, but that is
 * no reason to fail. */
static const void *make_file(const struct clopt_cache_making *making, size_t *bytes,
                             enum clopt_status *status, struct clopt_error *error)
{
    char seal[SEAL_BYTES + 1];
    CLOPT_FREED char *path = clopt_text_format("%s/%s.data", making->folder, making->key);
    CLOPT_FREED char *temporary = clopt_text_format("%s.XXXXXX", path);
    int file = open_file(making->folder, temporary);
    const void *data = NULL;
    if (file >= 0 && making->make(making->user, file, status, error) && !*status)
        data = clopt_cache_map(file, bytes);
    if (data)
        make_seal(making->key, data, *bytes, seal);
    if (data && (pwrite(file, seal, SEAL_BYTES, (off_t)*bytes) != SEAL_BYTES ||
                 !name_file(file, temporary, path))) {
        clopt_cache_release(data, *bytes);
        data = NULL;
    }
    if (!data && file >= 0 && *temporary)
        unlink(temporary);
    if (file >= 0)
        close(file);
    return data;
}

/* Makes the data unless another process has done so by then. */
static const void *make_once(const struct clopt_cache_making *making, size_t *bytes,
                             enum clopt_status *status, struct clopt_error *error)
{
    const void *data = NULL;
    CLOPT_FREED char *path = clopt_text_format("%s/%s.lock", making->folder, making->key);
    int lock = open(path, O_CREAT | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (lock >= 0 && flock(lock, LOCK_EX) == 0 &&
        !(data = clopt_cache_find(making->folder, making->key, bytes))) {
        clopt_cache_prune(making->folder, *bytes < MOST_BYTES ? MOST_BYTES - *bytes : 0);
        data = make_file(making, bytes, status, error);
    }
    unlink(path);
    if (lock >= 0)
        close(lock);
    return data;
}

enum clopt_status clopt_cache_find_or_make(const struct clopt_cache_making *making,
                                           const void **data, size_t *bytes,
                                           struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    *data = NULL;
    if (clopt_folder_create_own(making->folder, NULL) != CLOPT_OK)
        return CLOPT_OK;
    *data = clopt_cache_find(making->folder, making->key, bytes);
    if (!*data)
        *data = make_once(making, bytes, &status, error);
    return status;
}

/* Data that are there. */
struct block {
    const char *data;
    size_t bytes;
};

static bool write_block(void *user, int file, enum clopt_status *status, struct clopt_error *error)
{
    const struct block *block = user;
    ssize_t written = 1;
    (void)status;
    (void)error;
    for (size_t at = 0; at < block->bytes && written > 0; at += (size_t)written)
        written = write(file, block->data + at, block->bytes - at);
    return written > 0;
}

void clopt_cache_put(const char *folder, const char *key, const void *data, size_t bytes)
{
    struct block block = {data, bytes};
    const struct clopt_cache_making making = {folder, key, write_block, &block};
    enum clopt_status status = CLOPT_OK;
    if (clopt_folder_create_own(folder, NULL) != CLOPT_OK)
        return;
    clopt_cache_release(make_file(&making, &bytes, &status, NULL), bytes);
}

/* ---- deletes the oldest files of a cache folder ---- */

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

/* Whether a file has a temporary name, and was not written for long: its writer was killed. */
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
    CLOPT_FREED struct old_file *files = clopt_calloc(count, sizeof *files);
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        uint64_t bytes;
        size_t own = list_files(folder, entries, count, files, &bytes);
        qsort(files, own, sizeof *files, compare_age);
        for (size_t i = 0; i < own && bytes > most_bytes; i++)
            if (unlinkat(folder, files[i].name, 0) == 0)
                bytes -= files[i].bytes;
        close(folder);
    }
    for (size_t i = 0; i < count; i++)
        free(entries[i]);
}
