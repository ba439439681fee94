/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is given back all at once: trees, names, results. */
#pragma once

#include <stddef.h>

struct clopt_arena_block;

/* All zero is an empty arena. */
struct clopt_arena {
    struct clopt_arena_block *blocks;
};

/* Return zeroed memory, and a copy that ends with a NUL; never NULL. */
void *clopt_arena_get(struct clopt_arena *arena, size_t bytes);
char *clopt_arena_copy(struct clopt_arena *arena, const char *text, size_t length);
void clopt_arena_fini(struct clopt_arena *arena);
