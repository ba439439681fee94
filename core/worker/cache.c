/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps inputs and references that take long to make on disk, for all workers and later studies. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <clopt/app.h>

#include "base/file.h"
#include "base/sha256.h"
#include "base/text.h"
#include "base/values.h"

/* The oldest files go when all of them together take more than this. */
#define LARGEST_CACHE_BYTES ((uint64_t)8 << 30)

/* Returns the cache folder for the caller to free; NULL where the environment names none. */
static char *cache_folder(void)
{
    const char *folder = getenv("CLOPT_CACHE_DIR");
    if (folder && *folder)
        return strdup(folder);
    folder = getenv("XDG_CACHE_HOME");
    if (folder && *folder)
        return clopt_path_join(folder, "clopt");
    folder = getenv("HOME");
    return folder && *folder ? clopt_path_join(folder, ".cache/clopt") : NULL;
}

/* Names the file after everything on which its contents depend. */
static void make_key(const struct clopt_problem *problem, const char *what, size_t bytes,
                     char key[CLOPT_HASH_SIZE])
{
    struct clopt_sha256 hash;
    clopt_sha256_init(&hash);
    clopt_sha256_add_string(&hash, problem->app);
    clopt_sha256_add_string(&hash, problem->app_hash);
    clopt_sha256_add_string(&hash, what);
    clopt_sha256_add(&hash, &problem->seed, sizeof problem->seed);
    clopt_sha256_add(&hash, &bytes, sizeof bytes);
    for (size_t i = 0; i < problem->inputs->count; i++) {
        const struct clopt_value *value = &problem->inputs->items[i];
        clopt_sha256_add_string(&hash, value->name);
        clopt_sha256_add_string(&hash, value->text);
        struct stat info;
        if (value->type == CLOPT_FILE && value->text && stat(value->text, &info) == 0) {
            clopt_sha256_add(&hash, &info.st_size, sizeof info.st_size);
            clopt_sha256_add(&hash, &info.st_mtim, sizeof info.st_mtim);
        }
    }
    clopt_sha256_end(&hash, key);
}

/* Maps a complete file; NULL where there is none of the right size. */
static const void *map_file(const char *path, size_t bytes)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return NULL;
    struct stat info;
    void *data = MAP_FAILED;
    if (fstat(file, &info) == 0 && info.st_size >= 0 && (uint64_t)info.st_size == bytes)
        data = mmap(NULL, bytes, PROT_READ, MAP_SHARED, file, 0);
    if (data != MAP_FAILED)
        futimens(file, NULL); /* the time of use decides what goes first */
    close(file);
    return data == MAP_FAILED ? NULL : data;
}

/* Deletes the files used least recently while `more` bytes do not fit beside them. */
static void make_room(const char *folder, uint64_t more)
{
    for (;;) {
        DIR *listing = opendir(folder);
        if (!listing)
            return;
        uint64_t total = more;
        struct timespec oldest_time = {0};
        char *oldest = NULL;
        struct dirent *entry;
        while ((entry = readdir(listing))) {
            struct stat info;
            size_t length = strlen(entry->d_name);
            if (length < 5 || strcmp(entry->d_name + length - 5, ".data") != 0 ||
                fstatat(dirfd(listing), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
                continue;
            total += (uint64_t)info.st_size;
            if (!oldest || info.st_mtim.tv_sec < oldest_time.tv_sec) {
                free(oldest);
                oldest = clopt_path_join(folder, entry->d_name);
                oldest_time = info.st_mtim;
            }
        }
        closedir(listing);
        bool full = total > LARGEST_CACHE_BYTES && oldest;
        if (full)
            unlink(oldest);
        free(oldest);
        if (!full)
            return;
    }
}

/* Fills a new file under a temporary name and renames it. NULL without an error: it cannot be
 * kept, but that is no reason to fail. */
static const void *make_file(const char *path, size_t bytes, clopt_fill fill, void *user,
                             struct clopt_error *error, enum clopt_status *status)
{
    struct clopt_text temporary = {0};
    clopt_text_printf(&temporary, "%s.XXXXXX", path);
    int file = temporary.failed ? -1 : mkstemp(temporary.data);
    void *data = MAP_FAILED;
    /* Without the allocation a full disk would show as SIGBUS. */
    if (file >= 0 && posix_fallocate(file, 0, (off_t)bytes) == 0)
        data = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (data != MAP_FAILED) {
        *status = fill(user, data, bytes, error);
        if (*status || mprotect(data, bytes, PROT_READ) != 0 || rename(temporary.data, path) != 0) {
            munmap(data, bytes);
            data = MAP_FAILED;
        }
    }
    if (data == MAP_FAILED && file >= 0)
        unlink(temporary.data);
    if (file >= 0)
        close(file);
    clopt_text_fini(&temporary);
    return data == MAP_FAILED ? NULL : data;
}

/* Maps the file, or makes it; of several processes that want it at once, one makes it. */
static const void *map_or_make(const char *folder, const char *key, size_t bytes, clopt_fill fill,
                               void *user, struct clopt_error *error, enum clopt_status *status)
{
    struct clopt_text path = {0}, lock_path = {0};
    clopt_text_printf(&path, "%s/%s.data", folder, key);
    clopt_text_printf(&lock_path, "%s/%s.lock", folder, key);
    const void *data = NULL;
    if (!path.failed && !lock_path.failed && (data = map_file(path.data, bytes)) == NULL) {
        int lock = open(lock_path.data, O_CREAT | O_RDWR | O_CLOEXEC, 0666);
        if (lock >= 0 && flock(lock, LOCK_EX) == 0 && (data = map_file(path.data, bytes)) == NULL) {
            make_room(folder, bytes);
            data = make_file(path.data, bytes, fill, user, error, status);
        }
        unlink(lock_path.data);
        if (lock >= 0)
            close(lock);
    }
    clopt_text_fini(&path);
    clopt_text_fini(&lock_path);
    return data;
}

enum clopt_status clopt_cached(const struct clopt_problem *problem, const char *what, size_t bytes,
                               clopt_fill fill, void *user, const void **data,
                               struct clopt_error *error)
{
    char key[CLOPT_HASH_SIZE];
    make_key(problem, what, bytes, key);
    enum clopt_status status = CLOPT_OK;
    char *folder = cache_folder();
    *data = NULL;
    if (folder && clopt_folder_create(folder, NULL) == CLOPT_OK)
        *data = map_or_make(folder, key, bytes, fill, user, error, &status);
    free(folder);
    if (*data || status)
        return status;
    /* No cache to be had: the data is made for this process alone. */
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return clopt_fail_memory(error);
    status = fill(user, memory, bytes, error);
    if (status)
        munmap(memory, bytes);
    else
        *data = memory;
    return status;
}

void clopt_cached_release(const void *data, size_t bytes)
{
    if (data)
        munmap((void *)data, bytes);
}
