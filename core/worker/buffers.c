/* SPDX-License-Identifier: BSD-3-Clause */
/* The device buffers of an app. */
#include "worker/buffers.h"

#include <sys/mman.h>
#include <unistd.h>

#include <clopt/memory.h>

#include "opencl/name.h"
#include "worker/pages.h"

/* As integer no number that a kernel would come up with. */
static const uint32_t poison = CLOPT_POISON;

size_t clopt_buffers_guard_bytes(const struct clopt_buffers *buffers)
{
    return buffers->context->traits->checks_accesses ? 0 : CLOPT_GUARD_BYTES;
}

bool clopt_buffer_is_computed(const struct clopt_device_buffer *buffer)
{
    return buffer->name && (buffer->use == CLOPT_OUTPUT || buffer->use == CLOPT_IN_OUT);
}

enum clopt_status clopt_buffer_check(const struct clopt_buffers *buffers,
                                     const struct clopt_device_buffer *buffer, const char *call,
                                     cl_int code)
{
    if (code == CL_SUCCESS)
        return CLOPT_OK;
    clopt_fail_cl(buffers->error, call, code);
    return clopt_fail_within(buffers->error, "%s %s", buffer->is_image ? "image" : "buffer",
                             buffer->name);
}

/* The bytes of a buffer with its guards. */
static size_t whole_bytes(const struct clopt_buffers *buffers,
                          const struct clopt_device_buffer *buffer)
{
    return (buffer->bytes + 15) / 16 * 16 + 2 * clopt_buffers_guard_bytes(buffers);
}

void clopt_buffer_release(struct clopt_device_buffer *buffer)
{
    const cl_mem parts[] = {buffer->pristine, buffer->data, buffer->whole};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i])
            clReleaseMemObject(parts[i]);
    clopt_pages_release(buffer->pages);
    *buffer = (struct clopt_device_buffer){.name = NULL};
}

void clopt_buffers_destroy(struct clopt_buffers *buffers)
{
    for (unsigned id = 0; buffers && id < CLOPT_MAX_BUFFERS; id++) {
        clopt_buffer_release(&buffers->items[id]);
        clopt_buffer_release(&buffers->duplicates[id].buffer);
    }
    free(buffers);
}

/* ---- copying ---- */

enum clopt_status clopt_buffer_read(const struct clopt_buffers *buffers,
                                    const struct clopt_device_buffer *buffer, size_t offset,
                                    size_t bytes, void *destination)
{
    if (buffer->is_image)
        return clopt_image_read(buffers, buffer, destination);
    cl_int code = clEnqueueReadBuffer(buffers->context->queue, buffer->data, CL_TRUE, offset, bytes,
                                      destination, 0, NULL, NULL);
    return clopt_buffer_check(buffers, buffer, "clEnqueueReadBuffer", code);
}

enum clopt_status clopt_buffer_write(const struct clopt_buffers *buffers,
                                     const struct clopt_device_buffer *buffer, size_t offset,
                                     size_t bytes, const void *source)
{
    if (buffer->is_image)
        return clopt_image_write(buffers, buffer, source);
    cl_int code = clEnqueueWriteBuffer(buffers->context->queue, buffer->data, CL_TRUE, offset,
                                       bytes, source, 0, NULL, NULL);
    return clopt_buffer_check(buffers, buffer, "clEnqueueWriteBuffer", code);
}

void clopt_drop_pages(const unsigned char *data, size_t bytes)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = ((uintptr_t)data + page - 1) / page * page;
    uintptr_t end = ((uintptr_t)data + bytes) / page * page;
    if (first < end)
        madvise((void *)first, end - first, MADV_DONTNEED);
}

/* Enqueues what gives a buffer its first contents, if it has any; those of the cache piece by
 * piece, so that host and device never hold all of them. */
static enum clopt_status upload(const struct clopt_buffers *buffers,
                                const struct clopt_device_buffer *buffer, cl_mem memory)
{
    cl_command_queue queue = buffers->context->queue;
    size_t most = buffer->cached ? CLOPT_PIECE_BYTES : buffer->bytes;
    cl_int code = CL_SUCCESS;
    if (buffer->filled)
        code =
            clEnqueueFillBuffer(queue, memory, &buffer->byte, 1, 0, buffer->bytes, 0, NULL, NULL);
    for (size_t at = 0; buffer->contents && at < buffer->bytes && code == CL_SUCCESS; at += most) {
        size_t bytes = buffer->bytes - at < most ? buffer->bytes - at : most;
        const unsigned char *piece = (const unsigned char *)buffer->contents + at;
        code = clEnqueueWriteBuffer(queue, memory, buffer->cached, at, bytes, piece, 0, NULL, NULL);
        if (buffer->cached)
            clopt_drop_pages(piece, bytes);
    }
    return clopt_buffer_check(
        buffers, buffer, buffer->filled ? "clEnqueueFillBuffer" : "clEnqueueWriteBuffer", code);
}

enum clopt_status clopt_buffer_fill(struct clopt_buffers *buffers,
                                    struct clopt_device_buffer *buffer)
{
    if (buffer->is_image)
        return clopt_image_fill(buffers, buffer);
    if (buffer->pages)
        clopt_pages_open(buffer->pages);
    cl_int code =
        clEnqueueFillBuffer(buffers->context->queue, buffer->whole, &poison, sizeof poison, 0,
                            whole_bytes(buffers, buffer), 0, NULL, NULL);
    CLOPT_TRY(clopt_buffer_check(buffers, buffer, "clEnqueueFillBuffer", code));
    CLOPT_TRY(upload(buffers, buffer, buffer->data));
    if (!buffer->pages)
        return CLOPT_OK;
    CLOPT_TRY(clopt_buffer_check(buffers, buffer, "clFinish", clFinish(buffers->context->queue)));
    buffer->is_protected = clopt_pages_protect(buffer->pages);
    return CLOPT_OK;
}

bool clopt_buffer_was_hit(const struct clopt_device_buffer *buffer)
{
    return buffer->is_protected && clopt_pages_were_written(buffer->pages);
}

/* ---- creating ---- */

static enum clopt_status allocate(struct clopt_buffers *buffers,
                                  const struct clopt_device_buffer *buffer, size_t bytes,
                                  cl_mem *memory)
{
    struct clopt_error *error = buffers->error;
    cl_mem_flags flags = buffer->use == CLOPT_INPUT ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE;
    cl_int code;
    cl_mem made =
        clCreateBuffer(buffers->context->context, flags | (buffer->pages ? CL_MEM_USE_HOST_PTR : 0),
                       bytes, buffer->pages, &code);
    if (!clopt_buffer_check(buffers, buffer, "clCreateBuffer", code)) {
        *memory = made;
        buffers->bytes += bytes;
        return CLOPT_OK;
    }
    return clopt_fail(
        error, code == CL_INVALID_BUFFER_SIZE ? CLOPT_OUT_OF_RESOURCES : error->status,
        "%s: %zu bytes; the device allows %llu at once; choose a smaller problem", error->message,
        bytes, (unsigned long long)buffers->context->info.max_allocation_bytes);
}

/* Whether a device has the memory that the host offers for a buffer as the buffer itself, and a
 * write to protected pages there is noticed: a processor's does, and others are not asked. */
static bool works_in_place(struct clopt_context *context)
{
    size_t bytes = 1;
    void *pages = NULL;
    cl_int code;
    if (context->in_place || context->traits->checks_accesses ||
        !clopt_device_is_cpu(&context->info) || !(pages = clopt_pages_map(&bytes)))
        return context->in_place == CLOPT_IN_PLACE;
    context->in_place = CLOPT_NOT_IN_PLACE;
    cl_mem buffer = clCreateBuffer(context->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes,
                                   pages, &code);
    clopt_pages_watch();
    if (code == CL_SUCCESS && clopt_pages_protect(pages) &&
        clEnqueueFillBuffer(context->queue, buffer, &poison, sizeof poison, 0, bytes, 0, NULL,
                            NULL) == CL_SUCCESS &&
        clFinish(context->queue) == CL_SUCCESS && clopt_pages_were_written(pages))
        context->in_place = CLOPT_IN_PLACE;
    if (code == CL_SUCCESS)
        clReleaseMemObject(buffer);
    clopt_pages_release(pages);
    return context->in_place == CLOPT_IN_PLACE;
}

/* Makes the part of a buffer between its guards. */
static enum clopt_status create_data(const struct clopt_buffers *buffers,
                                     struct clopt_device_buffer *buffer)
{
    cl_buffer_region region = {clopt_buffers_guard_bytes(buffers), buffer->bytes};
    cl_int code;
    cl_mem data = clCreateSubBuffer(buffer->whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    if (code == CL_SUCCESS)
        buffer->data = data;
    return clopt_buffer_check(buffers, buffer, "clCreateSubBuffer", code);
}

enum clopt_status clopt_buffer_create(struct clopt_buffers *buffers,
                                      struct clopt_device_buffer *buffer)
{
    /* The host's memory is a CPU device's own: a second copy there would only cost memory. */
    bool copied = buffer->use == CLOPT_IN_OUT && !buffer->filled &&
                  !clopt_device_is_cpu(&buffers->context->info);
    size_t bytes = whole_bytes(buffers, buffer);
    if (buffer->use == CLOPT_INPUT && works_in_place(buffers->context))
        buffer->pages = clopt_pages_map(&bytes);
    CLOPT_TRY(allocate(buffers, buffer, bytes, &buffer->whole));
    CLOPT_TRY(create_data(buffers, buffer));
    CLOPT_TRY(clopt_buffer_fill(buffers, buffer));
    if (copied && (allocate(buffers, buffer, buffer->bytes, &buffer->pristine) ||
                   upload(buffers, buffer, buffer->pristine)))
        return buffers->error->status;
    return clopt_buffer_check(buffers, buffer, "clFinish", clFinish(buffers->context->queue));
}

enum clopt_status clopt_buffers_create(struct clopt_context *context,
                                       const struct clopt_buffers *wanted,
                                       struct clopt_buffers **created, struct clopt_error *error)
{
    CLOPT_HELD(clopt_buffers) buffers = clopt_calloc(1, sizeof *buffers);
    *buffers = *wanted;
    buffers->context = context;
    buffers->error = error;
    for (unsigned id = 0; id < CLOPT_MAX_BUFFERS; id++) {
        struct clopt_device_buffer *buffer = &buffers->items[id];
        if (buffer->name)
            CLOPT_TRY(buffer->is_image ? clopt_image_create(buffers, buffer)
                                       : clopt_buffer_create(buffers, buffer));
    }
    *created = buffers;
    buffers = NULL;
    return CLOPT_OK;
}

static bool are_alike(const struct clopt_device_buffer *a, const struct clopt_device_buffer *b)
{
    const struct clopt_image_format *one = &a->format, *other = &b->format;
    if (!a->name || !b->name)
        return !a->name == !b->name;
    return strcmp(a->name, b->name) == 0 && a->use == b->use && a->bytes == b->bytes &&
           a->contents == b->contents && a->filled == b->filled && a->byte == b->byte &&
           a->is_image == b->is_image && one->channel == other->channel &&
           one->channels == other->channels && one->dimensions == other->dimensions &&
           memcmp(one->size, other->size, sizeof one->size) == 0;
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
static enum clopt_status restore(const struct clopt_buffers *buffers,
                                 const struct clopt_device_buffer *buffer)
{
    if (buffer->is_image)
        return clopt_image_fill(buffers, buffer);
    if (!buffer->pristine)
        return upload(buffers, buffer, buffer->data);
    cl_int code = clEnqueueCopyBuffer(buffers->context->queue, buffer->pristine, buffer->data, 0, 0,
                                      buffer->bytes, 0, NULL, NULL);
    return clopt_buffer_check(buffers, buffer, "clEnqueueCopyBuffer", code);
}

enum clopt_status clopt_buffers_restore(struct clopt_buffers *buffers)
{
    for (unsigned id = 0; id < CLOPT_MAX_BUFFERS; id++)
        if (buffers->items[id].name && buffers->items[id].use == CLOPT_IN_OUT) {
            clopt_duplicate_forget(buffers, id);
            CLOPT_TRY(restore(buffers, &buffers->items[id]));
        }
    return CLOPT_OK;
}

/* Fills a buffer and its guards. An input that holds what was written there last is not written
 * again: it is read at the speed of the device's memory. Its digest is noted, where more runs are
 * to come: a faulty variant may write there. */
static enum clopt_status poison_buffer(struct clopt_buffers *buffers,
                                       struct clopt_device_buffer *buffer)
{
    char digest[CLOPT_HASH_SIZE];
    bool expects_more = buffers->context->builds && buffer->use == CLOPT_INPUT && !buffer->pages &&
                        clopt_buffer_is_large(buffers, buffer);
    if (buffer->is_protected && !clopt_buffer_was_hit(buffer))
        return CLOPT_OK;
    if (buffer->digest[0] && !clopt_buffer_digest(buffers, buffer, digest) &&
        strcmp(digest, buffer->digest) == 0)
        return CLOPT_OK;
    buffer->digest[0] = '\0';
    CLOPT_TRY(clopt_buffer_fill(buffers, buffer));
    if (expects_more && clopt_buffer_digest(buffers, buffer, buffer->digest))
        buffer->digest[0] = '\0';
    return CLOPT_OK;
}

enum clopt_status clopt_buffers_poison(struct clopt_buffers *buffers)
{
    for (unsigned id = 0; id < CLOPT_MAX_BUFFERS; id++) {
        struct clopt_device_buffer *buffer = &buffers->items[id];
        struct clopt_device_buffer *duplicate = &buffers->duplicates[id].buffer;
        clopt_duplicate_forget(buffers, id);
        if (buffer->name && !(buffers->keeps_scratch && buffer->use == CLOPT_SCRATCH))
            CLOPT_TRY(buffer->is_image ? clopt_image_fill(buffers, buffer)
                                       : poison_buffer(buffers, buffer));
        if (duplicate->name)
            CLOPT_TRY(poison_buffer(buffers, duplicate));
    }
    return CLOPT_OK;
}
