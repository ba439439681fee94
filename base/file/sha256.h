/* SPDX-License-Identifier: BSD-3-Clause */
/* SHA-256 (FIPS 180-4): the keys of trials and of cached data. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct clopt_sha256 {
    uint32_t state[8];
    uint64_t length_bytes;
    unsigned char block[64];
};

#define CLOPT_HASH_SIZE 65 /* 64 hexadecimal digits and a NUL */

void clopt_sha256_init(struct clopt_sha256 *hash);
void clopt_sha256_add(struct clopt_sha256 *hash, const void *data, size_t bytes);

/* Adds a string together with its length, so that neighbouring strings cannot flow together; NULL
 * differs from the empty string. */
void clopt_sha256_add_string(struct clopt_sha256 *hash, const char *string);

/* Ends the hash and writes it as text. */
void clopt_sha256_end(struct clopt_sha256 *hash, char text[CLOPT_HASH_SIZE]);

/* Hashes bytes. */
void clopt_sha256_bytes(const void *data, size_t bytes, char text[CLOPT_HASH_SIZE]);

/* Replaces a hash by that of a salt and itself. */
void clopt_sha256_salt(const char *salt, char text[CLOPT_HASH_SIZE]);

/* The same, but the first CLOPT_HASH_KEPT characters stay: they tell what was equal before. */
#define CLOPT_HASH_KEPT ((CLOPT_HASH_SIZE - 1) / 2)
void clopt_sha256_salt_end(const char *salt, char text[CLOPT_HASH_SIZE]);
