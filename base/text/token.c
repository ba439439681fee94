/* SPDX-License-Identifier: BSD-3-Clause */
/* Cuts OpenCL C text into preprocessing tokens. */
#include "text/token.h"

#include <string.h>

bool clopt_is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The length of a spliced line end at `at`: backslash, newline; compilers take blanks between. */
static size_t splice(const char *at)
{
    size_t length = *at == '\\' ? 1 + strspn(at + 1, " \t\r") : 0;
    return length && at[length] == '\n' ? length + 1 : 0;
}

const char *clopt_token_skip_comment(const char *at)
{
    if (at[1] == '/') {
        while (*at && *at != '\n')
            at += splice(at) ? splice(at) : 1;
        return at;
    }
    const char *end = strstr(at + 2, "*/");
    return end ? end + 2 : at + strlen(at);
}

/* Skips white space; tells whether a line ended in it, outside comments. */
static const char *skip_space(const char *at, bool *line_end)
{
    for (;;) {
        if (*at == '\n')
            *line_end = true;
        if (*at == ' ' || (*at >= '\t' && *at <= '\r'))
            at++;
        else if (splice(at))
            at += splice(at);
        else if (at[0] == '/' && (at[1] == '/' || at[1] == '*'))
            at = clopt_token_skip_comment(at);
        else
            return at;
    }
}

const char *clopt_token_skip_space(const char *at)
{
    bool line_end = false;
    return skip_space(at, &line_end);
}

static const char *skip_quoted(const char *at)
{
    char quote = *at++;
    while (*at && *at != quote && *at != '\n') {
        if (*at == '\\' && at[1])
            at++;
        at++;
    }
    return *at == quote ? at + 1 : at;
}

/* A preprocessing number: wider than what C calls a number. */
static const char *skip_number(const char *at)
{
    while (clopt_is_name_char(*at) || *at == '.' ||
           ((*at == '+' || *at == '-') && strchr("eEpP", at[-1])))
        at++;
    return at;
}

static size_t operator_length(const char *at)
{
    static const char *const operators[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
                                            "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                            "*=",  "/=",  "%=",  "&=", "|=", "^=", "##",
                                            "%:%:", "%:", "<%", "%>", "<:", ":>"};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (*at == *operators[i] && strncmp(at, operators[i], strlen(operators[i])) == 0)
            return strlen(operators[i]);
    return 1;
}

struct clopt_token clopt_token_next(const char **at)
{
    struct clopt_token token = {.space = *at};
    const char *start = skip_space(*at, &token.starts_line);
    token.space_length = (size_t)(start - token.space);
    token.text = start;
    const char *end = start;
    if (!*start) {
        token.kind = CLOPT_TOKEN_END;
    } else if (is_digit(*start) || (*start == '.' && is_digit(start[1]))) {
        token.kind = CLOPT_TOKEN_NUMBER;
        end = skip_number(start + 1);
    } else if (clopt_is_name_char(*start)) {
        token.kind = CLOPT_TOKEN_NAME;
        while (clopt_is_name_char(*end))
            end++;
    } else if (*start == '"' || *start == '\'') {
        token.kind = CLOPT_TOKEN_STRING;
        end = skip_quoted(start);
    } else {
        token.kind = CLOPT_TOKEN_OTHER;
        end = start + operator_length(start);
    }
    token.length = (size_t)(end - start);
    *at = end;
    return token;
}

const char *clopt_token_line_end(const char *at)
{
    while (*at && *at != '\n') {
        if (splice(at))
            at += splice(at);
        else if (at[0] == '/' && (at[1] == '/' || at[1] == '*'))
            at = clopt_token_skip_comment(at);
        else
            at = *at == '"' ? skip_quoted(at) : at + 1;
    }
    return at;
}

const char *clopt_token_close(const char *at)
{
    unsigned open = 0;
    for (struct clopt_token token = clopt_token_next(&at); token.kind != CLOPT_TOKEN_END;
         token = clopt_token_next(&at)) {
        open += clopt_token_is(&token, "(");
        if (clopt_token_is(&token, ")") && --open == 0)
            return token.text;
    }
    return NULL;
}

bool clopt_token_is(const struct clopt_token *token, const char *text)
{
    return token->length == strlen(text) && memcmp(token->text, text, token->length) == 0;
}
