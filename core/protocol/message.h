/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between supervisor and workers: JSON with its length in front. */
#ifndef CLOPT_PROTOCOL_MESSAGE_H
#define CLOPT_PROTOCOL_MESSAGE_H

#include <jansson.h>

#include <clopt/error.h>

#include "base/text.h"

/* A message is four bytes of length, most significant first, then so many bytes of a JSON
 * object: nothing in it depends on the machine. */

/* Sends a message and drops the reference to it. */
enum clopt_status clopt_message_send(int file, json_t *message, struct clopt_error *error);

/* Waits for a message. CLOPT_INTERRUPTED: the other side has closed the connection. */
enum clopt_status clopt_message_receive(int file, json_t **message, struct clopt_error *error);

/* What has arrived of the next message. All zero at first. */
struct clopt_message_reader {
    struct clopt_text bytes;
};

/* Reads what there is without waiting (the file does not block). CLOPT_INTERRUPTED at its end. */
enum clopt_status clopt_message_reader_fill(struct clopt_message_reader *reader, int file,
                                            struct clopt_error *error);

/* Takes the next whole message out of what has arrived; NULL without one. */
enum clopt_status clopt_message_reader_take(struct clopt_message_reader *reader, json_t **message,
                                            struct clopt_error *error);
void clopt_message_reader_fini(struct clopt_message_reader *reader);

/* Makes a JSON string of text that may not be UTF-8, such as a driver's: bad bytes become "?". */
json_t *clopt_message_text(const char *text);

/* Put an error into a message, and take it out again (CLOPT_OK: there is none). */
int clopt_message_set_error(json_t *message, const struct clopt_error *error);
enum clopt_status clopt_message_get_error(const json_t *message, struct clopt_error *error);

#endif
