/* SPDX-License-Identifier: BSD-3-Clause */
/* What an app may do with buffers and images: ask for them, and copy them. */
#include "trial/observer.h"
#include "worker/session.h"

/* Notes a buffer or an image under its number. */
static enum clopt_status ask(struct clopt_session *session, unsigned id,
                             const struct clopt_device_buffer *wanted, const void *contents)
{
    const char *kind = wanted->is_image ? "image" : "buffer";
    struct clopt_device_buffer *buffer = &session->buffers->items[id % CLOPT_MAX_BUFFERS];
    bool needs_contents = wanted->use == CLOPT_INPUT || wanted->use == CLOPT_IN_OUT;
    if (id >= CLOPT_MAX_BUFFERS || buffer->name)
        return clopt_fail(session->error, CLOPT_FAILED, "%s %s: number %u is taken or above %d",
                          kind, wanted->name, id, CLOPT_MAX_BUFFERS - 1);
    if (wanted->bytes == 0 || (needs_contents && !contents))
        return clopt_fail(session->error, CLOPT_FAILED, "%s %s: no %s given", kind, wanted->name,
                          wanted->bytes ? "contents" : "size");
    *buffer = *wanted;
    if (needs_contents && !wanted->filled)
        buffer->contents = contents;
    return CLOPT_OK;
}

enum clopt_status clopt_buffer(struct clopt_session *session, unsigned id, const char *name,
                               enum clopt_buffer_use use, size_t bytes, const void *contents)
{
    struct clopt_device_buffer wanted = {.name = name, .use = use, .bytes = bytes};
    if (use == CLOPT_FILLED) {
        wanted.use = CLOPT_IN_OUT;
        wanted.filled = true;
        wanted.byte = contents ? *(const unsigned char *)contents : 0;
    } else if (use == CLOPT_CACHED) {
        wanted.use = CLOPT_INPUT;
        wanted.cached = true;
    }
    return ask(session, id, &wanted, contents);
}

enum clopt_status clopt_image(struct clopt_session *session, unsigned id, const char *name,
                              enum clopt_buffer_use use, const struct clopt_image_format *format,
                              const void *contents)
{
    const struct clopt_device_buffer wanted = {.name = name,
                                               .use = use,
                                               .bytes = clopt_image_bytes(format),
                                               .is_image = true,
                                               .format = *format};
    if (use > CLOPT_SCRATCH)
        return clopt_fail(session->error, CLOPT_FAILED, "image %s: this use is for buffers only",
                          name);
    return ask(session, id, &wanted, contents);
}

/* Finds a buffer that has a range, and has it hold what its duplicate does; NULL: failed. */
static const struct clopt_device_buffer *find(struct clopt_session *session, unsigned id,
                                              size_t offset, size_t bytes)
{
    const struct clopt_device_buffer *buffer =
        id < CLOPT_MAX_BUFFERS ? &session->buffers->items[id] : NULL;
    if (!buffer || !buffer->name)
        clopt_fail(session->error, CLOPT_FAILED, "buffer number %u does not exist", id);
    else if (offset > buffer->bytes || bytes > buffer->bytes - offset)
        clopt_fail(session->error, CLOPT_FAILED,
                   "buffer %s: bytes %zu to %zu of %zu are outside of it", buffer->name, offset,
                   offset + bytes, buffer->bytes);
    else if (buffer->is_image && bytes != buffer->bytes)
        clopt_fail(session->error, CLOPT_FAILED, "image %s: only all of it can be copied",
                   buffer->name);
    else if (clopt_duplicate_settle(session->buffers, id) == CLOPT_OK)
        return buffer;
    return NULL;
}

enum clopt_status clopt_read(struct clopt_session *session, unsigned id, size_t offset,
                             size_t bytes, void *destination)
{
    const struct clopt_device_buffer *buffer = find(session, id, offset, bytes);
    return buffer ? clopt_buffer_read(session->buffers, buffer, offset, bytes, destination)
                  : session->error->status;
}

enum clopt_status clopt_write(struct clopt_session *session, unsigned id, size_t offset,
                              size_t bytes, const void *source)
{
    const struct clopt_device_buffer *buffer = find(session, id, offset, bytes);
    if (buffer && buffer->use == CLOPT_INPUT)
        return clopt_fail(session->error, CLOPT_FAILED,
                          "%s %s: is an input, to which nothing writes: ask for CLOPT_IN_OUT",
                          buffer->is_image ? "image" : "buffer", buffer->name);
    if (!buffer)
        return session->error->status;
    clopt_duplicate_forget(session->buffers, id);
    if (session->observer && session->observer->write)
        CLOPT_TRY(session->observer->write(session, id, offset, bytes, source));
    return clopt_buffer_write(session->buffers, buffer, offset, bytes, source);
}
