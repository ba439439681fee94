/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes the names of variants apart. */
#include "text/variant_name.h"

#include <string.h>

struct clopt_name_value clopt_name_begin(const char *name)
{
    return (struct clopt_name_value){.rest = strcmp(name, "initial code") == 0 ? "" : name};
}

bool clopt_piece_is(struct clopt_piece piece, const char *text)
{
    return strlen(text) == piece.length && strncmp(text, piece.text, piece.length) == 0;
}

/* Reads "name=value", up to one of `ends`. */
static bool read_value(struct clopt_name_value *value, const char *at, const char *ends)
{
    size_t length = strcspn(at, ends), name = strcspn(at, "=");
    if (name == 0 || name >= length)
        return false;
    value->name = (struct clopt_piece){at, name};
    value->value = (struct clopt_piece){at + name + 1, length - name - 1};
    value->rest = at + length;
    return true;
}

/* Begins a step: an optimization with its first value, or a macro. */
static bool begin_step(struct clopt_name_value *value, const char *at)
{
    size_t name = strcspn(at, "(=+,");
    value->number += value->step.text != NULL;
    if (at[name] != '(') {
        value->optimization = (struct clopt_piece){at, 0};
        if (!read_value(value, at, "+,"))
            return false;
        value->step = (struct clopt_piece){at, (size_t)(value->rest - at)};
        return true;
    }
    const char *end = strchr(at, ')');
    value->optimization = (struct clopt_piece){at, name};
    value->step = (struct clopt_piece){at, end ? (size_t)(end - at) + 1 : 0};
    return end && read_value(value, at + name + 1, ",)");
}

bool clopt_name_next(struct clopt_name_value *value)
{
    const char *at = value->rest;
    static const char in[] = " in "; /* the kernel that the steps before it change */
    bool inside = value->optimization.length > 0;
    if (inside && *at == ',')
        return read_value(value, at + 1, ",)");
    if (inside && *at == ')')
        at++;
    if (strncmp(at, in, strlen(in)) == 0)
        at += strlen(in) + strcspn(at + strlen(in), ",");
    if (value->step.text && *at && strchr("+,", *at))
        at++;
    else if (value->step.text)
        return false;
    at += strspn(at, " ");
    return *at && begin_step(value, at);
}

size_t clopt_name_changes(const char *name)
{
    struct clopt_name_value value = clopt_name_begin(name);
    size_t values = 0;
    while (clopt_name_next(&value))
        values++;
    return values ? values + value.number + 1 : 0;
}
