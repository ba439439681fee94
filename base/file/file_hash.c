/* SPDX-License-Identifier: BSD-3-Clause */
/* Hashes files, and remembers what came out. */
#include "file/file_hash.h"

#include <errno.h>
#include <sys/stat.h>
#include <time.h>

#include <clopt/file.h>
#include <clopt/memory.h>

/* Two changes of a file that are further apart have different times; clocks of files tick in up to
 * 10 ms. */
#define TICK_NS 20000000

struct clopt_known_hash {
    char identity[CLOPT_HASH_SIZE]; /* of the file */
    char content[CLOPT_HASH_SIZE];
};

static void settle(const struct stat *info)
{
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0)
        return;
    int64_t age_ns = (int64_t)(now.tv_sec - info->st_ctim.tv_sec) * 1000000000 +
                     (now.tv_nsec - info->st_ctim.tv_nsec);
    if (age_ns >= 0 && age_ns < TICK_NS)
        nanosleep(&(struct timespec){.tv_nsec = TICK_NS}, NULL);
}

void clopt_file_add_identity(struct clopt_sha256 *hash, const char *path)
{
    struct stat info;
    if (stat(path, &info) == 0)
        settle(&info);
    if (stat(path, &info) != 0)
        return;
    clopt_sha256_add(hash, &info.st_dev, sizeof info.st_dev);
    clopt_sha256_add(hash, &info.st_ino, sizeof info.st_ino);
    clopt_sha256_add(hash, &info.st_size, sizeof info.st_size);
    clopt_sha256_add(hash, &info.st_mtim, sizeof info.st_mtim);
    clopt_sha256_add(hash, &info.st_ctim, sizeof info.st_ctim);
}

static void identify(const char *path, char identity[CLOPT_HASH_SIZE])
{
    struct clopt_sha256 hash;
    clopt_sha256_init(&hash);
    clopt_file_add_identity(&hash, path);
    clopt_sha256_end(&hash, identity);
}

static enum clopt_status hash_content(const char *path, char text[CLOPT_HASH_SIZE],
                                      struct clopt_error *error)
{
    unsigned char block[16384];
    struct clopt_sha256 hash;
    CLOPT_CLOSED FILE *file = NULL;
    CLOPT_TRY(clopt_file_open(path, &file, error));
    clopt_sha256_init(&hash);
    size_t bytes;
    while ((bytes = fread(block, 1, sizeof block, file)))
        clopt_sha256_add(&hash, block, bytes);
    if (ferror(file))
        return clopt_fail(error, CLOPT_INVALID, "%s: cannot be read: %s", path, strerror(errno));
    clopt_sha256_end(&hash, text);
    return CLOPT_OK;
}

/* Remembers a hash, unless the file has changed since it was read. */
static void remember(const char *path, const struct clopt_known_hash *hash,
                     struct clopt_file_hashes *known)
{
    char identity[CLOPT_HASH_SIZE];
    identify(path, identity);
    if (strcmp(identity, hash->identity) != 0)
        return;
    struct clopt_known_hash *item = clopt_array_add(&known->items, &known->count, sizeof *item);
    *item = *hash;
}

void clopt_file_hashes_fini(struct clopt_file_hashes *hashes)
{
    free(hashes->items);
    *hashes = (struct clopt_file_hashes){0};
}

enum clopt_status clopt_file_hash(const char *path, struct clopt_file_hashes *known,
                                  char hash[CLOPT_HASH_SIZE], struct clopt_error *error)
{
    struct clopt_known_hash found;
    identify(path, found.identity);
    for (size_t i = 0; known && i < known->count; i++)
        if (strcmp(known->items[i].identity, found.identity) == 0) {
            memcpy(hash, known->items[i].content, CLOPT_HASH_SIZE);
            return CLOPT_OK;
        }
    CLOPT_TRY(hash_content(path, found.content, error));
    memcpy(hash, found.content, CLOPT_HASH_SIZE);
    if (known)
        remember(path, &found, known);
    return CLOPT_OK;
}
