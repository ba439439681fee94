/* SPDX-License-Identifier: BSD-3-Clause */
/* Locals that give back what they own where their block ends, however it is left. (jansson has
 * json_auto_t of the same kind.) */
#pragma once

#include <stdio.h>
#include <stdlib.h>

/* Declares a structure that its NAME_fini() ends: CLOPT_OWNED(clopt_text) text = {0}; */
#define CLOPT_OWNED(NAME) __attribute__((cleanup(NAME##_fini))) struct NAME

/* Before the declaration of a pointer: it is given to free(). */
#define CLOPT_FREED __attribute__((cleanup(clopt_freed)))

static inline void clopt_freed(void *owner)
{
    void *memory;
    __builtin_memcpy(&memory, owner, sizeof memory);
    free(memory);
}

/* Before the declaration of a stream, which may be NULL: it is closed. */
#define CLOPT_CLOSED __attribute__((cleanup(clopt_closed)))

static inline void clopt_closed(FILE **stream)
{
    if (*stream)
        fclose(*stream);
}

/* Declares a pointer to a structure that is made and ended by functions, where CLOPT_HOLDER names
 * the one that ends it: CLOPT_HELD(clopt_source) source = NULL; */
#define CLOPT_HELD(NAME) __attribute__((cleanup(NAME##_let_go))) struct NAME *
#define CLOPT_HOLDER(NAME, END)                                                                    \
    static inline void NAME##_let_go(struct NAME **held)                                           \
    {                                                                                              \
        END(*held);                                                                                \
    }                                                                                              \
    struct NAME
