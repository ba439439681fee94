/* SPDX-License-Identifier: BSD-3-Clause */
/* Cuts OpenCL C text into preprocessing tokens. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum clopt_token_kind {
    CLOPT_TOKEN_END,
    CLOPT_TOKEN_NAME,
    CLOPT_TOKEN_NUMBER,
    CLOPT_TOKEN_STRING, /* or a character literal */
    CLOPT_TOKEN_OTHER,  /* an operator or a single character */
};

struct clopt_token {
    enum clopt_token_kind kind;
    const char *text;
    size_t length;
    const char *space; /* what is between the token before and this one */
    size_t space_length;
    bool starts_line;
};

/* Reads the token at *at, which must be inside a NUL-terminated text, and moves *at after it.
 * Comments and spliced lines count as white space. An unterminated comment or string ends with
 * the text or line. */
struct clopt_token clopt_token_next(const char **at);

/* Skips white space, comments and spliced lines. */
const char *clopt_token_skip_space(const char *at);

/* Returns the end of the comment that begins at `at`. */
const char *clopt_token_skip_comment(const char *at);

/* Returns the end of a logical line: a newline, that is not in a comment, or the end of the text.
 */
const char *clopt_token_line_end(const char *at);

/* Returns the parenthesis that closes the first one after `at`; NULL where there is none. */
const char *clopt_token_close(const char *at);

bool clopt_token_is(const struct clopt_token *token, const char *text);
bool clopt_is_name_char(char c);
