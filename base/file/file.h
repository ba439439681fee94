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

/* What a file that is written may replace: an empty file, and one that begins as clopt's own of its
 * kind do. */
struct clopt_file_kind {
    const char *name;          /* "page" */
    const char *const *begins; /* ends with NULL; at most 255 characters each */
};

/* Of names that clopt has chosen, in folders of its own: whatever has the name is replaced, and a
 * link is not followed. */
extern const struct clopt_file_kind clopt_file_any;

/* Writes a file through `write`, under a temporary name, and syncs and renames it: there is the old
 * file or the whole new one at any moment. What is there must be of the kind `over` (NULL: nothing
 * but an empty file may be there), or it stays as it is, which CLOPT_INVALID says. A link is
 * followed, and what it leads to is looked at alike. Anything that is no file, such as a device or
 * a pipe, is opened and written. */
enum clopt_status clopt_file_save(const char *path, const struct clopt_file_kind *over,
                                  clopt_writer write, void *user, struct clopt_error *error);

/* Checks what clopt_file_save() will, before there is anything to write. */
enum clopt_status clopt_file_check_target(const char *path, const struct clopt_file_kind *over,
                                          struct clopt_error *error);

/* Writes a file as clopt_file_save() does. */
enum clopt_status clopt_file_write(const char *path, const struct clopt_file_kind *over,
                                   const void *data, size_t size, struct clopt_error *error);

/* Writes a file of clopt's own, over any, without waiting for the disk: after a power failure it
 * may be damaged. */
enum clopt_status clopt_file_write_soon(const char *path, const void *data, size_t size,
                                        struct clopt_error *error);

/* Opens an empty file beside another one, whose place it is to take by rename(), and returns it;
 * -1: errno says why not. Its name and mode are the same each time, so that one which a killed
 * process has left is taken over by the next; the mode is to be set once it is finished. `path` is
 * for the caller to free. */
int clopt_file_open_beside(const char *target, char **path);

/* Joins a folder and a name, for the caller to free. */
char *clopt_path_join(const char *folder, const char *name);

/* Returns the path that a file means by `path`: relative to the file's folder. For the caller to
 * free. */
char *clopt_path_beside(const char *file, const char *path);

/* Appends a part of a file's name after a dash: what is harmless of it, and a _ for the rest. */
void clopt_file_name_append(struct clopt_text *name, const char *part);
