/* SPDX-License-Identifier: BSD-3-Clause */
/* Caches inputs and references that take long to make on disk, for all workers and later studies.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create() */
#endif
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fcntl.h>

#include <clopt/app.h>

#include "base/cache.h"
#include "base/file_hash.h"
#include "base/text.h"
#include "base/values.h"

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

/* Fills an empty file; false where it has no room. */
static bool fill_file(const struct request *request, int file, enum clopt_status *status,
                      struct clopt_error *error)
{
    /* Without the allocation a full disk would show as SIGBUS. */
    if (posix_fallocate(file, 0, (off_t)request->bytes) != 0)
        return false;
    void *memory = mmap(NULL, request->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED)
        return false;
    *status = request->fill(request->user, memory, request->bytes, error);
    munmap(memory, request->bytes);
    return true;
}

/* Has an empty file written; false where it has no room. */
static bool write_file(const struct request *request, int file, enum clopt_status *status,
                       struct clopt_error *error)
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
    return fclose(stream) == 0 && whole;
}

/* Makes the data in an empty file; false where it has no room. A file of the inputs that changes
 * meanwhile makes data that belong to no state of it. */
static bool make(void *user, int file, enum clopt_status *status, struct clopt_error *error)
{
    const struct request *request = user;
    bool done = request->write ? write_file(request, file, status, error)
                               : fill_file(request, file, status, error);
    char key[CLOPT_HASH_SIZE];
    make_key(request, key);
    if (done && !*status && strcmp(key, request->key) != 0)
        *status = clopt_fail(error, CLOPT_FAILED,
                             "a file changed while it was read; try again when it is complete");
    return done;
}

/* Makes the data for this process alone: there is no cache to be had. */
static enum clopt_status make_alone(struct request *request, const void **data, size_t *bytes,
                                    struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    int file = memfd_create(request->what, MFD_CLOEXEC);
    if (file >= 0 && make(request, file, &status, error) && !status)
        *data = clopt_cache_map(file, bytes);
    if (file >= 0)
        close(file);
    return *data || status ? status : clopt_fail_memory(error);
}

static enum clopt_status find_or_make(struct request *request, const void **data, size_t *bytes,
                                      struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    char *folder = clopt_cache_folder(NULL);
    make_key(request, request->key);
    *data = NULL;
    *bytes = request->bytes;
    if (folder)
        status = clopt_cache_find_or_make(folder, request->key, make, request, data, bytes, error);
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
    clopt_cache_release(data, bytes);
}
