/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells files and their contents apart, without reading them more often than they change. */
#pragma once

#include <clopt/error.h>

#include "file/sha256.h"

/* Adds what tells a file and its state from all others: which file it is, its size and when it
 * changed, which nobody can set. Waits until a file that has just been written cannot change again
 * without showing it. A file that is not there adds nothing. */
void clopt_file_add_identity(struct clopt_sha256 *hash, const char *path);

/* Hashes of contents that have been computed. All zero: none. */
struct clopt_file_hashes {
    struct clopt_known_hash *items;
    size_t count;
};

void clopt_file_hashes_fini(struct clopt_file_hashes *hashes);

/* Returns the hash of a file's content; what is in `known` (may be NULL) is not read again.
 * CLOPT_INVALID names the file and the reason. */
enum clopt_status clopt_file_hash(const char *path, struct clopt_file_hashes *known,
                                  char hash[CLOPT_HASH_SIZE], struct clopt_error *error);
