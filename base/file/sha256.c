/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes SHA-256 as FIPS 180-4 describes it. */
#include "file/sha256.h"

#include <stdio.h>
#include <string.h>

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes (4.2.2). */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

/* Sanitizers leave these alone: each start hashes plugins, and would take a third longer. */
#define UNWATCHED static __attribute__((no_sanitize("address"), no_sanitize("undefined")))
UNWATCHED uint32_t rotate(uint32_t word, unsigned bits)
{
    return word >> bits | word << (32 - bits);
}

/* Expands a block to the message schedule (6.2.2, step 1). */
UNWATCHED void expand(const unsigned char block[64], uint32_t schedule[64])
{
    for (unsigned t = 0; t < 16; t++)
        schedule[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
                      (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (unsigned t = 16; t < 64; t++) {
        uint32_t a = schedule[t - 2], b = schedule[t - 15];
        schedule[t] = (rotate(a, 17) ^ rotate(a, 19) ^ a >> 10) + schedule[t - 7] +
                      (rotate(b, 7) ^ rotate(b, 18) ^ b >> 3) + schedule[t - 16];
    }
}

/* The working variables have names, so that they are kept in registers. */
UNWATCHED void process_block(struct clopt_sha256 *hash)
{
    uint32_t schedule[64], *state = hash->state;
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    expand(hash->block, schedule);
    for (unsigned t = 0; t < 64; t++) {
        uint32_t sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
        uint32_t choice = (e & f) ^ (~e & g);
        uint32_t first = h + sum1 + choice + constants[t] + schedule[t];
        uint32_t sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
        uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
        h = g, g = f, f = e, e = d + first;
        d = c, c = b, b = a, a = first + sum0 + majority;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

void clopt_sha256_init(struct clopt_sha256 *hash)
{
    *hash = (struct clopt_sha256){
        .state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                  0x1f83d9ab, 0x5be0cd19},
    };
}

void clopt_sha256_add(struct clopt_sha256 *hash, const void *data, size_t bytes)
{
    const unsigned char *next = data;
    while (bytes) {
        size_t used = hash->length_bytes % sizeof hash->block;
        size_t part = sizeof hash->block - used;
        if (part > bytes)
            part = bytes;
        memcpy(hash->block + used, next, part);
        hash->length_bytes += part;
        next += part;
        bytes -= part;
        if (used + part == sizeof hash->block)
            process_block(hash);
    }
}

/* Adds a number as 8 bytes, the most significant first. */
static void add_number(struct clopt_sha256 *hash, uint64_t number)
{
    unsigned char bytes[8];
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(number >> (56 - 8 * i));
    clopt_sha256_add(hash, bytes, sizeof bytes);
}

void clopt_sha256_add_string(struct clopt_sha256 *hash, const char *string)
{
    size_t length = string ? strlen(string) : 0;
    add_number(hash, string ? length : UINT64_MAX);
    clopt_sha256_add(hash, string, length);
}

void clopt_sha256_end(struct clopt_sha256 *hash, char text[CLOPT_HASH_SIZE])
{
    static const unsigned char padding[64] = {0x80};
    uint64_t bits = hash->length_bytes * 8;
    size_t used = hash->length_bytes % 64;
    clopt_sha256_add(hash, padding, used < 56 ? 56 - used : 120 - used);
    add_number(hash, bits);
    for (unsigned i = 0; i < 8; i++)
        snprintf(text + 8 * i, 9, "%08x", (unsigned)hash->state[i]);
}

void clopt_sha256_bytes(const void *data, size_t bytes, char text[CLOPT_HASH_SIZE])
{
    struct clopt_sha256 hash;
    clopt_sha256_init(&hash);
    clopt_sha256_add(&hash, data, bytes);
    clopt_sha256_end(&hash, text);
}

void clopt_sha256_salt(const char *salt, char text[CLOPT_HASH_SIZE])
{
    struct clopt_sha256 hash;
    clopt_sha256_init(&hash);
    clopt_sha256_add_string(&hash, salt);
    clopt_sha256_add_string(&hash, text);
    clopt_sha256_end(&hash, text);
}

void clopt_sha256_salt_end(const char *salt, char text[CLOPT_HASH_SIZE])
{
    char salted[CLOPT_HASH_SIZE];
    memcpy(salted, text, sizeof salted);
    clopt_sha256_salt(salt, salted);
    memcpy(text + CLOPT_HASH_KEPT, salted + CLOPT_HASH_KEPT, sizeof salted - CLOPT_HASH_KEPT);
}
