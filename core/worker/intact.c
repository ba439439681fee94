/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells whether runs have left alone what is not theirs to write: guards and inputs. */
#include "worker/buffers.h"

/* ---- guards ---- */

/* Tells whether a guard still holds poison; `skip` bytes at its start belong to the data. */
static bool is_intact(const unsigned char *guard, size_t skip, size_t bytes)
{
    static const uint32_t poison = CLOPT_POISON;
    for (size_t i = skip; i < bytes; i++)
        if (guard[i] != ((const unsigned char *)&poison)[i % 4])
            return false;
    return true;
}

static enum clopt_status check_guards(struct clopt_buffers *buffers,
                                      const struct clopt_device_buffer *buffer)
{
    static const char *const sides[] = {"before", "after"};
    unsigned char guard[CLOPT_GUARD_BYTES];
    size_t tail = buffer->bytes % 4;
    size_t offsets[] = {0, CLOPT_GUARD_BYTES + buffer->bytes - tail};
    for (int side = 0; side < 2; side++) {
        cl_int code = clEnqueueReadBuffer(buffers->context->queue, buffer->whole, CL_TRUE,
                                          offsets[side], sizeof guard, guard, 0, NULL, NULL);
        CLOPT_TRY(clopt_buffer_check(buffers, buffer, "clEnqueueReadBuffer", code));
        if (!is_intact(guard, side ? tail : 0, sizeof guard)) {
            buffers->damaged = true;
            return clopt_fail(buffers->error, CLOPT_WRONG_RESULT, "wrote %s buffer %s", sides[side],
                              buffer->name);
        }
    }
    return CLOPT_OK;
}

/* ---- inputs ---- */

/* Compares what an input holds with its contents, on the host. */
static enum clopt_status compare(const struct clopt_buffers *buffers,
                                 const struct clopt_device_buffer *buffer, bool *same)
{
    bool whole = buffer->is_image || buffer->bytes < CLOPT_PIECE_BYTES;
    size_t most = whole ? buffer->bytes : CLOPT_PIECE_BYTES;
    CLOPT_FREED unsigned char *found = malloc(most);
    enum clopt_status status = CLOPT_OK;
    CLOPT_NEED(found, buffers->error);
    *same = true;
    for (size_t at = 0; at < buffer->bytes && *same && !status; at += most) {
        size_t bytes = buffer->bytes - at < most ? buffer->bytes - at : most;
        const unsigned char *piece = (const unsigned char *)buffer->contents + at;
        status = clopt_buffer_read(buffers, buffer, at, bytes, found);
        *same = status || memcmp(found, piece, bytes) == 0;
        if (buffer->cached)
            clopt_drop_pages(piece, bytes);
    }
    return status;
}

/* Compares a buffer with what it was when its digest was taken. */
static enum clopt_status compare_digest(const struct clopt_buffers *buffers,
                                        const struct clopt_device_buffer *buffer, const char *known,
                                        bool *same)
{
    char digest[CLOPT_HASH_SIZE];
    enum clopt_status status = clopt_buffer_digest(buffers, buffer, digest);
    *same = !status && strcmp(digest, known) == 0;
    return status;
}

/* Finds out whether an input, and what it is in another layout, are as they were. */
static enum clopt_status look_at_input(const struct clopt_buffers *buffers, unsigned id,
                                       bool thorough, bool *same)
{
    const struct clopt_device_buffer *buffer = &buffers->items[id];
    const struct clopt_duplicate *duplicate = &buffers->duplicates[id];
    enum clopt_status status = CLOPT_OK;
    *same = !clopt_buffer_was_hit(buffer);
    if (thorough && !buffer->is_protected)
        status = buffer->digest[0] ? compare_digest(buffers, buffer, buffer->digest, same)
                                   : compare(buffers, buffer, same);
    return status || !*same || !thorough || !duplicate->holds
               ? status
               : compare_digest(buffers, &duplicate->buffer, duplicate->digest, same);
}

/* Gives those their contents again that were written to; `written` gets the name of one. */
static enum clopt_status restore_inputs(struct clopt_buffers *buffers, bool thorough,
                                        const char **written)
{
    for (unsigned id = 0; id < CLOPT_MAX_BUFFERS; id++) {
        struct clopt_device_buffer *buffer = &buffers->items[id];
        bool same = true;
        if (buffer->name && buffer->use == CLOPT_INPUT)
            CLOPT_TRY(look_at_input(buffers, id, thorough, &same));
        if (same)
            continue;
        *written = *written ? *written : buffer->name;
        clopt_duplicate_forget(buffers, id);
        CLOPT_TRY(clopt_buffer_fill(buffers, buffer));
    }
    return CLOPT_OK;
}

/* ---- all ---- */

static enum clopt_status check(struct clopt_buffers *buffers, bool thorough)
{
    const char *written = NULL;
    bool guarded = clopt_buffers_guard_bytes(buffers) > 0;
    for (unsigned id = 0; id < CLOPT_MAX_BUFFERS && guarded; id++) {
        const struct clopt_device_buffer *buffer = &buffers->items[id];
        const struct clopt_device_buffer *duplicate = &buffers->duplicates[id].buffer;
        bool looks = buffer->name && !buffer->is_image &&
                     (buffer->is_protected ? clopt_buffer_was_hit(buffer) : thorough);
        if ((looks && check_guards(buffers, buffer)) ||
            (thorough && duplicate->name && check_guards(buffers, duplicate)))
            return buffers->error->status;
    }
    CLOPT_TRY(restore_inputs(buffers, thorough, &written));
    return written ? clopt_fail(buffers->error, CLOPT_WRONG_RESULT, "wrote to input %s", written)
                   : CLOPT_OK;
}

enum clopt_status clopt_buffers_check(struct clopt_buffers *buffers, bool others)
{
    for (bool thorough = true; buffers; buffers = buffers->next, thorough = others)
        CLOPT_TRY(check(buffers, thorough));
    return CLOPT_OK;
}
