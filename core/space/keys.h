/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys of one length by number, and the number of a key: points of a space, choices so far. */
#pragma once

#include <clopt/memory.h>

#define CLOPT_NO_KEY ((size_t)-1)

/* All zero but `bytes` is empty. */
struct clopt_keys {
    size_t bytes; /* of a key */
    size_t count;
    size_t slot_count; /* a power of two, or 0 */
    char *data;        /* all keys, one after the other */
    uint32_t *slots;   /* a hash table with open addresses: the number of a key + 1, or 0 */
};

/* Returns the number of a key; CLOPT_NO_KEY: it is not there. */
size_t clopt_keys_find(const struct clopt_keys *keys, const void *key);

/* Returns the number of a key, which is added unless it is there. */
size_t clopt_keys_add(struct clopt_keys *keys, const void *key);

/* Returns a key, which is valid until the next one is added. */
const void *clopt_keys_at(const struct clopt_keys *keys, size_t number);

void clopt_keys_fini(struct clopt_keys *keys);
