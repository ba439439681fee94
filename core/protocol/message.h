/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between supervisor and workers: JSON after its length. */
#pragma once

#include <jansson.h>

#include "protocol/stage.h"
#include "text/text.h"

/* A message is four bytes of length, most significant first, then so many bytes of a JSON object:
 * nothing in it depends on the machine. Its member "source", a text, is sent as it is after the
 * object and a byte 0: to write and read it as JSON would cost more than all the rest. */
#define CLOPT_MESSAGE_SOURCE "source"

/* Appends a message as it travels, and drops the reference to it. */
enum clopt_status clopt_message_write(json_t *message, struct clopt_text *text,
                                      struct clopt_error *error);

/* Sends bytes over a connected socket, and a message, to which the reference is dropped. */
enum clopt_status clopt_message_send_bytes(int file, const char *data, size_t size,
                                           struct clopt_error *error);
enum clopt_status clopt_message_send(int file, json_t *message, struct clopt_error *error);

/* What has arrived of the next messages. All zero at first. */
struct clopt_message_reader {
    struct clopt_text bytes;
};

/* Reads what has arrived; `wait`: waits until something has. CLOPT_INTERRUPTED at its end. */
enum clopt_status clopt_message_reader_fill(struct clopt_message_reader *reader, int file,
                                            bool wait, struct clopt_error *error);

/* Takes bytes that have come by another way; false: there would be more than a message has. */
bool clopt_message_reader_put(struct clopt_message_reader *reader, const char *data, size_t size);

/* Takes the next whole message out of what has been read; NULL without one. */
enum clopt_status clopt_message_reader_take(struct clopt_message_reader *reader, json_t **message,
                                            struct clopt_error *error);
void clopt_message_reader_fini(struct clopt_message_reader *reader);

/* Waits for a message. CLOPT_INTERRUPTED: the other side has closed the connection. */
enum clopt_status clopt_message_receive(struct clopt_message_reader *reader, int file,
                                        json_t **message, struct clopt_error *error);

/* Makes the request to take variant number `id` from one stage to another. */
json_t *clopt_message_request(unsigned id, enum clopt_stage from, enum clopt_stage until);

/* Put a variant into a message, and find it there (the message's reference; NULL: there is none).
 * False: it has no source, which is not UTF-8. */
bool clopt_message_set_variant(json_t *message, const json_t *variant);
json_t *clopt_message_get_variant(const json_t *message);

/* Put an error into a message, and take it out again (CLOPT_OK: there is none). */
void clopt_message_set_error(json_t *message, const struct clopt_error *error);
enum clopt_status clopt_message_get_error(const json_t *message, struct clopt_error *error);
