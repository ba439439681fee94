/* SPDX-License-Identifier: BSD-3-Clause */
/* What an app may do with buffers and images: ask for them, and copy them. */
#include "worker/layout.h"
#include "worker/trace.h"

/* Notes a buffer or an image under its number. */
static enum clopt_status ask(struct clopt_session *session, unsigned id,
                             const struct clopt_device_buffer *wanted, bool complete)
{
    struct clopt_error *error = &session->error;
    const char *kind = wanted->is_image ? "image" : "buffer";
    if (id >= CLOPT_MAX_BUFFERS || session->buffers->items[id].name)
        return clopt_fail(error, CLOPT_FAILED, "%s %s: number %u is taken or above %d", kind,
                          wanted->name, id, CLOPT_MAX_BUFFERS - 1);
    if (wanted->bytes == 0 || !complete)
        return clopt_fail(error, CLOPT_FAILED, "%s %s: no %s given", kind, wanted->name,
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
    if (use == CLOPT_FILLED) {
        wanted.use = CLOPT_IN_OUT;
        wanted.filled = true;
        wanted.byte = contents ? *(const unsigned char *)contents : 0;
        return ask(session, id, &wanted, contents);
    }
    if (use == CLOPT_CACHED) {
        wanted.use = CLOPT_INPUT;
        wanted.cached = true;
    }
    wanted.contents = needs_contents(wanted.use) ? contents : NULL;
    return ask(session, id, &wanted, contents || !needs_contents(wanted.use));
}

enum clopt_status clopt_image(struct clopt_session *session, unsigned id, const char *name,
                              enum clopt_buffer_use use, const struct clopt_image_format *format,
                              const void *contents)
{
    struct clopt_device_buffer wanted = {.name = name, .use = use, .is_image = true};
    wanted.bytes = clopt_image_bytes(format);
    wanted.format = *format;
    wanted.contents = needs_contents(use) ? contents : NULL;
    if (use > CLOPT_SCRATCH)
        return clopt_fail(&session->error, CLOPT_FAILED, "image %s: a use for buffers alone", name);
    return ask(session, id, &wanted, contents || !needs_contents(use));
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

/* Says which buffer a call failed for. */
static enum clopt_status name_buffer(struct clopt_session *session,
                                     const struct clopt_device_buffer *buffer,
                                     enum clopt_status status)
{
    return status ? clopt_fail_within(&session->error, "%s %s",
                                      buffer->is_image ? "image" : "buffer", buffer->name)
                  : CLOPT_OK;
}

enum clopt_status clopt_read(struct clopt_session *session, unsigned id, size_t offset,
                             size_t bytes, void *destination)
{
    const struct clopt_device_buffer *buffer = find(session, id, offset, bytes);
    if (!buffer)
        return session->error.status;
    enum clopt_status status = clopt_twin_settle(session->buffers, id, &session->error);
    if (!status)
        status = clopt_buffers_read(session->buffers, buffer, offset, bytes, destination,
                                    &session->error);
    return name_buffer(session, buffer, status);
}

enum clopt_status clopt_write(struct clopt_session *session, unsigned id, size_t offset,
                              size_t bytes, const void *source)
{
    const struct clopt_device_buffer *buffer = find(session, id, offset, bytes);
    if (!buffer)
        return session->error.status;
    clopt_trace_write(session, id, offset, bytes, source);
    enum clopt_status status = clopt_twin_settle(session->buffers, id, &session->error);
    clopt_twin_forget(session->buffers, id);
    if (!status)
        status =
            clopt_buffers_write(session->buffers, buffer, offset, bytes, source, &session->error);
    return name_buffer(session, buffer, status);
}
