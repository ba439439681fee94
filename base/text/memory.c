/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocates memory, or ends the process. */
#include <clopt/memory.h>

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

void clopt_memory_end(void)
{
    fputs("clopt: out of memory\n", stderr); /* which has no buffer */
    _exit(CLOPT_EXIT_MEMORY);
}

static void *need(void *memory)
{
    if (!memory)
        clopt_memory_end();
    return memory;
}

void *clopt_calloc(size_t count, size_t size)
{
    return need(calloc(count ? count : 1, size ? size : 1));
}

void *clopt_realloc(void *memory, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        clopt_memory_end();
    return need(realloc(memory, count && size ? count * size : 1));
}

char *clopt_strdup(const char *text)
{
    return need(strdup(text));
}

char *clopt_strndup(const char *text, size_t length)
{
    return need(strndup(text, length));
}
