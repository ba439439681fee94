/* SPDX-License-Identifier: BSD-3-Clause */
/* Fuzzes the supervisor's reader of messages: the first byte says into pieces of which size the
 * others are cut, and whatever a worker sends must come out the same in any pieces. */
#include "protocol/message.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define MOST_MESSAGES 64

/* What came out: messages, and how it ended. */
struct outcome {
    json_t *messages[MOST_MESSAGES];
    size_t count;
    enum clopt_status status;
};

static void take_all(struct clopt_message_reader *reader, struct outcome *outcome)
{
    while (!outcome->status && outcome->count < MOST_MESSAGES) {
        struct clopt_error error = {0};
        json_t *message;
        outcome->status = clopt_message_reader_take(reader, &message, &error);
        if (!message)
            return;
        clopt_message_get_error(message, &error);
        outcome->messages[outcome->count++] = message;
    }
}

static void read_in_pieces(const char *data, size_t size, size_t piece, struct outcome *outcome)
{
    int ends[2];
    struct clopt_message_reader reader = {0};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        abort();
    for (size_t at = 0; at < size && !outcome->status; at += piece) {
        size_t part = piece < size - at ? piece : size - at;
        if (write(ends[1], data + at, part) != (ssize_t)part ||
            clopt_message_reader_fill(&reader, ends[0], false, NULL))
            abort();
        take_all(&reader, outcome);
    }
    close(ends[0]);
    close(ends[1]);
    clopt_message_reader_fini(&reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    struct outcome whole = {0}, pieces = {0};
    read_in_pieces((const char *)data + 1, size - 1, size, &whole);
    read_in_pieces((const char *)data + 1, size - 1, (size_t)data[0] + 1, &pieces);
    if (whole.status != pieces.status || whole.count != pieces.count)
        abort();
    for (size_t i = 0; i < whole.count; i++) {
        if (!json_equal(whole.messages[i], pieces.messages[i]))
            abort();
        json_decref(whole.messages[i]);
        json_decref(pieces.messages[i]);
    }
    return 0;
}
