/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps inputs and references that take long to make on disk, for all workers and later studies. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create() */
#endif
#include "worker/cache.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <clopt/app.h>

#include "base/file.h"
#include "base/file_hash.h"
#include "base/folder.h"
#include "base/text.h"
#include "base/values.h"
#include "worker/kept.h"

/* The oldest files go when all of them together take more than this. */
#define MOST_BYTES ((uint64_t)8 << 30)

/* What is wanted, and who makes it: one of both. */
struct request {
    const struct clopt_problem *problem;
    const char *what;
    size_t bytes; /* 0: whatever `write` writes */
    clopt_fill fill;
    clopt_writer write;
    void *user;
    char key[CLOPT_HASH_SIZE];
};

/* Returns the folder that the environment names, for the caller to free. */
static char *find_folder(void)
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

char *clopt_cache_folder(const char *below)
{
    char *folder = find_folder();
    if (!folder || !below)
        return folder;
    char *path = clopt_path_join(folder, below);
    free(folder);
    return path;
}

/* Names the file after everything on which its contents depend. */
static void make_key(const struct request *request, char key[CLOPT_HASH_SIZE])
{
    const struct clopt_problem *problem = request->problem;
    struct clopt_sha256 hash;
    clopt_sha256_init(&hash);
    clopt_sha256_add_string(&hash, problem->app);
    clopt_sha256_add_string(&hash, problem->app_hash);
    clopt_sha256_add_string(&hash, request->what);
    clopt_sha256_add(&hash, &problem->seed, sizeof problem->seed);
    clopt_sha256_add(&hash, &request->bytes, sizeof request->bytes);
    for (size_t i = 0; i < problem->inputs->count; i++) {
        const struct clopt_value *value = &problem->inputs->items[i];
        clopt_sha256_add_string(&hash, value->name);
        clopt_sha256_add_string(&hash, value->text);
        if (value->type == CLOPT_FILE && value->text)
            clopt_file_add_identity(&hash, value->text);
    }
    clopt_sha256_end(&hash, key);
}

/* ---- what tells that a file is whole ---- */

/* What follows the data in a file: the key, their checksum, their length. */
#define SEAL       "clopt data 1 %s %016" PRIx64 " %020zu\n"
#define SEAL_BYTES (13 + 64 + 1 + 16 + 1 + 20 + 1)

/* Mixes all words of a block in four independent lanes, at the speed of memory. Each step can be
 * undone, so that any change within a word changes the result; other changes do so but for one in
 * 2^64. That is enough against damage; nobody else may write here. */
static uint64_t checksum(const unsigned char *data, size_t bytes)
{
    uint64_t lanes[4] = {1, 2, 3, 4}, sum = bytes;
    for (size_t at = 0; at < bytes; at += sizeof lanes) {
        uint64_t words[4] = {0};
        memcpy(words, data + at, bytes - at < sizeof words ? bytes - at : sizeof words);
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
    snprintf(seal, SEAL_BYTES + 1, SEAL, key, checksum(data, bytes), bytes);
}

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

/* Maps a file that is whole; NULL where there is none. */
static const void *map_file(const char *path, const char *key, size_t *bytes)
{
    size_t found = *bytes;
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return NULL;
    void *data = MAP_FAILED;
    if (is_plausible(file, &found))
        data = mmap(NULL, found, PROT_READ, MAP_SHARED, file, 0);
    if (data != MAP_FAILED && !is_sealed(file, key, data, found)) {
        munmap(data, found);
        data = MAP_FAILED;
    }
    if (data != MAP_FAILED) {
        futimens(file, NULL); /* the time of use decides what goes first */
        *bytes = found;
    }
    close(file);
    return data == MAP_FAILED ? NULL : data;
}

/* ---- making the data ---- */

/* Fills an empty file; false where it has no room. */
static bool fill_file(const struct request *request, int file, const void **data,
                      enum clopt_status *status, struct clopt_error *error)
{
    /* Without the allocation a full disk would show as SIGBUS. */
    if (posix_fallocate(file, 0, (off_t)request->bytes) != 0)
        return false;
    void *memory = mmap(NULL, request->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED)
        return false;
    *status = request->fill(request->user, memory, request->bytes, error);
    if (*status || mprotect(memory, request->bytes, PROT_READ) != 0)
        munmap(memory, request->bytes);
    else
        *data = memory;
    return *data || *status;
}

/* Has an empty file written; false where it has no room. */
static bool write_file(const struct request *request, int file, const void **data, size_t *bytes,
                       enum clopt_status *status, struct clopt_error *error)
{
    int other = dup(file);
    FILE *stream = other < 0 ? NULL : fdopen(other, "w");
    if (!stream) {
        if (other >= 0)
            close(other);
        return false;
    }
    *status = request->write(request->user, stream, error);
    bool whole = !ferror(stream);
    whole = fclose(stream) == 0 && whole;
    struct stat info;
    if (*status || !whole || fstat(file, &info) != 0 || info.st_size <= 0)
        return *status;
    void *memory = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED)
        return false;
    *bytes = (size_t)info.st_size;
    *data = memory;
    return true;
}

/* Makes the data in an empty file; false where it has no room. A file of the inputs that changes
 * meanwhile makes data that belong to no state of it. */
static bool make(const struct request *request, int file, const void **data, size_t *bytes,
                 enum clopt_status *status, struct clopt_error *error)
{
    bool done = request->write ? write_file(request, file, data, bytes, status, error)
                               : fill_file(request, file, data, status, error);
    char key[CLOPT_HASH_SIZE];
    make_key(request, key);
    if (!*data || strcmp(key, request->key) == 0)
        return done;
    clopt_cached_release(*data, *bytes);
    *data = NULL;
    *status = clopt_fail(error, CLOPT_FAILED,
                         "a file changed while it was read; try again when it is complete");
    return true;
}

/* Seals the data in a file, and gives it its name once it is on the disk. */
static bool keep_file(const struct request *request, int file, const void *data, size_t bytes,
                      const char *temporary, const char *path)
{
    char seal[SEAL_BYTES + 1];
    make_seal(request->key, data, bytes, seal);
    return pwrite(file, seal, SEAL_BYTES, (off_t)bytes) == SEAL_BYTES && fsync(file) == 0 &&
           rename(temporary, path) == 0;
}

/* Makes a new file under a temporary name and renames it. NULL without an error: it cannot be
 * kept, but that is no reason to fail. */
static const void *make_file(const struct request *request, const char *path, size_t *bytes,
                             enum clopt_status *status, struct clopt_error *error)
{
    struct clopt_text temporary = {0};
    clopt_text_printf(&temporary, "%s.XXXXXX", path);
    int file = temporary.failed ? -1 : mkstemp(temporary.data);
    const void *data = NULL;
    if (file >= 0 && make(request, file, &data, bytes, status, error) && data &&
        !keep_file(request, file, data, *bytes, temporary.data, path)) {
        clopt_cached_release(data, *bytes);
        data = NULL;
    }
    if (!data && file >= 0)
        unlink(temporary.data);
    if (file >= 0)
        close(file);
    clopt_text_fini(&temporary);
    return data;
}

/* Maps the file, or makes it; of several processes that want it at once, one makes it. */
static const void *map_or_make(const struct request *request, const char *folder, size_t *bytes,
                               enum clopt_status *status, struct clopt_error *error)
{
    struct clopt_text path = {0}, lock_path = {0};
    clopt_text_printf(&path, "%s/%s.data", folder, request->key);
    clopt_text_printf(&lock_path, "%s/%s.lock", folder, request->key);
    const void *data = NULL;
    if (!path.failed && !lock_path.failed &&
        (data = map_file(path.data, request->key, bytes)) == NULL) {
        int lock = open(lock_path.data, O_CREAT | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (lock >= 0 && flock(lock, LOCK_EX) == 0 &&
            (data = map_file(path.data, request->key, bytes)) == NULL) {
            clopt_kept_prune(folder, *bytes < MOST_BYTES ? MOST_BYTES - *bytes : 0);
            data = make_file(request, path.data, bytes, status, error);
        }
        unlink(lock_path.data);
        if (lock >= 0)
            close(lock);
    }
    clopt_text_fini(&path);
    clopt_text_fini(&lock_path);
    return data;
}

/* Makes the data for this process alone: there is no cache to be had. */
static enum clopt_status make_alone(const struct request *request, const void **data, size_t *bytes,
                                    struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    int file = memfd_create(request->what, MFD_CLOEXEC);
    if (file < 0 || !make(request, file, data, bytes, &status, error))
        status = clopt_fail_memory(error);
    if (file >= 0)
        close(file);
    return status;
}

static enum clopt_status find_or_make(struct request *request, const void **data, size_t *bytes,
                                      struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    char *folder = clopt_cache_folder(NULL);
    make_key(request, request->key);
    *data = NULL;
    *bytes = request->bytes;
    if (folder && clopt_folder_create_own(folder, NULL) == CLOPT_OK)
        *data = map_or_make(request, folder, bytes, &status, error);
    free(folder);
    return *data || status ? status : make_alone(request, data, bytes, error);
}

enum clopt_status clopt_cached(const struct clopt_problem *problem, const char *what, size_t bytes,
                               clopt_fill fill, void *user, const void **data,
                               struct clopt_error *error)
{
    struct request request = {problem, what, bytes, .fill = fill, .user = user};
    return find_or_make(&request, data, &bytes, error);
}

enum clopt_status clopt_cached_stream(const struct clopt_problem *problem, const char *what,
                                      clopt_writer write, void *user, const void **data,
                                      size_t *bytes, struct clopt_error *error)
{
    struct request request = {problem, what, .write = write, .user = user};
    return find_or_make(&request, data, bytes, error);
}

void clopt_cached_release(const void *data, size_t bytes)
{
    if (data)
        munmap((void *)data, bytes);
}
