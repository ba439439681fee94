/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that a program cannot do without: where there is none, the process ends. What it has
 * measured until then is in the store, and a worker that ends so costs its variant alone. An input
 * whose size a user chooses is another matter: malloc(), and CLOPT_NEED() refuses it. */
#pragma once

#include <string.h>

#include <clopt/error.h>

#define CLOPT_NEVER_NULL __attribute__((returns_nonnull, warn_unused_result))

/* What a process exits with that ended because memory had run out. */
#define CLOPT_EXIT_MEMORY 71

/* Says that memory ran out, and ends the process. */
CLOPT_API void clopt_memory_end(void) __attribute__((noreturn));

/* As calloc(), reallocarray(), strdup() and strndup(), for the caller to free(); never NULL. */
CLOPT_API void *clopt_calloc(size_t count, size_t size) CLOPT_NEVER_NULL;
CLOPT_API void *clopt_realloc(void *memory, size_t count, size_t size) CLOPT_NEVER_NULL;
CLOPT_API char *clopt_strdup(const char *text) CLOPT_NEVER_NULL;
CLOPT_API char *clopt_strndup(const char *text, size_t length) CLOPT_NEVER_NULL;

/* The same for a text that is formatted. */
CLOPT_API char *clopt_text_format(const char *format, ...) CLOPT_PRINTF(1, 2) CLOPT_NEVER_NULL;
CLOPT_API char *clopt_text_vformat(const char *format, va_list arguments) CLOPT_NEVER_NULL;

/* ---- arrays that grow, by powers of two ---- */

/* Makes room for one more item of `size` bytes in an array that has `count` of them and has grown
 * by this function alone; `items` is where its pointer is. */
static inline void clopt_array_grow(void *items, size_t count, size_t size)
{
    void *array;
    if (count & (count - 1)) /* no power of two: there is room */
        return;
    memcpy(&array, items, sizeof array);
    array = clopt_realloc(array, count ? 2 * count : 1, size);
    memcpy(items, &array, sizeof array);
}

/* Adds an item, all zero, to such an array, and counts it. Never NULL. */
static inline void *clopt_array_add(void *items, size_t *count, size_t size)
{
    void *array;
    clopt_array_grow(items, *count, size);
    memcpy(&array, items, sizeof array);
    return memset((char *)array + (*count)++ * size, 0, size);
}
