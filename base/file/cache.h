/* SPDX-License-Identifier: BSD-3-Clause */
/* Files in a cache folder, each under a key, that are believed where they are whole and meant. */
#pragma once

#include <clopt/error.h>

#include "file/sha256.h"

/* Returns the folder on disk where clopt caches what takes long to make, or the one called `below`
 * in it (NULL: itself), for the caller to free; NULL where the environment names none. Nothing is
 * created. */
char *clopt_cache_folder(const char *below);

/* Maps what is cached under a key, read-only; release it by clopt_cache_release(). `bytes` gets
 * its size; where that is not 0 before, data of another size do not count. NULL where there is
 * nothing, or nothing to be trusted: a file that is damaged or cut off, that was written under
 * another key or by another version of clopt, or that belongs to another user or may be written by
 * others. */
const void *clopt_cache_find(const char *folder, const char *key, size_t *bytes);

/* Writes the data into an empty file. False where the file has no room. */
typedef bool (*clopt_cache_maker)(void *user, int file, enum clopt_status *status,
                                  struct clopt_error *error);

/* How data are made that are not there. */
struct clopt_cache_making {
    const char *folder;
    const char *key;
    clopt_cache_maker make;
    void *user;
};

/* Finds data as clopt_cache_find() does, or has them made; of several processes that want them at
 * once, one makes them. `data` stays NULL where they cannot be cached. */
enum clopt_status clopt_cache_find_or_make(const struct clopt_cache_making *making,
                                           const void **data, size_t *bytes,
                                           struct clopt_error *error);

/* Caches data (at least one byte) under a key, instead of what was there; makes the folder. What
 * cannot be cached is made again another time: no reason to fail. */
void clopt_cache_put(const char *folder, const char *key, const void *data, size_t bytes);

/* Maps all of an open file, read-only; NULL where it is empty. */
const void *clopt_cache_map(int file, size_t *bytes);

/* Returns a checksum of data, against damage and not against anybody, at the speed of memory. */
uint64_t clopt_cache_checksum(const void *data, size_t bytes);

/* Gives back what was found, made or mapped; NULL is nothing. */
void clopt_cache_release(const void *data, size_t bytes);

/* Deletes the files used least recently until all that clopt has put into the folder takes
 * `most_bytes` or less. Other files, other users' and links are left alone. */
void clopt_cache_prune(const char *folder, uint64_t most_bytes);
