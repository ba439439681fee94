/* SPDX-License-Identifier: BSD-3-Clause */
/* The Model Context Protocol, JSON-RPC 2.0 with a line a message: requests are taken, and answered.
 */
#include "commands/serve/serve.h"

#include <errno.h>
#include <unistd.h>

#include "process/child.h"
#include "process/clock.h"

enum { PARSE_ERROR = -32700, INVALID_REQUEST = -32600, NO_METHOD = -32601, BAD_PARAMS = -32602 };

#define MOST_BATCH 64

/* ---- answers ---- */

/* Writes a message, and gives it up. */
static void send_message(struct serve *serve, json_t *message)
{
    CLOPT_FREED char *line = json_dumps(message, JSON_COMPACT);
    json_decref(message);
    size_t length = strlen(line);
    line[length++] = '\n'; /* in place of the NUL */
    for (size_t done = 0; done < length && !serve->closed;) {
        ssize_t written = write(STDOUT_FILENO, line + done, length - done);
        if (written < 0 && errno != EINTR)
            serve->closed = true;
        done += written > 0 ? (size_t)written : 0;
    }
}

/* Sends an answer, or keeps it for that of its batch. */
static void send_answer(struct serve *serve, struct serve_batch *batch, json_t *answer)
{
    if (batch)
        json_array_append_new(batch->answers, answer);
    else
        send_message(serve, answer);
}

static void answer(struct serve *serve, struct serve_batch *batch, json_t *id, json_t *result)
{
    send_answer(serve, batch,
                json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id", id, "result", result));
}

/* Answers with an error; `id` may be NULL: none is known. */
static void refuse(struct serve *serve, struct serve_batch *batch, json_t *id, int code,
                   const char *message)
{
    send_answer(serve, batch,
                json_pack("{s:s, s:O?, s:{s:i, s:s}}", "jsonrpc", "2.0", "id",
                          id ? id : json_null(), "error", "code", code, "message", message));
}

/* Counts down what a batch waits for; the last one sends it. */
static void close_batch(struct serve *serve, struct serve_batch *batch)
{
    if (!batch || --batch->open > 0)
        return;
    if (json_array_size(batch->answers))
        send_message(serve, json_incref(batch->answers));
    json_decref(batch->answers);
    free(batch);
}

/* ---- requests ---- */

/* A request on its way to its answer. */
struct request {
    const char *method;
    json_t *id; /* NULL: it is a notification */
    json_t *params;
    struct serve_batch *batch;
};

static void initialize(struct serve *serve, const struct request *request)
{
    static const char *const versions[] = {"2025-06-18", "2025-03-26", "2024-11-05"};
    const char *wanted = clopt_json_string(request->params, "protocolVersion");
    size_t version = 0;
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        if (strcmp(versions[i], wanted) == 0)
            version = i;
    serve->initialized = true;
    serve->batches = version > 0;
    answer(serve, request->batch, request->id,
           json_pack("{s:s, s:{s:{}}, s:{s:s, s:s}, s:s}", "protocolVersion", versions[version],
                     "capabilities", "tools", "serverInfo", "name", "clopt", "version",
                     CLOPT_RELEASE, "instructions",
                     "Judges, tunes and rewrites OpenCL kernels in one folder. Begin with init for "
                     "a kernel's file, then judge or tune."));
}

static void list_tools(struct serve *serve, const struct request *request)
{
    if (json_object_get(request->params, "cursor"))
        refuse(serve, request->batch, request->id, BAD_PARAMS, "cursor: there is one page alone");
    else
        answer(serve, request->batch, request->id,
               json_pack("{s:o}", "tools", serve_list_tools(serve->global)));
}

static bool is_id(const json_t *id)
{
    return json_is_string(id) || json_is_integer(id);
}

/* Has a tool run once those before it have ended. */
static void call_tool(struct serve *serve, const struct request *request)
{
    const char *name = clopt_json_string(request->params, "name");
    json_t *arguments = json_object_get(request->params, "arguments");
    json_t *token = json_object_get(json_object_get(request->params, "_meta"), "progressToken");
    const struct serve_tool *tool = serve_tools;
    while (tool->name && strcmp(tool->name, name) != 0)
        tool++;
    if (!tool->name || !serve_command(serve->global, tool)) {
        CLOPT_FREED char *message = clopt_text_format("%.100s: no such tool", name);
        refuse(serve, request->batch, request->id, BAD_PARAMS, message);
    } else if (arguments && !json_is_object(arguments)) {
        refuse(serve, request->batch, request->id, BAD_PARAMS, "arguments: not an object");
    } else if (serve->call_count == SERVE_MOST_CALLS) {
        answer(serve, request->batch, request->id,
               serve_failure("too many calls wait already", "wait for their results"));
    } else {
        serve->calls[serve->call_count++] =
            (struct serve_call){.id = json_incref(request->id),
                                .token = is_id(token) ? json_incref(token) : NULL,
                                .arguments = json_incref(arguments),
                                .tool = tool,
                                .batch = request->batch};
        if (request->batch)
            request->batch->open++;
    }
}

static void end_call(struct serve *serve, size_t number)
{
    struct serve_call call = serve->calls[number];
    memmove(&serve->calls[number], &serve->calls[number + 1],
            (--serve->call_count - number) * sizeof call);
    close_batch(serve, call.batch);
    json_decref(call.id);
    json_decref(call.token);
    json_decref(call.arguments);
}

/* Ends a call that is not wanted any more, which gets no answer. */
static void cancel(struct serve *serve, const json_t *params)
{
    const json_t *id = json_object_get(params, "requestId");
    for (size_t i = 0; id && i < serve->call_count; i++) {
        if (!json_equal(serve->calls[i].id, id))
            continue;
        serve->calls[i].cancelled = true;
        if (i == 0 && serve->runner)
            serve_end_runner(serve);
        else
            end_call(serve, i);
        return;
    }
}

static void take_request(struct serve *serve, const struct request *request)
{
    static const struct {
        const char *method;
        void (*take)(struct serve *serve, const struct request *request);
        bool early; /* also before initialize */
    } methods[] = {{"initialize", initialize, true},
                   {"tools/list", list_tools, false},
                   {"tools/call", call_tool, false}};
    if (strcmp(request->method, "ping") == 0) {
        answer(serve, request->batch, request->id, json_object());
        return;
    }
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (strcmp(methods[i].method, request->method) != 0)
            continue;
        if (serve->initialized || methods[i].early)
            methods[i].take(serve, request);
        else
            refuse(serve, request->batch, request->id, INVALID_REQUEST, "initialize comes first");
        return;
    }
    CLOPT_FREED char *message = clopt_text_format("%.100s: no such method", request->method);
    refuse(serve, request->batch, request->id, NO_METHOD, message);
}

/* Takes a message: a request, a notification, or what answers requests that nobody has sent. */
static void take_message(struct serve *serve, json_t *message, struct serve_batch *batch)
{
    json_t *id = json_object_get(message, "id"), *params = json_object_get(message, "params");
    const char *method = json_string_value(json_object_get(message, "method"));
    struct request request = {method, id, params, batch};
    bool is_answer = json_object_get(message, "result") || json_object_get(message, "error");
    if (json_is_object(message) && !json_object_get(message, "method") && is_answer)
        return;
    if (strcmp(clopt_json_string(message, "jsonrpc"), "2.0") != 0 || !method || (id && !is_id(id)))
        refuse(serve, batch, is_id(id) ? id : NULL, INVALID_REQUEST,
               "not a request of JSON-RPC 2.0 with an id that is a text or an integer");
    else if (!id && strcmp(method, "notifications/cancelled") == 0)
        cancel(serve, params);
    else if (id && params && !json_is_object(params))
        refuse(serve, batch, id, BAD_PARAMS, "params: not an object");
    else if (id)
        take_request(serve, &request);
}

static void take_batch(struct serve *serve, json_t *messages)
{
    size_t count = json_array_size(messages), i;
    json_t *message;
    if (!serve->batches || count == 0 || count > MOST_BATCH) {
        refuse(serve, NULL, NULL, INVALID_REQUEST,
               "no batch: the version of the protocol has none, or it is empty or too long");
        return;
    }
    struct serve_batch *batch = clopt_calloc(1, sizeof *batch);
    *batch = (struct serve_batch){json_array(), 1};
    json_array_foreach(messages, i, message)
    {
        take_message(serve, message, batch);
    }
    close_batch(serve, batch);
}

static void take_line(struct serve *serve, const char *line, size_t length)
{
    json_error_t error;
    bool blank = strspn(line, " \t\r") == length;
    json_auto_t *message = blank ? NULL : json_loadb(line, length, 0, &error);
    if (json_is_array(message))
        take_batch(serve, message);
    else if (message)
        take_message(serve, message, NULL);
    else if (!blank)
        refuse(serve, NULL, NULL, PARSE_ERROR, "not a line of JSON in UTF-8");
}

void serve_take_input(struct serve *serve, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length && !serve->closed;) {
        const char *end = memchr(bytes + i, '\n', length - i);
        size_t part = end ? (size_t)(end - bytes) - i : length - i;
        serve->skips |= serve->line.length + part > SERVE_MOST_LINE;
        if (!serve->skips)
            clopt_text_append_bytes(&serve->line, bytes + i, part);
        if (end && serve->skips)
            refuse(serve, NULL, NULL, INVALID_REQUEST, "a line of more than 4 MiB");
        else if (end && serve->line.length)
            take_line(serve, serve->line.data, serve->line.length);
        if (end || serve->skips)
            clopt_text_clear(&serve->line);
        serve->skips &= !end;
        i += part + (end != NULL);
    }
}

/* ---- what happens to calls ---- */

void serve_finish_call(struct serve *serve)
{
    struct serve_call *call = &serve->calls[0];
    json_t *result = json_loads(clopt_text_string(&serve->result), 0, NULL);
    if (!result)
        result = serve_failure("the process of the call was lost, or could not be started",
                               "call it again");
    if (call->cancelled)
        json_decref(result);
    else
        answer(serve, call->batch, call->id, result);
    end_call(serve, 0);
}

void serve_drop_calls(struct serve *serve)
{
    serve->closed = true; /* nothing of a batch is sent, either */
    while (serve->call_count)
        end_call(serve, serve->call_count - 1);
}

void serve_report_progress(struct serve *serve)
{
    const struct serve_call *call = &serve->calls[0];
    double seconds = (double)(clopt_now_ns() - serve->begun_ns) * 1e-9;
    if (call->token && !call->cancelled)
        send_message(serve,
                     json_pack("{s:s, s:s, s:{s:O, s:f, s:s}}", "jsonrpc", "2.0", "method",
                               "notifications/progress", "params", "progressToken", call->token,
                               "progress", seconds, "message", "seconds so far"));
}
