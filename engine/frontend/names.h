/* SPDX-License-Identifier: BSD-3-Clause */
/* The set of names that a text uses. */
#pragma once

#include <stdbool.h>

#include "text/arena.h"

struct clopt_names {
    const char **slots;
    size_t capacity;
    size_t count;
};

size_t clopt_name_hash(const char *name, size_t length);

/* Adds a name, which must stay valid. */
void clopt_names_add(struct clopt_names *names, const char *name);
bool clopt_names_has(const struct clopt_names *names, const char *name, size_t length);

/* Adds every name in a text, copied to the arena. */
void clopt_names_add_text(struct clopt_names *names, struct clopt_arena *arena, const char *text);
void clopt_names_fini(struct clopt_names *names);
