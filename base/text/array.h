/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that grow, by powers of two. */
#pragma once

#include <clopt/memory.h>

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
