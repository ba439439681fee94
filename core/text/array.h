/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that grow, by powers of two. */
#pragma once

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for one more item of `size` bytes in an array that has `count` of them and has grown
 * by this function alone; `items` is where its pointer is. False where memory has run out. */
static inline bool clopt_array_grow(void *items, size_t count, size_t size)
{
    void *array;
    if (count & (count - 1)) /* no power of two: there is room */
        return true;
    memcpy(&array, items, sizeof array);
    array = realloc(array, (count ? 2 * count : 1) * size);
    if (array)
        memcpy(items, &array, sizeof array);
    return array != NULL;
}

/* Adds an item, all zero, to such an array, and counts it; NULL where memory has run out. */
static inline void *clopt_array_add(void *items, size_t *count, size_t size)
{
    void *array;
    if (!clopt_array_grow(items, *count, size))
        return NULL;
    memcpy(&array, items, sizeof array);
    return memset((char *)array + (*count)++ * size, 0, size);
}
