/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds macros that are block sizes. */
#include "kernel/block_size.h"

#include "frontend/token.h"

#define WINDOW 7 /* tokens around a macro: NAME * get_group_id ( 0 ) + */

/* Returns the dimension that get_group_id(0) asks for, from the tokens at *at on; -1: it is another
 * text. */
static int read_group(const char *at)
{
    struct clopt_token token = clopt_token_next(&at);
    if (!clopt_token_is(&token, "get_group_id"))
        return -1;
    token = clopt_token_next(&at);
    if (!clopt_token_is(&token, "("))
        return -1;
    token = clopt_token_next(&at);
    return token.kind == CLOPT_TOKEN_NUMBER && *token.text <= '2' ? *token.text - '0' : -1;
}

/* The same for a variable of which the text says "NAME = get_group_id(0);". */
static int find_group(const char *text, const struct clopt_token *name)
{
    for (const char *at = text;;) {
        struct clopt_token token = clopt_token_next(&at);
        const char *after = at;
        if (token.kind == CLOPT_TOKEN_END)
            return -1;
        if (token.length != name->length || memcmp(token.text, name->text, name->length) != 0)
            continue;
        token = clopt_token_next(&after);
        int dimension = clopt_token_is(&token, "=") ? read_group(after) : -1;
        const char *close = dimension < 0 ? NULL : strchr(after, ')');
        if (close && strchr(";,", close[1]))
            return dimension;
    }
}

/* Finds the dimension of the group's identity that a macro, the token after `before`, is multiplied
 * with, with nothing else; -1: none. `before` are the tokens before it, the last one first. */
static int find_factor(const char *text, const struct clopt_token *before, const char *after)
{
    struct clopt_token next = clopt_token_next(&after);
    if (clopt_token_is(&next, "*")) {
        int dimension = read_group(after);
        next = clopt_token_next(&after);
        return dimension >= 0 || next.kind != CLOPT_TOKEN_NAME ? dimension
                                                               : find_group(text, &next);
    }
    if (!clopt_token_is(&before[0], "*"))
        return -1;
    if (before[1].kind == CLOPT_TOKEN_NAME && !clopt_token_is(&before[2], "."))
        return find_group(text, &before[1]);
    return clopt_token_is(&before[1], ")") && clopt_token_is(&before[3], "(")
               ? read_group(before[4].text)
               : -1;
}

void clopt_block_sizes_find(struct clopt_outline_macro *macros, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++) {
        struct clopt_outline_macro *macro = &macros[i];
        struct clopt_token before[WINDOW] = {{0}};
        bool found = macro->is_type;
        for (const char *at = text; !found;) {
            struct clopt_token token = clopt_token_next(&at);
            if (token.kind == CLOPT_TOKEN_END)
                break;
            int dimension =
                clopt_token_is(&token, macro->name) ? find_factor(text, before, at) : -1;
            found = dimension >= 0;
            if (found && !macro->sizes_groups)
                macro->dimension = dimension;
            macro->sizes_groups |= found;
            memmove(before + 1, before, sizeof before - sizeof *before);
            before[0] = token;
        }
    }
}
