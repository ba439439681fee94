/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the files that users name. */
#pragma once

#include <stdint.h>

#include <clopt/error.h>

/* Opens a regular file, or a link to one, for reading. The caller closes it. CLOPT_INVALID names
 * the file and the reason; folders, pipes, devices and sockets are refused, and never waited for.
 */
CLOPT_API enum clopt_status clopt_file_open(const char *path, FILE **stream,
                                            struct clopt_error *error);

/* Reads a regular file that is a text, without a NUL in it and not too long, into memory that the
 * caller frees. */
CLOPT_API enum clopt_status clopt_text_read(const char *path, char **text,
                                            struct clopt_error *error);

/* Returns how many bytes a stream has left: what a header promises is compared with that before
 * there is memory for it. UINT64_MAX: the stream has no end that is known. */
CLOPT_API uint64_t clopt_file_rest(FILE *stream);

/* Writes a block of data; clopt checks `stream` for errors afterwards. */
typedef enum clopt_status (*clopt_writer)(void *user, FILE *stream, struct clopt_error *error);
