/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes the names of variants apart. */
#include "text/variant_name.h"

#include <ctype.h>

struct clopt_name_value clopt_name_begin(const char *name)
{
    return (struct clopt_name_value){.rest = strcmp(name, "initial code") == 0 ? "" : name};
}

bool clopt_piece_is(struct clopt_piece piece, const char *text)
{
    return strlen(text) == piece.length && strncmp(text, piece.text, piece.length) == 0;
}

static bool expect(struct clopt_name_value *value, const char *at, const char *expected)
{
    value->rest = at;
    value->expected = expected;
    return false;
}

/* Returns how long a word is; a store of another program may have letters that are not ASCII. */
static size_t word_length(const char *at)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_' || (at[length] & 0x80))
        length++;
    return length;
}

/* Reads "name=value", up to one of `ends`; a value in quotes may hold these. */
static bool read_value(struct clopt_name_value *value, const char *at, const char *ends)
{
    size_t length = word_length(at);
    const char *text = at + length + 1;
    if (!length || at[length] != '=')
        return expect(value, at + length, "parameter=value");
    value->name = (struct clopt_piece){at, length};
    bool quoted = *text == '"';
    text += quoted;
    length = strcspn(text, quoted ? "\"" : ends);
    if (quoted && !text[length])
        return expect(value, text - 1, "a closing quote");
    value->value = (struct clopt_piece){text, length};
    value->rest = text + length + quoted;
    return true;
}

/* Returns how long a step is, up to its parenthesis. */
static size_t step_length(const char *at)
{
    size_t length = 0;
    for (bool quoted = false; at[length] && (quoted || at[length] != ')'); length++)
        quoted = quoted != (at[length] == '"');
    return length + (at[length] == ')');
}

static bool begin_macro(struct clopt_name_value *value, const char *at)
{
    value->number += value->step.text != NULL;
    value->optimization = (struct clopt_piece){at, 0};
    value->step = value->optimization;
    if (!read_value(value, at, "+,"))
        return false;
    value->step.length = (size_t)(value->rest - at);
    return true;
}

/* Begins a step: an optimization with its first value. */
static bool begin_step(struct clopt_name_value *value, const char *at)
{
    size_t length = word_length(at);
    value->number += value->step.text != NULL;
    value->step = (struct clopt_piece){at, step_length(at)};
    value->optimization = (struct clopt_piece){at, length};
    if (!length)
        return expect(value, at, "an optimization");
    return at[length] == '(' ? read_value(value, at + length + 1, ",)")
                             : expect(value, at + length, "(");
}

/* Begins the steps of a kernel, of which macros are the first. */
static bool begin_part(struct clopt_name_value *value, const char *at)
{
    return at[word_length(at)] == '=' ? begin_macro(value, at) : begin_step(value, at);
}

bool clopt_name_next(struct clopt_name_value *value)
{
    static const char in[] = ") in "; /* the kernel that the steps before it change */
    const char *at = value->rest;
    bool inside = value->optimization.length > 0;
    value->kernel = (struct clopt_piece){at, 0};
    if (!value->step.text)
        return begin_part(value, at);
    if (*at == ',')
        return inside ? read_value(value, at + 1, ",)") : begin_macro(value, at + 1);
    if (inside && *at != ')')
        return expect(value, at, ", or )");
    if (inside && strncmp(at, in, strlen(in)) == 0) {
        at += strlen(in);
        value->kernel = (struct clopt_piece){at, word_length(at)};
        at += value->kernel.length;
        if (strncmp(at, ", ", 2) == 0)
            return begin_part(value, at + 2);
    } else {
        at += inside;
        if (*at == '+')
            return begin_step(value, at + 1);
    }
    return expect(value, at, *at ? "+" : NULL);
}

size_t clopt_name_changes(const char *name)
{
    struct clopt_name_value value = clopt_name_begin(name);
    size_t values = 0;
    while (clopt_name_next(&value))
        values++;
    return values ? values + value.number + 1 : 0;
}
