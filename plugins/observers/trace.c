/* SPDX-License-Identifier: BSD-3-Clause */
/* Notes what an app does in a run, so that a program without the app can do the same. */
#include "file/file.h"
#include "observers/observers.h"
#include "text/json.h"
#include "worker/session.h"

#define MOST_EVENTS 1000              /* that are noted */
#define MOST_BYTES  ((size_t)1 << 20) /* of each buffer's contents that are kept */

static json_t *hex(const void *value, size_t bytes)
{
    CLOPT_OWNED(clopt_text) text = {0};
    clopt_text_append(&text, "");
    for (size_t i = 0; i < bytes; i++)
        clopt_text_printf(&text, "%02x", ((const unsigned char *)value)[i]);
    return json_string(text.data);
}

static json_t *sizes(const struct clopt_ndrange *ndrange, const size_t sizes[3])
{
    json_t *json = json_array();
    for (unsigned d = 0; d < ndrange->dimensions; d++)
        json_array_append_new(json, json_integer(sizes[d] ? (json_int_t)sizes[d] : 1));
    return json;
}

static json_t *argument_to_json(const struct clopt_argument *argument)
{
    if (argument->kind == CLOPT_ARGUMENT_BUFFER)
        return json_pack("{s:i}", "buffer", (int)argument->buffer);
    if (argument->kind == CLOPT_ARGUMENT_LOCAL)
        return json_pack("{s:I}", "local", (json_int_t)argument->bytes);
    if (argument->kind == CLOPT_ARGUMENT_SAMPLER)
        return json_pack("{s:b}", "sampler", 1);
    return json_pack("{s:o}", "value", hex(argument->value, argument->bytes));
}

/* Adds a launch or a write; once there are too many, that is all. */
static void note(struct clopt_session *session, json_t *event)
{
    json_t *events = json_object_get(session->observing, "events");
    if (json_array_size(events) < MOST_EVENTS) {
        json_array_append_new(events, event);
        return;
    }
    json_decref(event);
    json_object_set_new(session->observing, "cut", json_true());
}

/* What a study says of an app does not depend on what its kernels compute: one work-group runs. */
static enum clopt_status note_launch(struct clopt_session *session,
                                     const struct clopt_asked_launch *launch,
                                     struct clopt_ndrange *range)
{
    const struct clopt_ndrange *ndrange = launch->ndrange;
    json_t *list = json_array();
    for (unsigned d = 0; session->app->defined && d < range->dimensions; d++)
        range->global[d] = range->local[d] ? range->local[d] : 1;
    for (size_t i = 0; i < launch->count; i++)
        json_array_append_new(list, argument_to_json(&launch->arguments[i]));
    note(session, json_pack("{s:s, s:o, s:o, s:o}", "kernel", launch->name, "global",
                            sizes(ndrange, ndrange->global), "local",
                            sizes(ndrange, ndrange->local), "arguments", list));
    return CLOPT_OK;
}

static enum clopt_status note_write(struct clopt_session *session, unsigned buffer, size_t offset,
                                    size_t bytes, const void *source)
{
    note(session, json_pack("{s:i, s:I, s:o}", "buffer", (int)buffer, "offset", (json_int_t)offset,
                            "value", hex(source, bytes)));
    return CLOPT_OK;
}

/* Writes what a buffer starts from, the beginning of it where that is long. */
static enum clopt_status write_contents(const struct clopt_device_buffer *buffer, unsigned id,
                                        const char *prefix, json_t *json, struct clopt_error *error)
{
    CLOPT_FREED char *name = clopt_text_format("%s%u.bin", prefix, id);
    size_t bytes = buffer->bytes < MOST_BYTES ? buffer->bytes : MOST_BYTES;
    CLOPT_TRY(clopt_file_write_soon(name, buffer->contents, bytes, error));
    json_object_set_new(json, "file", json_string(name));
    return CLOPT_OK;
}

/* Adds the buffers that a run had to the trace. */
static enum clopt_status note_buffers(const struct clopt_session *session, const char *prefix)
{
    enum clopt_status status = CLOPT_OK;
    json_t *list = json_array();
    for (unsigned id = 0; id < CLOPT_MAX_BUFFERS && !status; id++) {
        const struct clopt_device_buffer *buffer = &session->buffers->items[id];
        if (!buffer->name) {
            json_array_append_new(list, json_null());
            continue;
        }
        json_t *json = json_pack("{s:o, s:I, s:b, s:b}", "name", clopt_json_text(buffer->name),
                                 "bytes", (json_int_t)buffer->bytes, "image", buffer->is_image,
                                 "output", clopt_buffer_is_computed(buffer));
        if (buffer->filled)
            json_object_set_new(json, "fill", json_integer(buffer->byte));
        else if (buffer->contents)
            status = write_contents(buffer, id, prefix, json, session->error);
        json_array_append_new(list, json);
    }
    json_object_set_new(session->observing, "buffers", list);
    return status;
}

static enum clopt_status trace(struct clopt_session *session, const char *prefix)
{
    CLOPT_TRY(clopt_session_make_buffers(session));
    clopt_workspace_begin(session->workspace, CLOPT_STAGE_LAUNCH);
    CLOPT_TRY(clopt_session_run_poisoned(session, NULL));
    return note_buffers(session, prefix);
}

static enum clopt_status report(struct clopt_session *session, const json_t *request,
                                json_t *answer)
{
    const char *prefix = json_string_value(json_object_get(request, "trace"));
    if (!prefix)
        return CLOPT_OK;
    json_auto_t *events = json_pack("{s:[]}", "events");
    session->observer = &clopt_trace_observer;
    session->observing = events;
    enum clopt_status status = trace(session, prefix);
    session->observer = NULL;
    if (!status)
        json_object_set(answer, "trace", events);
    return status;
}

const struct clopt_observer clopt_trace_observer = {
    .report = report, .launch = note_launch, .write = note_write};
