/* SPDX-License-Identifier: BSD-3-Clause */
/* Cuts expressions into tokens. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number/expression_parse.h"
#include "number/values.h"

uint32_t clopt_expression_column(const struct clopt_expression_parser *parser, const char *place)
{
    return (uint32_t)(place - parser->made->text) + 1;
}

void clopt_expression_stop(struct clopt_expression_parser *parser, enum clopt_status status)
{
    if (!parser->status)
        parser->status = status;
    parser->token = CLOPT_TOKEN_END;
    parser->length = 0;
    parser->rest = "";
}

void clopt_expression_fail_at(struct clopt_expression_parser *parser, const char *place,
                              const char *format, ...)
{
    if (parser->status)
        return;
    va_list arguments;
    va_start(arguments, format);
    clopt_expression_vfail(parser->made->text, clopt_expression_column(parser, place),
                           parser->error, format, arguments);
    va_end(arguments);
    clopt_expression_stop(parser, CLOPT_INVALID);
}

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
    struct clopt_value value = {0};
    char *end;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        errno = 0;
        unsigned long long integer = strtoull(text + 2, &end, 16);
        if (end == text + 2 || *end || !isxdigit((unsigned char)text[2]))
            return "not a number";
        *number = clopt_number_integer((int64_t)integer);
        return errno || integer > INT64_MAX ? "out of the range of 64-bit integers" : NULL;
    }
    enum clopt_type type = is_real ? CLOPT_REAL : CLOPT_INTEGER;
    enum clopt_status status = clopt_value_parse(text, type, &value, NULL);
    free(value.text);
    *number = is_real ? clopt_number_real(value.real) : clopt_number_integer(value.integer);
    if (!status)
        return NULL;
    bool digits = text[strspn(text, "0123456789")] == '\0';
    return digits ? "out of the range of 64-bit integers" : "not a number";
}

static void scan_number(struct clopt_expression_parser *parser)
{
    bool is_real;
    const char *end = end_of_number(parser->start, &is_real);
    char text[64];
    parser->length = (size_t)(end - parser->start);
    size_t length = parser->length < sizeof text - 1 ? parser->length : sizeof text - 1;
    memcpy(text, parser->start, length);
    text[length] = '\0';
    const char *wrong = length < parser->length ? "too long for a number"
                                                : read_number(text, is_real, &parser->number);
    parser->token = CLOPT_TOKEN_NUMBER;
    parser->rest = end;
    if (wrong)
        clopt_expression_fail_at(parser, parser->start, "%s: %s", text, wrong);
}

static void scan_symbol(struct clopt_expression_parser *parser)
{
    static const char *const symbols[] = {"**", "//", "==", "!=", "<=", ">=", "&&", "||",
                                          "+",  "-",  "*",  "/",  "%",  "<",  ">",  "!",
                                          "(",  ")",  "[",  "]",  ",",  "?",  ":"};
    const char *start = parser->start;
    parser->token = CLOPT_TOKEN_SYMBOL;
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        parser->length = strlen(symbols[i]);
        parser->rest = start + parser->length;
        if (strncmp(start, symbols[i], parser->length) == 0)
            return;
    }
    if (*start == '=')
        clopt_expression_fail_at(parser, start, "a comparison is written ==");
    else if (*start == '&' || *start == '|')
        clopt_expression_fail_at(
            parser, start, "there are no operators on bits; \"and\" and \"or\" are && and ||");
    else if (*start == '^')
        clopt_expression_fail_at(parser, start, "a power is written **");
    else if (isprint((unsigned char)*start))
        clopt_expression_fail_at(parser, start, "'%c' has no meaning here", *start);
    else
        clopt_expression_fail_at(parser, start, "byte 0x%02x has no meaning here",
                                 (unsigned)(unsigned char)*start);
}

void clopt_expression_advance(struct clopt_expression_parser *parser)
{
    const char *c = parser->rest + strspn(parser->rest, " \t\r\n");
    parser->start = c;
    if (!*c) {
        parser->token = CLOPT_TOKEN_END;
        parser->length = 0;
        parser->rest = c;
    } else if (isdigit((unsigned char)*c) || (*c == '.' && isdigit((unsigned char)c[1]))) {
        scan_number(parser);
    } else if (is_name_start(*c)) {
        parser->token = CLOPT_TOKEN_NAME;
        while (is_name(*c) || (*c == '.' && is_name_start(c[1])))
            c++;
        parser->length = (size_t)(c - parser->start);
        parser->rest = c;
    } else {
        scan_symbol(parser);
    }
}

bool clopt_expression_is_token(const struct clopt_expression_parser *parser, const char *text)
{
    return (parser->token == CLOPT_TOKEN_NAME || parser->token == CLOPT_TOKEN_SYMBOL) &&
           strlen(text) == parser->length && strncmp(parser->start, text, parser->length) == 0;
}

bool clopt_expression_accept(struct clopt_expression_parser *parser, const char *text)
{
    if (!clopt_expression_is_token(parser, text))
        return false;
    clopt_expression_advance(parser);
    return true;
}

void clopt_expression_expected(struct clopt_expression_parser *parser, const char *what)
{
    if (parser->token == CLOPT_TOKEN_END)
        clopt_expression_fail_at(parser, parser->start, "expected %s, but the expression ends",
                                 what);
    else
        clopt_expression_fail_at(parser, parser->start, "expected %s, not \"%.*s\"", what,
                                 parser->length < 40 ? (int)parser->length : 40, parser->start);
}

void clopt_expression_expect(struct clopt_expression_parser *parser, const char *text)
{
    char quoted[8];
    snprintf(quoted, sizeof quoted, "\"%s\"", text);
    if (!clopt_expression_accept(parser, text))
        clopt_expression_expected(parser, quoted);
}
