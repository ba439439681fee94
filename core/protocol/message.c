/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between supervisor and workers. */
#include "protocol/message.h"

#include <errno.h>
#include <sys/socket.h>

#include "text/json.h"

#define HEADER_BYTES  4
#define LONGEST_BYTES ((uint32_t)256 << 20)
#define LONGEST_JSON  ((size_t)64 << 20) /* in memory it takes some twenty times as much */

enum clopt_status clopt_message_send_bytes(int file, const char *data, size_t size,
                                           struct clopt_error *error)
{
    while (size > 0) {
        ssize_t sent = send(file, data, size, MSG_NOSIGNAL);
        if (sent > 0) {
            data += sent;
            size -= (size_t)sent;
        } else if (sent < 0 && errno != EINTR) {
            return clopt_fail(error, CLOPT_INTERRUPTED, "message not sent: %s", strerror(errno));
        }
    }
    return CLOPT_OK;
}

/* Reads the object of a message, and the source after it. */
static enum clopt_status read_json(const char *text, size_t length, json_t **message,
                                   struct clopt_error *error)
{
    json_error_t reason;
    const char *end = memchr(text, '\0', length);
    size_t before = end ? (size_t)(end - text) : length;
    if (before > LONGEST_JSON)
        return clopt_fail(error, CLOPT_FAILED, "message with %zu bytes of JSON, more than any has",
                          before);
    *message = json_loadb(text, before, 0, &reason);
    if (!*message)
        return clopt_fail(error, CLOPT_FAILED, "message is not JSON: %s", reason.text);
    if (!json_is_object(*message))
        clopt_fail(error, CLOPT_FAILED, "message is not a JSON object");
    else if (end && json_object_set_new(*message, CLOPT_MESSAGE_SOURCE,
                                        json_stringn(end + 1, length - before - 1)))
        clopt_fail(error, CLOPT_FAILED, "message with a source that is not UTF-8");
    else
        return CLOPT_OK;
    json_decref(*message);
    *message = NULL;
    return CLOPT_FAILED;
}

enum clopt_status clopt_message_write(json_t *message, struct clopt_text *text,
                                      struct clopt_error *error)
{
    json_auto_t *source = json_incref(json_object_get(message, CLOPT_MESSAGE_SOURCE));
    json_object_del(message, CLOPT_MESSAGE_SOURCE);
    CLOPT_FREED char *json = json_dumps(message, JSON_COMPACT);
    json_decref(message);
    if (!json)
        return clopt_fail(error, CLOPT_FAILED, "a text of a message is not UTF-8");
    size_t object = strlen(json);
    size_t length = object + (source ? 1 + json_string_length(source) : 0);
    for (int shift = 8 * (HEADER_BYTES - 1); shift >= 0; shift -= 8)
        clopt_text_append_char(text, (char)(length >> shift));
    clopt_text_append_bytes(text, json, object);
    if (source) {
        clopt_text_append_char(text, '\0');
        clopt_text_append_bytes(text, json_string_value(source), json_string_length(source));
    }
    return length > LONGEST_BYTES ? clopt_fail(error, CLOPT_FAILED, "message of %zu bytes", length)
                                  : CLOPT_OK;
}

enum clopt_status clopt_message_send(int file, json_t *message, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_text) text = {0};
    CLOPT_TRY(clopt_message_write(message, &text, error));
    return clopt_message_send_bytes(file, text.data, text.length, error);
}

enum clopt_status clopt_message_reader_fill(struct clopt_message_reader *reader, int file,
                                            bool wait, struct clopt_error *error)
{
    char chunk[65536];
    for (;;) {
        ssize_t got = recv(file, chunk, sizeof chunk, wait ? 0 : MSG_DONTWAIT);
        if (got > 0)
            clopt_text_append_bytes(&reader->bytes, chunk, (size_t)got);
        if (got == 0)
            return clopt_fail(error, CLOPT_INTERRUPTED, "connection closed");
        if (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
            return clopt_fail(error, CLOPT_INTERRUPTED, "connection lost: %s", strerror(errno));
        if ((got < 0 && errno != EINTR) || (got > 0 && (size_t)got < sizeof chunk))
            return CLOPT_OK;
    }
}

bool clopt_message_reader_put(struct clopt_message_reader *reader, const char *data, size_t size)
{
    if (size > HEADER_BYTES + LONGEST_BYTES - reader->bytes.length)
        return false;
    clopt_text_append_bytes(&reader->bytes, data, size);
    return true;
}

enum clopt_status clopt_message_reader_take(struct clopt_message_reader *reader, json_t **message,
                                            struct clopt_error *error)
{
    *message = NULL;
    struct clopt_text *bytes = &reader->bytes;
    uint32_t length = 0;
    if (bytes->length < HEADER_BYTES)
        return CLOPT_OK;
    for (int i = 0; i < HEADER_BYTES; i++)
        length = length << 8 | (unsigned char)bytes->data[i];
    if (length > LONGEST_BYTES)
        return clopt_fail(error, CLOPT_FAILED, "message of %lu bytes, more than any can have",
                          (unsigned long)length);
    if (bytes->length - HEADER_BYTES < length)
        return CLOPT_OK;
    CLOPT_TRY(read_json(bytes->data + HEADER_BYTES, length, message, error));
    size_t rest = bytes->length - HEADER_BYTES - length;
    memmove(bytes->data, bytes->data + HEADER_BYTES + length, rest);
    bytes->length = rest;
    bytes->data[rest] = '\0';
    return CLOPT_OK;
}

void clopt_message_reader_fini(struct clopt_message_reader *reader)
{
    clopt_text_fini(&reader->bytes);
}

enum clopt_status clopt_message_receive(struct clopt_message_reader *reader, int file,
                                        json_t **message, struct clopt_error *error)
{
    CLOPT_TRY(clopt_message_reader_take(reader, message, error));
    while (!*message) {
        CLOPT_TRY(clopt_message_reader_fill(reader, file, true, error));
        CLOPT_TRY(clopt_message_reader_take(reader, message, error));
    }
    return CLOPT_OK;
}

json_t *clopt_message_request(unsigned id, enum clopt_stage from, enum clopt_stage until)
{
    return json_pack("{s:s,s:i,s:s,s:s}", "op", "trial", "id", (int)id, "from",
                     clopt_stage_name(from), "until", clopt_stage_name(until));
}

bool clopt_message_set_variant(json_t *message, const json_t *variant)
{
    json_t *rest = json_copy((json_t *)variant), *source = json_object_get(variant, "source");
    json_object_set(message, CLOPT_MESSAGE_SOURCE, source);
    json_object_del(rest, "source");
    json_object_set_new(message, "variant", rest);
    return source != NULL;
}

json_t *clopt_message_get_variant(const json_t *message)
{
    json_t *variant = json_object_get(message, "variant");
    if (variant && !json_object_get(variant, "source"))
        json_object_set(variant, "source", json_object_get(message, CLOPT_MESSAGE_SOURCE));
    return variant;
}

void clopt_message_set_error(json_t *message, const struct clopt_error *error)
{
    json_object_set_new(message, "status", json_integer(error->status));
    json_object_set_new(message, "message", clopt_json_text(error->message));
}

enum clopt_status clopt_message_get_error(const json_t *message, struct clopt_error *error)
{
    const json_t *status = json_object_get(message, "status");
    const char *text = json_string_value(json_object_get(message, "message"));
    json_int_t number = json_integer_value(status);
    if (!status || (json_is_integer(status) && number == CLOPT_OK))
        return CLOPT_OK;
    if (number <= CLOPT_OK || number > CLOPT_INTERRUPTED) /* none that we know */
        number = CLOPT_FAILED;
    return clopt_fail(error, (enum clopt_status)number, "%s", text ? text : "(no reason given)");
}
