/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the values that a source gives macros which options may set. */
#include "text/macro_default.h"

#include <string.h>

/* Reads "#WORD NAME" from the tokens at *at; false where something else is there. */
static bool read_directive(const char **at, const char *word, struct clopt_token *name)
{
    struct clopt_token token = clopt_token_next(at);
    if (!clopt_token_is(&token, "#"))
        return false;
    token = clopt_token_next(at);
    if (!clopt_token_is(&token, word))
        return false;
    *name = clopt_token_next(at);
    return name->kind == CLOPT_TOKEN_NAME && !name->starts_line;
}

bool clopt_macro_default_next(const char **at, struct clopt_token *name, struct clopt_token *value)
{
    for (;;) {
        const char *here = *at;
        struct clopt_token again;
        if (clopt_token_next(at).kind == CLOPT_TOKEN_END)
            return false;
        if (!read_directive(&here, "ifndef", name) || !read_directive(&here, "define", &again) ||
            again.length != name->length || memcmp(again.text, name->text, name->length) != 0)
            continue;
        *value = clopt_token_next(&here);
        bool word = value->kind == CLOPT_TOKEN_NUMBER || value->kind == CLOPT_TOKEN_NAME;
        struct clopt_token after = clopt_token_next(&here);
        if (word && !value->starts_line && (after.kind == CLOPT_TOKEN_END || after.starts_line))
            return true;
    }
}
