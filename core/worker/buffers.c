/* SPDX-License-Identifier: BSD-3-Clause */
/* The device buffers of an app. */
#include "worker/buffers.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "opencl/name.h"
#include "opencl/traits.h"
#include "worker/digest.h"
#include "worker/layout.h"

/* As integer no number that a kernel would come up with. */
static const uint32_t poison = CLOPT_POISON;

#define PIECE_BYTES ((size_t)16 << 20)
#define GUARD_BYTES ((size_t)4096) /* also a multiple of every base address alignment */

size_t clopt_buffers_guard_bytes(const struct clopt_buffers *buffers)
{
    return buffers->context->traits->checks_accesses ? 0 : GUARD_BYTES;
}

bool clopt_buffer_is_computed(const struct clopt_device_buffer *buffer)
{
    return buffer->name && (buffer->use == CLOPT_OUTPUT || buffer->use == CLOPT_IN_OUT);
}

static size_t whole_bytes(const struct clopt_buffers *buffers, size_t bytes)
{
    return (bytes + 15) / 16 * 16 + 2 * clopt_buffers_guard_bytes(buffers);
}

void clopt_buffers_destroy(struct clopt_buffers *buffers)
{
    for (unsigned id = 0; buffers && id < CLOPT_MAX_BUFFERS; id++) {
        const struct clopt_device_buffer *buffer = &buffers->items[id];
        const struct clopt_device_buffer *twin = &buffers->twins[id].buffer;
        const cl_mem parts[] = {buffer->pristine, buffer->data, buffer->whole, twin->data,
                                twin->whole};
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            if (parts[i])
                clReleaseMemObject(parts[i]);
    }
    free(buffers);
}

/* ---- copying ---- */

enum clopt_status clopt_buffers_read(struct clopt_buffers *buffers,
                                     const struct clopt_device_buffer *buffer, size_t offset,
                                     size_t bytes, void *destination, struct clopt_error *error)
{
    if (buffer->is_image)
        return clopt_image_read(buffers, buffer, destination, error);
    return clopt_check_cl(error, "clEnqueueReadBuffer",
                          clEnqueueReadBuffer(buffers->context->queue, buffer->data, CL_TRUE,
                                              offset, bytes, destination, 0, NULL, NULL));
}

enum clopt_status clopt_buffers_write(struct clopt_buffers *buffers,
                                      const struct clopt_device_buffer *buffer, size_t offset,
                                      size_t bytes, const void *source, struct clopt_error *error)
{
    if (buffer->is_image)
        return clopt_image_write(buffers, buffer, source, error);
    return clopt_check_cl(error, "clEnqueueWriteBuffer",
                          clEnqueueWriteBuffer(buffers->context->queue, buffer->data, CL_TRUE,
                                               offset, bytes, source, 0, NULL, NULL));
}

static enum clopt_status fill(struct clopt_buffers *buffers, cl_mem memory, const void *value,
                              size_t value_bytes, size_t bytes, struct clopt_error *error)
{
    return clopt_check_cl(error, "clEnqueueFillBuffer",
                          clEnqueueFillBuffer(buffers->context->queue, memory, value, value_bytes,
                                              0, bytes, 0, NULL, NULL));
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

/* Uploads contents; those of the cache piece by piece, so that host and device never hold all of
 * them. */
static enum clopt_status upload_contents(struct clopt_buffers *buffers, cl_mem memory,
                                         const struct clopt_device_buffer *buffer,
                                         struct clopt_error *error)
{
    size_t most = buffer->cached ? PIECE_BYTES : buffer->bytes;
    cl_int code = CL_SUCCESS;
    for (size_t at = 0; at < buffer->bytes && code == CL_SUCCESS; at += most) {
        size_t bytes = buffer->bytes - at < most ? buffer->bytes - at : most;
        const unsigned char *piece = (const unsigned char *)buffer->contents + at;
        code = clEnqueueWriteBuffer(buffers->context->queue, memory, buffer->cached, at, bytes,
                                    piece, 0, NULL, NULL);
        if (buffer->cached)
            drop_pages(piece, bytes);
    }
    return clopt_check_cl(error, "clEnqueueWriteBuffer", code);
}

/* Enqueues what gives a buffer its first contents, if it has any. */
static enum clopt_status upload(struct clopt_buffers *buffers, cl_mem memory,
                                const struct clopt_device_buffer *buffer, struct clopt_error *error)
{
    if (buffer->filled)
        return fill(buffers, memory, &buffer->byte, 1, buffer->bytes, error);
    return buffer->contents ? upload_contents(buffers, memory, buffer, error) : CLOPT_OK;
}

/* ---- creating ---- */

static enum clopt_status allocate(struct clopt_buffers *buffers, size_t bytes, cl_mem *memory,
                                  struct clopt_error *error)
{
    struct clopt_context *context = buffers->context;
    cl_int code;
    *memory = clCreateBuffer(context->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    if (code == CL_SUCCESS) {
        buffers->bytes += bytes;
        return CLOPT_OK;
    }
    *memory = NULL;
    clopt_fail_cl(error, "clCreateBuffer", code);
    if (code == CL_INVALID_BUFFER_SIZE)
        error->status = CLOPT_OUT_OF_RESOURCES;
    return clopt_fail(error, error->status,
                      "%s: %zu bytes; the device allows %llu at once; choose a smaller problem",
                      error->message, bytes,
                      (unsigned long long)context->info.max_allocation_bytes);
}

/* Makes the part of a buffer between its guards. */
static enum clopt_status create_data(struct clopt_buffers *buffers,
                                     struct clopt_device_buffer *buffer, struct clopt_error *error)
{
    cl_buffer_region region = {clopt_buffers_guard_bytes(buffers), buffer->bytes};
    cl_int code;
    buffer->data = clCreateSubBuffer(buffer->whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                     &region, &code);
    if (code != CL_SUCCESS)
        buffer->data = NULL;
    return clopt_check_cl(error, "clCreateSubBuffer", code);
}

/* Allocates a buffer with its guards and gives it its first contents. */
enum clopt_status clopt_buffer_create(struct clopt_buffers *buffers,
                                      struct clopt_device_buffer *buffer, struct clopt_error *error)
{
    size_t whole = whole_bytes(buffers, buffer->bytes);
    enum clopt_status status = allocate(buffers, whole, &buffer->whole, error);
    if (!status)
        status = create_data(buffers, buffer, error);
    if (!status)
        status = fill(buffers, buffer->whole, &poison, sizeof poison, whole, error);
    if (!status)
        status = upload(buffers, buffer->data, buffer, error);
    /* The host's memory is a CPU device's own: a second copy there would only cost memory. */
    bool copied = buffer->use == CLOPT_IN_OUT && !buffer->filled &&
                  strcmp(buffers->context->info.type, "cpu") != 0;
    if (!status && copied)
        status = allocate(buffers, buffer->bytes, &buffer->pristine, error);
    if (!status && copied)
        status = upload(buffers, buffer->pristine, buffer, error);
    return status ? status : clopt_check_cl(error, "clFinish", clFinish(buffers->context->queue));
}

enum clopt_status clopt_buffers_create(struct clopt_context *context,
                                       const struct clopt_buffers *wanted,
                                       struct clopt_buffers **created, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    struct clopt_buffers *buffers = malloc(sizeof *buffers);
    if (!buffers)
        return clopt_fail_memory(error);
    *buffers = *wanted;
    buffers->context = context;
    for (unsigned id = 0; id < CLOPT_MAX_BUFFERS && !status; id++) {
        struct clopt_device_buffer *buffer = &buffers->items[id];
        if (!buffer->name)
            continue;
        status = buffer->is_image ? clopt_image_create(buffers, buffer, error)
                                  : clopt_buffer_create(buffers, buffer, error);
        if (status)
            clopt_fail_within(error, "%s %s", buffer->is_image ? "image" : "buffer", buffer->name);
    }
    if (status)
        clopt_buffers_destroy(buffers);
    else
        *created = buffers;
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
           a->contents == b->contents && a->filled == b->filled && a->byte == b->byte &&
           have_one_format(a, b);
}

bool clopt_buffers_are_alike(const struct clopt_buffers *a, const struct clopt_buffers *b)
{
    for (unsigned id = 0; id < CLOPT_MAX_BUFFERS; id++)
        if (!are_alike(&a->items[id], &b->items[id]))
            return false;
    return true;
}

/* ---- between runs ---- */

/* Enqueues what brings a buffer back to its contents. */
static enum clopt_status restore(struct clopt_buffers *buffers,
                                 const struct clopt_device_buffer *buffer,
                                 struct clopt_error *error)
{
    if (buffer->is_image)
        return clopt_image_fill(buffers, buffer, error);
    if (!buffer->pristine)
        return upload(buffers, buffer->data, buffer, error);
    return clopt_check_cl(error, "clEnqueueCopyBuffer",
                          clEnqueueCopyBuffer(buffers->context->queue, buffer->pristine,
                                              buffer->data, 0, 0, buffer->bytes, 0, NULL, NULL));
}

enum clopt_status clopt_buffers_restore(struct clopt_buffers *buffers, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    for (unsigned id = 0; id < CLOPT_MAX_BUFFERS && !status; id++)
        if (buffers->items[id].name && buffers->items[id].use == CLOPT_IN_OUT) {
            clopt_twin_forget(buffers, id);
            status = restore(buffers, &buffers->items[id], error);
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
    enum clopt_status status = fill(buffers, buffer->whole, &poison, sizeof poison,
                                    whole_bytes(buffers, buffer->bytes), error);
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
        clopt_twin_forget(buffers, id);
        status = buffer->is_image ? clopt_image_fill(buffers, buffer, error)
                                  : poison_buffer(buffers, buffer, error);
        if (!status && buffers->twins[id].buffer.name)
            status = poison_buffer(buffers, &buffers->twins[id].buffer, error);
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

static enum clopt_status check_guards(struct clopt_buffers *buffers,
                                      const struct clopt_device_buffer *buffer,
                                      struct clopt_error *error)
{
    static const char *const sides[] = {"before", "after"};
    size_t tail = buffer->bytes % 4;
    size_t offsets[] = {0, GUARD_BYTES + buffer->bytes - tail};
    for (int side = 0; side < 2 && buffer->name && !buffer->is_image; side++) {
        unsigned char guard[GUARD_BYTES];
        cl_int code = clEnqueueReadBuffer(buffers->context->queue, buffer->whole, CL_TRUE,
                                          offsets[side], sizeof guard, guard, 0, NULL, NULL);
        if (code != CL_SUCCESS)
            return clopt_fail_cl(error, "clEnqueueReadBuffer", code);
        if (!intact(guard, side ? tail : 0))
            return clopt_fail(error, CLOPT_WRONG_RESULT, "wrote %s buffer %s", sides[side],
                              buffer->name);
    }
    return CLOPT_OK;
}

enum clopt_status clopt_buffers_check_guards(struct clopt_buffers *buffers,
                                             struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    bool guarded = clopt_buffers_guard_bytes(buffers) > 0;
    for (unsigned id = 0; id < CLOPT_MAX_BUFFERS && guarded && !status; id++) {
        status = check_guards(buffers, &buffers->items[id], error);
        if (!status)
            status = check_guards(buffers, &buffers->twins[id].buffer, error);
    }
    return status;
}
