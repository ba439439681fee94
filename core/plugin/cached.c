/* SPDX-License-Identifier: BSD-3-Clause */
/* Caches inputs and references that take long to make on disk, for workers and later studies. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create() */
#endif
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fcntl.h>

#include <clopt/app.h>

#include "file/cache.h"
#include "file/file_hash.h"
#include "number/values.h"
#include "process/child.h"

#define MOST_BLOCKS 64

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

/* ---- memory ---- */

/* Data that are in no file: they take memory even where no page of them is mapped. */
static struct block {
    const void *data; /* NULL: none */
    size_t bytes;
} blocks[MOST_BLOCKS];

/* Notes such data, or with 0 bytes that they have gone. */
static void note_block(const void *data, size_t bytes)
{
    for (size_t i = 0; data && i < MOST_BLOCKS; i++)
        if (blocks[i].data == (bytes ? NULL : data)) {
            blocks[i] = (struct block){bytes ? data : NULL, bytes};
            return;
        }
}

/* Returns what is there now for a process: what its limit leaves, and what is free. */
static uint64_t memory_left(const struct clopt_problem *problem)
{
    uint64_t held = clopt_memory_of(getpid()), limit = problem->memory_bytes;
    for (size_t i = 0; i < MOST_BLOCKS; i++)
        held += blocks[i].bytes;
    uint64_t left = !limit ? UINT64_MAX : held < limit ? limit - held : 0;
    uint64_t available = clopt_memory_free();
    return available && available < left ? available : left;
}

enum clopt_status clopt_check_memory(const struct clopt_problem *problem, size_t bytes,
                                     struct clopt_error *error)
{
    uint64_t left = memory_left(problem), limit = problem->memory_bytes;
    if (bytes <= left)
        return CLOPT_OK;
    return clopt_fail(error, CLOPT_OUT_OF_RESOURCES,
                      "%.2f GiB of memory are needed for one of its inputs, and %.2f GiB are left "
                      "(the limit is %.2f GiB, %.2f GiB are free): choose a smaller problem, or "
                      "raise [limits] memory",
                      (double)bytes / 0x1p30, (double)left / 0x1p30, (double)limit / 0x1p30,
                      (double)clopt_memory_free() / 0x1p30);
}

/* ---- making ---- */

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
    *status = clopt_check_memory(request->problem, request->bytes, error);
    if (*status)
        return true;
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
    struct rlimit limit = {0}, old;
    getrlimit(RLIMIT_FSIZE, &old);
    limit.rlim_cur = memory_left(request->problem);
    limit.rlim_max = old.rlim_max;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    int file = memfd_create(request->what, MFD_CLOEXEC);
    if (request->write && limit.rlim_cur < old.rlim_cur)
        setrlimit(RLIMIT_FSIZE, &limit); /* what will be written has no size yet */
    if (file >= 0 && make(request, file, &status, error) && !status)
        *data = clopt_cache_map(file, bytes);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, handler);
    note_block(*data, *bytes);
    if (file >= 0)
        close(file);
    return *data || status ? status : clopt_fail_memory(error);
}

static enum clopt_status find_or_make(struct request *request, const void **data, size_t *bytes,
                                      struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    CLOPT_FREED char *folder = clopt_cache_folder(NULL);
    make_key(request, request->key);
    *data = NULL;
    *bytes = request->bytes;
    if (folder)
        status = clopt_cache_find_or_make(
            &(struct clopt_cache_making){folder, request->key, make, request}, data, bytes, error);
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
    note_block(data, 0);
    clopt_cache_release(data, bytes);
}
