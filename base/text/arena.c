/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is given back all at once. */
#include "text/arena.h"

#include <stdint.h>

#include <clopt/memory.h>

struct clopt_arena_block {
    struct clopt_arena_block *next;
    size_t used;
    size_t size;
    max_align_t data[];
};

void *clopt_arena_get(struct clopt_arena *arena, size_t bytes)
{
    size_t align = sizeof(max_align_t);
    if (bytes > SIZE_MAX / 4)
        clopt_memory_end();
    bytes = (bytes + align - 1) / align * align;
    struct clopt_arena_block *block = arena->blocks;
    if (!block || block->size - block->used < bytes) {
        size_t size = bytes > 65536 ? bytes : 65536;
        block = clopt_calloc(1, sizeof *block + size);
        block->size = size;
        block->next = arena->blocks;
        arena->blocks = block;
    }
    void *memory = (char *)block->data + block->used;
    block->used += bytes;
    return memory;
}

char *clopt_arena_copy(struct clopt_arena *arena, const char *text, size_t length)
{
    return memcpy(clopt_arena_get(arena, length + 1), text, length);
}

void clopt_arena_fini(struct clopt_arena *arena)
{
    while (arena->blocks) {
        struct clopt_arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
}
