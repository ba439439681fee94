/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes whole files. */
#ifndef CLOPT_BASE_FILE_H
#define CLOPT_BASE_FILE_H

#include <stddef.h>

#include <clopt/error.h>

/* Reads a file into memory that the caller frees; a NUL follows the last byte. `size` may be NULL.
 * CLOPT_INVALID names the file and the reason. */
enum clopt_status clopt_file_read(const char *path, char **data, size_t *size,
                                  struct clopt_error *error);

/* Writes a file under a temporary name, syncs it and renames it: there is the old file or the whole
 * new one at any moment. */
enum clopt_status clopt_file_write(const char *path, const void *data, size_t size,
                                   struct clopt_error *error);

/* Does the same without waiting for the disk: after a power failure, the file may be damaged. */
enum clopt_status clopt_file_write_soon(const char *path, const void *data, size_t size,
                                        struct clopt_error *error);

/* Does as clopt_file_write() for a new file; fails where there is one of this name. */
enum clopt_status clopt_file_create(const char *path, const void *data, size_t size,
                                    struct clopt_error *error);

/* Joins a folder and a name, for the caller to free; NULL when memory runs out. */
char *clopt_path_join(const char *folder, const char *name);

/* Returns the path that a file means by `path`: relative to the file's folder. For the caller to
 * free; NULL when memory runs out. */
char *clopt_path_beside(const char *file, const char *path);

/* Removes a folder with all that is in it, as far as that is possible; links are not followed. */
void clopt_folder_remove(const char *path);

/* Makes a folder and those above it, where they are missing. */
enum clopt_status clopt_folder_create(const char *path, struct clopt_error *error);

#endif
