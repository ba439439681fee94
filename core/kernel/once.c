/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens what macros put into do { ... } while (0). */
#include "kernel/once.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/token.h"

struct opening {
    const char *text;
    char *dropped; /* by offset: whether a character goes */
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static void drop(const struct opening *opening, const struct clopt_token *token)
{
    memset(opening->dropped + (token->text - opening->text), 1, token->length);
}

static void drop_blanks_before(const struct opening *opening, const struct clopt_token *token)
{
    for (const char *at = token->text; at > opening->text && is_blank(at[-1]); at--)
        opening->dropped[at - 1 - opening->text] = 1;
}

static void drop_blanks_behind(const struct opening *opening, const struct clopt_token *token)
{
    for (const char *at = token->text + token->length; is_blank(*at); at++)
        opening->dropped[at - opening->text] = 1;
}

/* Goes after the braces that begin at *at; false where there are none, or one may be left. */
static bool skip_body(const char **at)
{
    struct clopt_token token = clopt_token_next(at);
    size_t open = 1;
    if (!clopt_token_is(&token, "{"))
        return false;
    while (open && token.kind != CLOPT_TOKEN_END) {
        token = clopt_token_next(at);
        open += clopt_token_is(&token, "{");
        open -= clopt_token_is(&token, "}");
        if (clopt_token_is(&token, "break") || clopt_token_is(&token, "continue"))
            return false;
    }
    return !open;
}

/* Whether the line before a token is a directive, such as #pragma unroll. */
static bool is_marked(const struct opening *opening, const struct clopt_token *token)
{
    const char *at = token->text;
    while (at > opening->text && strchr(" \t\r\n", at[-1]))
        at--;
    while (at > opening->text && at[-1] != '\n')
        at--;
    return *clopt_token_skip_space(at) == '#';
}

/* Drops what is around the braces after `word`, a do, where they are entered once. */
static void open_braces(const struct opening *opening, const struct clopt_token *word)
{
    static const char *const ends[] = {"while", "(", "0", ")", ";"};
    enum { COUNT = sizeof ends / sizeof *ends };
    struct clopt_token tokens[COUNT];
    const char *at = word->text + word->length;
    if (is_marked(opening, word) || !skip_body(&at))
        return;
    for (size_t i = 0; i < COUNT; i++) {
        tokens[i] = clopt_token_next(&at);
        if (!clopt_token_is(&tokens[i], ends[i]))
            return;
    }
    drop(opening, word);
    drop_blanks_behind(opening, word);
    for (size_t i = 0; i < COUNT; i++) {
        drop(opening, &tokens[i]);
        drop_blanks_before(opening, &tokens[i]);
    }
}

bool clopt_once_open(char *text)
{
    size_t length = strlen(text);
    struct opening opening = {text, calloc(length + 1, 1)};
    if (!opening.dropped)
        return false;
    const char *at = strstr(text, "opencl_unroll_hint") ? text + length : text;
    for (struct clopt_token token = clopt_token_next(&at); token.kind != CLOPT_TOKEN_END;
         token = clopt_token_next(&at))
        if (clopt_token_is(&token, "do"))
            open_braces(&opening, &token);
    char *put = text;
    for (size_t i = 0; i <= length; i++)
        if (!opening.dropped[i])
            *put++ = text[i];
    free(opening.dropped);
    return true;
}
