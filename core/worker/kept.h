/* SPDX-License-Identifier: BSD-3-Clause */
/* Small files in a cache folder, which are believed only where they are whole and meant. */
#ifndef CLOPT_WORKER_KEPT_H
#define CLOPT_WORKER_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sha256.h"

/* Reads what was kept under a key, for the caller to free; a NUL follows the last byte. False where
 * there is nothing, or nothing to be trusted: a file that is damaged or cut off, that was written
 * under another key or by another version of clopt, or that belongs to another user. */
bool clopt_kept_read(const char *folder, const char *key, char **data, size_t *bytes);

/* Keeps data under a key, instead of what was there; makes the folder. What cannot be kept is made
 * again another time: no reason to fail. */
void clopt_kept_write(const char *folder, const char *key, const void *data, size_t bytes);

/* Deletes the files used least recently, until what clopt has put into the folder, by these
 * functions and by clopt_cached(), takes `most_bytes` or less. Other files, other users' and links
 * are left alone. */
void clopt_kept_prune(const char *folder, uint64_t most_bytes);

#endif
