/* SPDX-License-Identifier: BSD-3-Clause */
/* The set of names that a text uses. */
#include "frontend/names.h"

#include <clopt/memory.h>

#include "text/token.h"

size_t clopt_name_hash(const char *name, size_t length)
{
    size_t value = 5381;
    for (size_t i = 0; i < length; i++)
        value = value * 33 + (unsigned char)name[i];
    return value;
}

/* The slot of a name, or the free one where it belongs. */
static size_t slot_of(const struct clopt_names *names, const char *name, size_t length)
{
    size_t slot = clopt_name_hash(name, length) % names->capacity;
    while (names->slots[slot] &&
           (strncmp(names->slots[slot], name, length) != 0 || names->slots[slot][length] != '\0'))
        slot = (slot + 1) % names->capacity;
    return slot;
}

static void grow(struct clopt_names *names)
{
    struct clopt_names more = {.capacity = names->capacity ? names->capacity * 2 : 256};
    more.slots = clopt_calloc(more.capacity, sizeof *more.slots);
    for (size_t i = 0; i < names->capacity; i++)
        if (names->slots[i])
            more.slots[slot_of(&more, names->slots[i], strlen(names->slots[i]))] = names->slots[i];
    more.count = names->count;
    free(names->slots);
    *names = more;
}

void clopt_names_add(struct clopt_names *names, const char *name)
{
    if (names->count * 2 >= names->capacity)
        grow(names);
    size_t slot = slot_of(names, name, strlen(name));
    names->count += !names->slots[slot];
    names->slots[slot] = name;
}

bool clopt_names_has(const struct clopt_names *names, const char *name, size_t length)
{
    return names->capacity && names->slots[slot_of(names, name, length)];
}

void clopt_names_add_text(struct clopt_names *names, struct clopt_arena *arena, const char *text)
{
    for (const char *at = text;;) {
        struct clopt_token token = clopt_token_next(&at);
        if (token.kind == CLOPT_TOKEN_END)
            return;
        if (token.kind == CLOPT_TOKEN_NAME && !clopt_names_has(names, token.text, token.length))
            clopt_names_add(names, clopt_arena_copy(arena, token.text, token.length));
    }
}

void clopt_names_fini(struct clopt_names *names)
{
    free(names->slots);
    *names = (struct clopt_names){0};
}
