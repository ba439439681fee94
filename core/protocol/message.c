/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between supervisor and workers. */
#include "protocol/message.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define HEADER_BYTES  4
#define LONGEST_BYTES ((uint32_t)256 << 20)

static enum clopt_status send_all(int file, const char *data, size_t size,
                                  struct clopt_error *error)
{
    while (size > 0) {
        ssize_t sent = send(file, data, size, MSG_NOSIGNAL);
        if (sent > 0) {
            data += sent;
            size -= (size_t)sent;
        } else if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            struct pollfd ready = {.fd = file, .events = POLLOUT};
            poll(&ready, 1, 1000);
        } else if (sent < 0 && errno != EINTR) {
            return clopt_fail(error, CLOPT_INTERRUPTED, "message not sent: %s", strerror(errno));
        }
    }
    return CLOPT_OK;
}

/* Reads the length in front of a message. */
static enum clopt_status read_length(const char *header, uint32_t *length,
                                     struct clopt_error *error)
{
    *length = 0;
    for (int i = 0; i < HEADER_BYTES; i++)
        *length = *length << 8 | (unsigned char)header[i];
    if (*length > LONGEST_BYTES)
        return clopt_fail(error, CLOPT_FAILED, "message of %lu bytes, more than any can have",
                          (unsigned long)*length);
    return CLOPT_OK;
}

static enum clopt_status read_json(const char *text, size_t length, json_t **message,
                                   struct clopt_error *error)
{
    json_error_t reason;
    *message = json_loadb(text, length, 0, &reason);
    if (!*message)
        return clopt_fail(error, CLOPT_FAILED, "message is not JSON: %s", reason.text);
    if (json_is_object(*message))
        return CLOPT_OK;
    json_decref(*message);
    *message = NULL;
    return clopt_fail(error, CLOPT_FAILED, "message is no JSON object");
}

enum clopt_status clopt_message_send(int file, json_t *message, struct clopt_error *error)
{
    char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;
    json_decref(message);
    if (!text)
        return clopt_fail_memory(error);
    size_t length = strlen(text);
    unsigned char header[HEADER_BYTES];
    for (int i = 0; i < HEADER_BYTES; i++)
        header[i] = (unsigned char)(length >> (8 * (HEADER_BYTES - 1 - i)));
    enum clopt_status status = length > LONGEST_BYTES
                                   ? clopt_fail(error, CLOPT_FAILED, "message of %zu bytes", length)
                                   : send_all(file, (char *)header, sizeof header, error);
    if (!status)
        status = send_all(file, text, length, error);
    free(text);
    return status;
}

enum clopt_status clopt_message_reader_fill(struct clopt_message_reader *reader, int file,
                                            struct clopt_error *error)
{
    char chunk[65536];
    for (;;) {
        ssize_t got = recv(file, chunk, sizeof chunk, MSG_DONTWAIT);
        if (got > 0)
            clopt_text_append_bytes(&reader->bytes, chunk, (size_t)got);
        else if (got == 0)
            return clopt_fail(error, CLOPT_INTERRUPTED, "connection closed");
        else if (errno == EAGAIN || errno == EWOULDBLOCK)
            return reader->bytes.failed ? clopt_fail_memory(error) : CLOPT_OK;
        else if (errno != EINTR)
            return clopt_fail(error, CLOPT_INTERRUPTED, "connection lost: %s", strerror(errno));
    }
}

enum clopt_status clopt_message_reader_take(struct clopt_message_reader *reader, json_t **message,
                                            struct clopt_error *error)
{
    *message = NULL;
    struct clopt_text *bytes = &reader->bytes;
    if (bytes->length < HEADER_BYTES)
        return CLOPT_OK;
    uint32_t length;
    enum clopt_status status = read_length(bytes->data, &length, error);
    if (status || bytes->length - HEADER_BYTES < length)
        return status;
    status = read_json(bytes->data + HEADER_BYTES, length, message, error);
    if (status)
        return status;
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

static enum clopt_status receive_all(int file, char *data, size_t size, struct clopt_error *error)
{
    while (size > 0) {
        ssize_t got = recv(file, data, size, 0);
        if (got > 0) {
            data += got;
            size -= (size_t)got;
        } else if (got == 0) {
            return clopt_fail(error, CLOPT_INTERRUPTED, "connection closed");
        } else if (errno != EINTR) {
            return clopt_fail(error, CLOPT_INTERRUPTED, "connection lost: %s", strerror(errno));
        }
    }
    return CLOPT_OK;
}

enum clopt_status clopt_message_receive(int file, json_t **message, struct clopt_error *error)
{
    *message = NULL;
    char header[HEADER_BYTES];
    uint32_t length;
    enum clopt_status status = receive_all(file, header, sizeof header, error);
    if (!status)
        status = read_length(header, &length, error);
    if (status)
        return status;
    char *text = malloc((size_t)length + 1);
    if (!text)
        return clopt_fail_memory(error);
    status = receive_all(file, text, length, error);
    if (!status)
        status = read_json(text, length, message, error);
    free(text);
    return status;
}

json_t *clopt_message_text(const char *text)
{
    json_t *string = json_string(text);
    char *ascii = string ? NULL : strdup(text);
    if (ascii) {
        for (char *c = ascii; *c; c++)
            if ((unsigned char)*c >= 0x80)
                *c = '?';
        string = json_string(ascii);
        free(ascii);
    }
    return string;
}

int clopt_message_set_error(json_t *message, const struct clopt_error *error)
{
    int failed = json_object_set_new(message, "status", json_integer(error->status));
    return json_object_set_new(message, "message", clopt_message_text(error->message)) || failed;
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
