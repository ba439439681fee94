/* SPDX-License-Identifier: BSD-3-Clause */
/* A hash table of keys of one length. It is not uthash, which takes 56 bytes an item, whose address
 * it wants to last: there are millions of keys of a few bytes, and they are numbered. */
#include "space/keys.h"

#define FIRST_SLOTS 64

const void *clopt_keys_at(const struct clopt_keys *keys, size_t number)
{
    return keys->data + number * keys->bytes;
}

/* Finds the slot of a key: its own, or the empty one that it would have. */
static uint32_t *find_slot(const struct clopt_keys *keys, const void *key)
{
    const unsigned char *byte = key;
    uint64_t hash = UINT64_C(0x9e3779b97f4a7c15);
    for (size_t i = 0; i < keys->bytes; i++)
        hash = ((hash ^ byte[i]) * UINT64_C(0xff51afd7ed558ccd)) ^ hash >> 32;
    for (size_t at = hash >> 32;; at++) {
        uint32_t *slot = &keys->slots[at & (keys->slot_count - 1)];
        if (!*slot || memcmp(clopt_keys_at(keys, *slot - 1), key, keys->bytes) == 0)
            return slot;
    }
}

size_t clopt_keys_find(const struct clopt_keys *keys, const void *key)
{
    uint32_t number = keys->slot_count ? *find_slot(keys, key) : 0;
    return number ? number - 1 : CLOPT_NO_KEY;
}

/* Keeps half of the slots free. */
static void make_room(struct clopt_keys *keys)
{
    if (2 * keys->count < keys->slot_count)
        return;
    keys->slot_count = keys->slot_count ? 2 * keys->slot_count : FIRST_SLOTS;
    keys->data = clopt_realloc(keys->data, keys->slot_count / 2, keys->bytes);
    free(keys->slots);
    keys->slots = clopt_calloc(keys->slot_count, sizeof *keys->slots);
    for (size_t i = 0; i < keys->count; i++)
        *find_slot(keys, clopt_keys_at(keys, i)) = (uint32_t)i + 1;
}

size_t clopt_keys_add(struct clopt_keys *keys, const void *key)
{
    make_room(keys);
    uint32_t *slot = find_slot(keys, key);
    if (!*slot) {
        memcpy(keys->data + keys->count * keys->bytes, key, keys->bytes);
        *slot = (uint32_t)++keys->count;
    }
    return *slot - 1;
}

void clopt_keys_fini(struct clopt_keys *keys)
{
    free(keys->data);
    free(keys->slots);
    *keys = (struct clopt_keys){0};
}
