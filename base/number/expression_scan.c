/* SPDX-License-Identifier: BSD-3-Clause */
/* Cuts expressions into tokens. */
#include <ctype.h>
#include <errno.h>

#include "number/expression_tree.h"
#include "number/values.h"

static bool is_name_start(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Finds the end of a number with the unit after it; sets whether it is a real one. */
static const char *end_of_number(const char *c, bool *is_real)
{
    bool hexadecimal = c[0] == '0' && (c[1] == 'x' || c[1] == 'X');
    *is_real = false;
    for (; is_name(*c) || *c == '.'; c++) {
        *is_real |= *c == '.';
        if (hexadecimal || (*c != 'e' && *c != 'E'))
            continue;
        *is_real = true;
        if (c[1] == '+' || c[1] == '-')
            c++;
    }
    return c;
}

/* Reads a number; returns NULL, or what is wrong with it. */
static const char *read_number(const char *text, bool is_real, struct clopt_number *number)
{
    static const char out_of_range[] = "out of the range of 64-bit integers";
    struct clopt_value value = {0};
    char *end;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        errno = 0;
        unsigned long long integer = strtoull(text + 2, &end, 16);
        if (end == text + 2 || *end || !isxdigit((unsigned char)text[2]))
            return "not a number";
        *number = clopt_number_integer((int64_t)integer);
        return errno || integer > INT64_MAX ? out_of_range : NULL;
    }
    enum clopt_status status =
        clopt_value_parse(text, is_real ? CLOPT_REAL : CLOPT_INTEGER, &value, NULL);
    free(value.text);
    *number = is_real ? clopt_number_real(value.real) : clopt_number_integer(value.integer);
    if (!status)
        return NULL;
    return text[strspn(text, "0123456789")] ? "not a number" : out_of_range;
}

static void scan_number(struct clopt_expression_token *token)
{
    bool is_real;
    char text[64];
    token->kind = CLOPT_EXPRESSION_NUMBER;
    token->length = (size_t)(end_of_number(token->start, &is_real) - token->start);
    snprintf(text, sizeof text, "%.*s", (int)token->length, token->start);
    const char *wrong = token->length >= sizeof text ? "too long for a number"
                                                     : read_number(text, is_real, &token->number);
    if (wrong)
        snprintf(token->wrong, sizeof token->wrong, "%s: %s", text, wrong);
}

static void scan_symbol(struct clopt_expression_token *token)
{
    static const char *const symbols[] = {"**", "//", "==", "!=", "<=", ">=", "&&", "||",
                                          "+",  "-",  "*",  "/",  "%",  "<",  ">",  "!",
                                          "(",  ")",  "[",  "]",  ",",  "?",  ":"};
    const char c = *token->start;
    token->kind = CLOPT_EXPRESSION_SYMBOL;
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        token->length = strlen(symbols[i]);
        if (strncmp(token->start, symbols[i], token->length) == 0)
            return;
    }
    if (isprint((unsigned char)c) && !strchr("=&|^", c))
        snprintf(token->wrong, sizeof token->wrong, "'%c' has no meaning here", c);
    else if (!isprint((unsigned char)c))
        snprintf(token->wrong, sizeof token->wrong, "byte 0x%02x has no meaning here",
                 (unsigned)(unsigned char)c);
    else
        snprintf(token->wrong, sizeof token->wrong, "%s",
                 c == '='   ? "a comparison is written =="
                 : c == '^' ? "a power is written **"
                            : "there are no operators on bits; \"and\" and \"or\" are && and ||");
}

struct clopt_expression_token clopt_expression_scan(const char *text)
{
    struct clopt_expression_token token = {.start = text + strspn(text, " \t\r\n")};
    const char *c = token.start;
    if (isdigit((unsigned char)*c) || (*c == '.' && isdigit((unsigned char)c[1]))) {
        scan_number(&token);
    } else if (*c && !is_name_start(*c)) {
        scan_symbol(&token);
    } else {
        token.kind = *c ? CLOPT_EXPRESSION_NAME : CLOPT_EXPRESSION_END;
        while (is_name(*c) || (*c == '.' && is_name_start(c[1])))
            c++;
        token.length = (size_t)(c - token.start);
    }
    return token;
}
