/* SPDX-License-Identifier: BSD-3-Clause */
/* Macros of a user's kernel, and their expansion (ISO C11, 6.10.3). */
#pragma once

#include <clopt/error.h>

#include "text/arena.h"
#include "text/token.h"

struct clopt_macro;

/* A token on its way through the expansion. */
struct clopt_work {
    struct clopt_token token;
    struct clopt_work *next;
    struct clopt_macro *ends; /* no token: the end of the expansion of a macro; or NULL */
    bool inert;               /* names a macro that it must not be expanded by */
    bool space;               /* white space is before it */
    bool made;                /* comes from a macro */
    bool expanded;            /* and not from its start, so that its token.space means nothing */
};

#define CLOPT_MACRO_BUCKETS 1024

/* All zero is an empty table. */
struct clopt_macros {
    struct clopt_arena arena;
    struct clopt_macro *buckets[CLOPT_MACRO_BUCKETS];
    size_t expansions; /* a limit against texts that explode */
};

/* Where tokens come from: first what was put back, then the text (NULL: nothing more). */
struct clopt_stream {
    struct clopt_work *pending;
    const char **text;
    /* Obeys the directive that comes next in the text, and moves after it; NULL: there are none. */
    enum clopt_status (*obey)(void *user);
    void *user;
};

void clopt_macros_fini(struct clopt_macros *macros);

/* Takes what follows #define or #undef on one logical line. */
enum clopt_status clopt_macros_define(struct clopt_macros *macros, const char *definition,
                                      struct clopt_error *error);
void clopt_macros_undefine(struct clopt_macros *macros, const char *name, size_t length);

/* Whether the next token is one of those that were put back. */
bool clopt_stream_expands(struct clopt_stream *stream);

/* Whether a directive comes next in the text, of which `after_line` says that it starts a line. */
bool clopt_stream_directs(const struct clopt_stream *stream, bool after_line);

/* Reads the next token that is no macro; CLOPT_TOKEN_END at the end. A macro that leaves nothing is
 * an empty token: a directive may be after it, and what is in front of it stays. */
enum clopt_status clopt_macros_read(struct clopt_macros *macros, struct clopt_stream *stream,
                                    struct clopt_work *work, struct clopt_error *error);
