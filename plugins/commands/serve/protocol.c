/* SPDX-License-Identifier: BSD-3-Clause */
/* The Model Context Protocol, JSON-RPC 2.0 with a line a message: requests are taken, and answered.
 */
#include "commands/serve/serve.h"

#include <errno.h>
#include <unistd.h>

#include "process/child.h"
#include "process/clock.h"

#define MOST_LINE  (4 << 20) /* bytes of a request */
#define MOST_CALLS 32        /* that wait */

enum { PARSE_ERROR = -32700, INVALID_REQUEST = -32600, NO_METHOD = -32601, BAD_PARAMS = -32602 };

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

static void answer(struct serve *serve, json_t *id, json_t *result)
{
    send_message(serve, json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id", id, "result", result));
}

/* Answers with an error; `id` may be NULL: none is known. */
static void refuse(struct serve *serve, json_t *id, int code, const char *message)
{
    send_message(serve,
                 json_pack("{s:s, s:O?, s:{s:i, s:s}}", "jsonrpc", "2.0", "id",
                           id ? id : json_null(), "error", "code", code, "message", message));
}

/* ---- requests ---- */

static void initialize(struct serve *serve, json_t *id, json_t *request)
{
    static const char newest[] = "2025-06-18", oldest[] = "2024-11-05";
    const char *wanted = clopt_json_string(json_object_get(request, "params"), "protocolVersion");
    /* Who wants one between them, which has batches, knows the older one, too. */
    bool older = strcmp(wanted, oldest) >= 0 && strcmp(wanted, newest) < 0;
    serve->initialized = true;
    answer(serve, id,
           json_pack("{s:s, s:{s:{}}, s:{s:s, s:s}, s:s}", "protocolVersion",
                     older ? oldest : newest, "capabilities", "tools", "serverInfo", "name",
                     "clopt", "version", CLOPT_RELEASE, "instructions",
                     "Judges, tunes and rewrites OpenCL kernels in one folder. Begin with init for "
                     "a kernel's file, then judge or tune."));
}

static void list_tools(struct serve *serve, json_t *id, json_t *request)
{
    (void)request;
    answer(serve, id, json_pack("{s:o}", "tools", serve_list_tools(serve->global)));
}

static void ping(struct serve *serve, json_t *id, json_t *request)
{
    (void)request;
    answer(serve, id, json_object());
}

/* Has a tool run once those before it have ended. */
static void call_tool(struct serve *serve, json_t *id, json_t *request)
{
    const json_t *params = json_object_get(request, "params");
    const json_t *arguments = json_object_get(params, "arguments");
    if (!serve_find_tool(serve->global, clopt_json_string(params, "name")))
        refuse(serve, id, BAD_PARAMS, "name: no such tool");
    else if (arguments && !json_is_object(arguments))
        refuse(serve, id, BAD_PARAMS, "arguments: not an object");
    else if (json_array_size(serve->calls) == MOST_CALLS)
        answer(serve, id, serve_failure("too many calls wait already", "wait for their results"));
    else
        json_array_append(serve->calls, request);
}

/* Ends a call that is not wanted any more, which gets no answer. */
static void cancel(struct serve *serve, const json_t *request)
{
    const json_t *id = json_object_get(json_object_get(request, "params"), "requestId");
    json_t *call;
    size_t i;
    json_array_foreach(serve->calls, i, call)
    {
        if (!id || !json_equal(json_object_get(call, "id"), id))
            continue;
        serve->cancelled = i == 0 && serve->runner;
        if (serve->cancelled)
            serve_end_runner(serve);
        else
            json_array_remove(serve->calls, i);
        return;
    }
}

static void take_request(struct serve *serve, const char *method, json_t *id, json_t *request)
{
    static const struct {
        const char *method;
        void (*take)(struct serve *serve, json_t *id, json_t *request);
        bool early; /* also before initialize */
    } methods[] = {{"initialize", initialize, true},
                   {"ping", ping, true},
                   {"tools/list", list_tools, false},
                   {"tools/call", call_tool, false}};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (strcmp(methods[i].method, method) != 0)
            continue;
        if (serve->initialized || methods[i].early)
            methods[i].take(serve, id, request);
        else
            refuse(serve, id, INVALID_REQUEST, "initialize comes first");
        return;
    }
    refuse(serve, id, NO_METHOD, "no such method");
}

static bool is_id(const json_t *id)
{
    return json_is_string(id) || json_is_integer(id);
}

/* Takes a message: a request, a notification, or what answers requests that nobody has sent. */
static void take_message(struct serve *serve, json_t *message)
{
    json_t *id = json_object_get(message, "id"), *params = json_object_get(message, "params");
    const char *method = json_string_value(json_object_get(message, "method"));
    if (!json_object_get(message, "method") &&
        (json_object_get(message, "result") || json_object_get(message, "error")))
        return;
    if (strcmp(clopt_json_string(message, "jsonrpc"), "2.0") != 0 || !method || (id && !is_id(id)))
        refuse(serve, is_id(id) ? id : NULL, INVALID_REQUEST,
               "not a request of JSON-RPC 2.0 with an id that is a text or an integer");
    else if (!id && strcmp(method, "notifications/cancelled") == 0)
        cancel(serve, message);
    else if (id && params && !json_is_object(params))
        refuse(serve, id, BAD_PARAMS, "params: not an object");
    else if (id)
        take_request(serve, method, id, message);
}

static void take_line(struct serve *serve, const char *line, size_t length)
{
    json_error_t error;
    bool blank = strspn(line, " \t\r") == length;
    json_auto_t *message = blank ? NULL : json_loadb(line, length, 0, &error);
    if (message)
        take_message(serve, message);
    else if (!blank)
        refuse(serve, NULL, PARSE_ERROR, "not a line of JSON in UTF-8");
}

void serve_take_input(struct serve *serve, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length && !serve->closed;) {
        const char *end = memchr(bytes + i, '\n', length - i);
        size_t part = end ? (size_t)(end - bytes) - i : length - i;
        serve->skips |= serve->line.length + part > MOST_LINE;
        if (!serve->skips)
            clopt_text_append_bytes(&serve->line, bytes + i, part);
        if (end && serve->skips)
            refuse(serve, NULL, INVALID_REQUEST, "a line of more than 4 MiB");
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
    json_t *result = json_loads(clopt_text_string(&serve->result), 0, NULL);
    if (!result)
        result = serve_failure("the process of the call was lost, or could not be started",
                               "call it again");
    if (serve->cancelled)
        json_decref(result);
    else
        answer(serve, json_object_get(json_array_get(serve->calls, 0), "id"), result);
    json_array_remove(serve->calls, 0);
    serve->cancelled = false;
}

void serve_report_progress(struct serve *serve)
{
    const json_t *params = json_object_get(json_array_get(serve->calls, 0), "params");
    json_t *token = json_object_get(json_object_get(params, "_meta"), "progressToken");
    double seconds = (double)(clopt_now_ns() - serve->begun_ns) * 1e-9;
    if (is_id(token) && !serve->cancelled)
        send_message(serve, json_pack("{s:s, s:s, s:{s:O, s:f, s:s}}", "jsonrpc", "2.0", "method",
                                      "notifications/progress", "params", "progressToken", token,
                                      "progress", seconds, "message", "seconds so far"));
}
