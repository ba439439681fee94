/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes whole files, and names paths. */
#pragma once

#include <clopt/file.h>

#include "text/text.h"

/* The largest text (a study, a kernel, a table) that is read. */
#define CLOPT_MOST_TEXT_BYTES ((uint64_t)64 << 20)

/* Checks that clopt_file_open() could open a file. */
enum clopt_status clopt_file_check(const char *path, struct clopt_error *error);

/* Opens a text that is read once: a regular file of at most CLOPT_MOST_TEXT_BYTES, or a pipe. */
enum clopt_status clopt_file_open_text(const char *path, FILE **stream, struct clopt_error *error);

/* Reads a regular file of at most `most_bytes` into memory that the caller frees; a NUL follows the
 * last byte. `size` may be NULL. CLOPT_INVALID names the file and the reason. */
enum clopt_status clopt_file_read(const char *path, uint64_t most_bytes, char **data, size_t *size,
                                  struct clopt_error *error);

/* As clopt_text_read(), but takes a pipe, too, which cannot be read again. */
enum clopt_status clopt_text_read_once(const char *path, char **text, struct clopt_error *error);

/* Writes a file through `write`. A regular file is written under a temporary name, synced and
 * renamed: there is the old file or the whole new one at any moment. A link is followed. Anything
 * else that has the name, such as a device or a pipe, is opened and written. */
enum clopt_status clopt_file_save(const char *path, clopt_writer write, void *user,
                                  struct clopt_error *error);

/* Writes a file as clopt_file_save() does. */
enum clopt_status clopt_file_write(const char *path, const void *data, size_t size,
                                   struct clopt_error *error);

/* Writes a file of clopt's own, without waiting for the disk: after a power failure it may be
 * damaged. What has its name is replaced: a link is not followed. */
enum clopt_status clopt_file_write_soon(const char *path, const void *data, size_t size,
                                        struct clopt_error *error);

/* Does as clopt_file_write() for a new file; fails where there is a regular one of this name. */
enum clopt_status clopt_file_create(const char *path, const void *data, size_t size,
                                    struct clopt_error *error);

/* Joins a folder and a name, for the caller to free. */
char *clopt_path_join(const char *folder, const char *name);

/* Returns the path that a file means by `path`: relative to the file's folder. For the caller to
 * free. */
char *clopt_path_beside(const char *file, const char *path);

/* Appends a part of a file's name after a dash: what is harmless of it, and a _ for the rest. */
void clopt_file_name_append(struct clopt_text *name, const char *part);
