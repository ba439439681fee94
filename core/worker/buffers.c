/* SPDX-License-Identifier: BSD-3-Clause */
/* The device buffers of an app. */
#include "worker/buffers.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "opencl/name.h"
#include "opencl/traits.h"
#include "worker/digest.h"
#include "worker/session.h"

/* As integer no number that a kernel would come up with. */
static const uint32_t poison = CLOPT_POISON;

#define PIECE_BYTES ((size_t)16 << 20)
#define GUARD_BYTES ((size_t)4096) /* also a multiple of every base address alignment */

size_t clopt_buffers_guard_bytes(const struct clopt_buffers *buffers)
{
    return clopt_traits_find(buffers->context->info.platform)->checks_accesses ? 0 : GUARD_BYTES;
}

static size_t whole_bytes(const struct clopt_buffers *buffers, size_t bytes)
{
    return (bytes + 15) / 16 * 16 + 2 * clopt_buffers_guard_bytes(buffers);
}

static void release(cl_mem *memory)
{
    if (*memory)
        clReleaseMemObject(*memory);
    *memory = NULL;
}

static void buffer_fini(struct clopt_device_buffer *buffer)
{
    release(&buffer->pristine);
    release(&buffer->data);
    release(&buffer->whole);
    *buffer = (struct clopt_device_buffer){0};
}

void clopt_buffers_fini(struct clopt_buffers *buffers)
{
    for (unsigned id = 0; id < CLOPT_MAX_BUFFERS; id++)
        buffer_fini(&buffers->items[id]);
    buffers->bytes = 0;
}

static enum clopt_status fill(struct clopt_buffers *buffers, cl_mem memory, size_t bytes,
                              struct clopt_error *error)
{
    cl_int code = clEnqueueFillBuffer(buffers->context->queue, memory, &poison, sizeof poison, 0,
                                      bytes, 0, NULL, NULL);
    return code == CL_SUCCESS ? CLOPT_OK : clopt_fail_cl(error, "clEnqueueFillBuffer", code);
}

/* Gives back the memory of whole pages; what they hold stays in the mapped file. */
static void drop_pages(const unsigned char *data, size_t bytes)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = ((uintptr_t)data + page - 1) / page * page;
    uintptr_t end = ((uintptr_t)data + bytes) / page * page;
    if (first < end)
        madvise((void *)first, end - first, MADV_DONTNEED);
}

/* Uploads contents of the cache piece by piece, so that host and device never hold all of them. */
static enum clopt_status upload_cached(struct clopt_buffers *buffers, cl_mem memory,
                                       const struct clopt_device_buffer *buffer,
                                       struct clopt_error *error)
{
    cl_int code = CL_SUCCESS;
    for (size_t at = 0; at < buffer->bytes && code == CL_SUCCESS; at += PIECE_BYTES) {
        size_t bytes = buffer->bytes - at < PIECE_BYTES ? buffer->bytes - at : PIECE_BYTES;
        const unsigned char *piece = (const unsigned char *)buffer->contents + at;
        code = clEnqueueWriteBuffer(buffers->context->queue, memory, CL_TRUE, at, bytes, piece, 0,
                                    NULL, NULL);
        drop_pages(piece, bytes);
    }
    return code == CL_SUCCESS ? CLOPT_OK : clopt_fail_cl(error, "clEnqueueWriteBuffer", code);
}

/* Enqueues what gives a buffer its first contents, if it has any. */
static enum clopt_status upload(struct clopt_buffers *buffers, cl_mem memory,
                                const struct clopt_device_buffer *buffer, struct clopt_error *error)
{
    cl_command_queue queue = buffers->context->queue;
    cl_int code = CL_SUCCESS;
    const char *call = "clEnqueueWriteBuffer";
    if (buffer->cached)
        return upload_cached(buffers, memory, buffer, error);
    if (buffer->value_bytes) {
        call = "clEnqueueFillBuffer";
        code = clEnqueueFillBuffer(queue, memory, buffer->value, buffer->value_bytes, 0,
                                   buffer->bytes, 0, NULL, NULL);
    } else if (buffer->contents) {
        code = clEnqueueWriteBuffer(queue, memory, CL_FALSE, 0, buffer->bytes, buffer->contents, 0,
                                    NULL, NULL);
    }
    return code == CL_SUCCESS ? CLOPT_OK : clopt_fail_cl(error, call, code);
}

static enum clopt_status allocate(struct clopt_context *context, size_t bytes, cl_mem *memory,
                                  struct clopt_error *error)
{
    cl_int code;
    *memory = clCreateBuffer(context->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    if (code == CL_SUCCESS)
        return CLOPT_OK;
    *memory = NULL;
    clopt_fail_cl(error, "clCreateBuffer", code);
    if (code == CL_INVALID_BUFFER_SIZE)
        error->status = CLOPT_OUT_OF_RESOURCES;
    return clopt_fail(error, error->status,
                      "%s: %zu bytes; the device allows %llu at once; choose a smaller problem",
                      error->message, bytes,
                      (unsigned long long)context->info.max_allocation_bytes);
}

/* Allocates a buffer with its guards and gives it its first contents. */
static enum clopt_status buffer_init(struct clopt_buffers *buffers,
                                     struct clopt_device_buffer *buffer, struct clopt_error *error)
{
    struct clopt_context *context = buffers->context;
    size_t whole = whole_bytes(buffers, buffer->bytes);
    enum clopt_status status = allocate(context, whole, &buffer->whole, error);
    if (status)
        return status;
    buffers->bytes += whole;
    cl_buffer_region region = {clopt_buffers_guard_bytes(buffers), buffer->bytes};
    cl_int code;
    buffer->data = clCreateSubBuffer(buffer->whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                     &region, &code);
    if (code != CL_SUCCESS) {
        buffer->data = NULL;
        return clopt_fail_cl(error, "clCreateSubBuffer", code);
    }
    status = fill(buffers, buffer->whole, whole, error);
    if (!status)
        status = upload(buffers, buffer->data, buffer, error);
    /* The host's memory is a CPU device's own: a second copy there would only cost memory. */
    bool keep_pristine = buffer->use == CLOPT_IN_OUT && !buffer->value_bytes &&
                         strcmp(context->info.type, "cpu") != 0;
    if (!status && keep_pristine) {
        status = allocate(context, buffer->bytes, &buffer->pristine, error);
        if (!status) {
            buffers->bytes += buffer->bytes;
            status = upload(buffers, buffer->pristine, buffer, error);
        }
    }
    if (!status && (code = clFinish(context->queue)) != CL_SUCCESS)
        status = clopt_fail_cl(error, "clFinish", code);
    return status;
}

/* Takes a place among the buffers of a session. */
static enum clopt_status ask(struct clopt_session *session, unsigned id,
                             const struct clopt_device_buffer *wanted, bool complete)
{
    struct clopt_error *error = &session->error;
    if (id >= CLOPT_MAX_BUFFERS || session->buffers->items[id].name)
        return clopt_fail(error, CLOPT_FAILED, "buffer %s: number %u is taken or above %d",
                          wanted->name, id, CLOPT_MAX_BUFFERS - 1);
    if (wanted->bytes == 0 || !complete)
        return clopt_fail(error, CLOPT_FAILED, "buffer %s: no %s given", wanted->name,
                          wanted->bytes ? "contents" : "size");
    session->buffers->items[id] = *wanted;
    return CLOPT_OK;
}

static bool needs_contents(enum clopt_buffer_use use)
{
    return use == CLOPT_INPUT || use == CLOPT_IN_OUT;
}

enum clopt_status clopt_buffer(struct clopt_session *session, unsigned id, const char *name,
                               enum clopt_buffer_use use, size_t bytes, const void *contents)
{
    struct clopt_device_buffer wanted = {.name = name, .use = use, .bytes = bytes};
    wanted.contents = needs_contents(use) ? contents : NULL;
    return ask(session, id, &wanted, contents || !needs_contents(use));
}

enum clopt_status clopt_buffer_cached(struct clopt_session *session, unsigned id, const char *name,
                                      enum clopt_buffer_use use, size_t bytes, const void *contents)
{
    struct clopt_device_buffer wanted = {.name = name, .use = use, .bytes = bytes};
    wanted.contents = contents;
    wanted.cached = true;
    return ask(session, id, &wanted, contents && needs_contents(use));
}

enum clopt_status clopt_buffer_filled(struct clopt_session *session, unsigned id, const char *name,
                                      size_t bytes, const void *value, size_t value_bytes)
{
    struct clopt_device_buffer wanted = {.name = name, .use = CLOPT_IN_OUT, .bytes = bytes};
    bool possible = value_bytes > 0 && value_bytes <= sizeof wanted.value &&
                    (value_bytes & (value_bytes - 1)) == 0;
    if (!possible || bytes % value_bytes != 0)
        return clopt_fail(&session->error, CLOPT_FAILED,
                          "buffer %s: %zu bytes cannot be filled with values of %zu", name, bytes,
                          value_bytes);
    memcpy(wanted.value, value, value_bytes);
    wanted.value_bytes = value_bytes;
    return ask(session, id, &wanted, true);
}

enum clopt_status clopt_buffers_create(struct clopt_buffers *buffers, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    for (unsigned id = 0; id < CLOPT_MAX_BUFFERS && !status; id++) {
        struct clopt_device_buffer *buffer = &buffers->items[id];
        if (!buffer->name)
            continue;
        status = buffer->is_image ? clopt_image_create(buffers, buffer, error)
                                  : buffer_init(buffers, buffer, error);
        if (status)
            clopt_fail_within(error, "%s %s", buffer->is_image ? "image" : "buffer", buffer->name);
    }
    return status;
}

static bool have_one_format(const struct clopt_device_buffer *a,
                            const struct clopt_device_buffer *b)
{
    const struct clopt_image_format *first = &a->format;
    const struct clopt_image_format *second = &b->format;
    if (!a->is_image || !b->is_image)
        return a->is_image == b->is_image;
    return first->channel == second->channel && first->channels == second->channels &&
           first->dimensions == second->dimensions &&
           memcmp(first->size, second->size, sizeof first->size) == 0;
}

static bool are_alike(const struct clopt_device_buffer *a, const struct clopt_device_buffer *b)
{
    if (!a->name || !b->name)
        return !a->name == !b->name;
    return strcmp(a->name, b->name) == 0 && a->use == b->use && a->bytes == b->bytes &&
           a->contents == b->contents && a->value_bytes == b->value_bytes &&
           memcmp(a->value, b->value, sizeof a->value) == 0 && have_one_format(a, b);
}

bool clopt_buffers_are_alike(const struct clopt_buffers *a, const struct clopt_buffers *b)
{
    for (unsigned id = 0; id < CLOPT_MAX_BUFFERS; id++)
        if (!are_alike(&a->items[id], &b->items[id]))
            return false;
    return true;
}

enum clopt_status clopt_buffers_restore(struct clopt_buffers *buffers, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    for (unsigned id = 0; id < CLOPT_MAX_BUFFERS && !status; id++) {
        struct clopt_device_buffer *buffer = &buffers->items[id];
        if (buffer->use != CLOPT_IN_OUT || !buffer->name)
            continue;
        if (buffer->is_image) {
            status = clopt_image_fill(buffers, buffer, error);
            continue;
        }
        if (!buffer->pristine) {
            status = upload(buffers, buffer->data, buffer, error);
            continue;
        }
        cl_int code = clEnqueueCopyBuffer(buffers->context->queue, buffer->pristine, buffer->data,
                                          0, 0, buffer->bytes, 0, NULL, NULL);
        if (code != CL_SUCCESS)
            status = clopt_fail_cl(error, "clEnqueueCopyBuffer", code);
    }
    return status;
}

/* Whether an input and its guards hold what was written there last: that is read at the speed of
 * the device's memory, and need not be written again. */
static bool is_unchanged(struct clopt_buffers *buffers, const struct clopt_device_buffer *buffer)
{
    char digest[CLOPT_HASH_SIZE];
    struct clopt_error none;
    return buffer->digest[0] && clopt_buffer_digest(buffers, buffer, digest, &none) == CLOPT_OK &&
           strcmp(digest, buffer->digest) == 0;
}

/* Fills a buffer and its guards. Of an input the digest is noted, where more runs are to come: a
 * faulty variant may write there. */
static enum clopt_status poison_buffer(struct clopt_buffers *buffers,
                                       struct clopt_device_buffer *buffer,
                                       struct clopt_error *error)
{
    struct clopt_error none;
    bool expects_more = buffers->context->builds && buffer->use == CLOPT_INPUT &&
                        clopt_buffer_is_large(buffers, buffer);
    if (is_unchanged(buffers, buffer))
        return CLOPT_OK;
    buffer->digest[0] = '\0';
    enum clopt_status status =
        fill(buffers, buffer->whole, whole_bytes(buffers, buffer->bytes), error);
    if (!status)
        status = upload(buffers, buffer->data, buffer, error);
    if (!status && expects_more && clopt_buffer_digest(buffers, buffer, buffer->digest, &none))
        buffer->digest[0] = '\0';
    return status;
}

enum clopt_status clopt_buffers_poison(struct clopt_buffers *buffers, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    for (unsigned id = 0; id < CLOPT_MAX_BUFFERS && !status; id++) {
        struct clopt_device_buffer *buffer = &buffers->items[id];
        if (!buffer->name)
            continue;
        status = buffer->is_image ? clopt_image_fill(buffers, buffer, error)
                                  : poison_buffer(buffers, buffer, error);
    }
    return status;
}

/* Tells whether a guard still holds poison; `skip` bytes at its start belong to the data. */
static bool intact(const unsigned char *guard, size_t skip)
{
    for (size_t i = skip; i < GUARD_BYTES; i++)
        if (guard[i] != ((const unsigned char *)&poison)[i % 4])
            return false;
    return true;
}

enum clopt_status clopt_buffers_check_guards(struct clopt_buffers *buffers,
                                             struct clopt_error *error)
{
    static const char *const sides[] = {"before", "behind"};
    if (!clopt_buffers_guard_bytes(buffers))
        return CLOPT_OK;
    for (unsigned id = 0; id < CLOPT_MAX_BUFFERS; id++) {
        const struct clopt_device_buffer *buffer = &buffers->items[id];
        if (!buffer->name || buffer->is_image)
            continue;
        size_t tail = buffer->bytes % 4;
        size_t offsets[] = {0, GUARD_BYTES + buffer->bytes - tail};
        for (int side = 0; side < 2; side++) {
            unsigned char guard[GUARD_BYTES];
            cl_int code = clEnqueueReadBuffer(buffers->context->queue, buffer->whole, CL_TRUE,
                                              offsets[side], sizeof guard, guard, 0, NULL, NULL);
            if (code != CL_SUCCESS)
                return clopt_fail_cl(error, "clEnqueueReadBuffer", code);
            if (!intact(guard, side ? tail : 0))
                return clopt_fail(error, CLOPT_WRONG_RESULT, "wrote %s buffer %s", sides[side],
                                  buffer->name);
        }
    }
    return CLOPT_OK;
}

/* Finds a buffer and checks a range of it. */
static const struct clopt_device_buffer *find(struct clopt_session *session, unsigned id,
                                              size_t offset, size_t bytes)
{
    const struct clopt_device_buffer *buffer =
        id < CLOPT_MAX_BUFFERS ? &session->buffers->items[id] : NULL;
    if (!buffer || !buffer->name) {
        clopt_fail(&session->error, CLOPT_FAILED, "buffer number %u does not exist", id);
        return NULL;
    }
    if (offset > buffer->bytes || bytes > buffer->bytes - offset) {
        clopt_fail(&session->error, CLOPT_FAILED,
                   "buffer %s: bytes %zu to %zu of %zu are outside of it", buffer->name, offset,
                   offset + bytes, buffer->bytes);
        return NULL;
    }
    if (buffer->is_image && bytes != buffer->bytes) {
        clopt_fail(&session->error, CLOPT_FAILED, "image %s: only all of it can be copied",
                   buffer->name);
        return NULL;
    }
    return buffer;
}

enum clopt_status clopt_read(struct clopt_session *session, unsigned id, size_t offset,
                             size_t bytes, void *destination)
{
    const struct clopt_device_buffer *buffer = find(session, id, offset, bytes);
    if (!buffer)
        return session->error.status;
    if (buffer->is_image)
        return clopt_image_copy_out(session->buffers, buffer, destination, &session->error);
    cl_int code = clEnqueueReadBuffer(session->context->queue, buffer->data, CL_TRUE, offset, bytes,
                                      destination, 0, NULL, NULL);
    if (code == CL_SUCCESS)
        return CLOPT_OK;
    clopt_fail_cl(&session->error, "clEnqueueReadBuffer", code);
    return clopt_fail_within(&session->error, "buffer %s", buffer->name);
}

enum clopt_status clopt_write(struct clopt_session *session, unsigned id, size_t offset,
                              size_t bytes, const void *source)
{
    const struct clopt_device_buffer *buffer = find(session, id, offset, bytes);
    if (!buffer)
        return session->error.status;
    if (buffer->is_image)
        return clopt_image_copy_in(session->buffers, buffer, source, &session->error);
    cl_int code = clEnqueueWriteBuffer(session->context->queue, buffer->data, CL_TRUE, offset,
                                       bytes, source, 0, NULL, NULL);
    if (code == CL_SUCCESS)
        return CLOPT_OK;
    clopt_fail_cl(&session->error, "clEnqueueWriteBuffer", code);
    return clopt_fail_within(&session->error, "buffer %s", buffer->name);
}
