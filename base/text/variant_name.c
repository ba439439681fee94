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

/* ---- short names ---- */

static bool is_same(struct clopt_piece a, struct clopt_piece b)
{
    return a.length == b.length && strncmp(a.text, b.text, a.length) == 0;
}

static const struct clopt_short *find_short(const struct clopt_short_names *names,
                                            struct clopt_piece optimization,
                                            struct clopt_piece name)
{
    for (size_t i = 0; i < names->count; i++)
        if (is_same(names->items[i].optimization, optimization) &&
            is_same(names->items[i].name, name))
            return &names->items[i];
    return NULL;
}

/* Whether an earlier one beside it has the same letters. */
static bool is_taken(const struct clopt_short_names *names, const struct clopt_short *item)
{
    for (size_t i = 0; i < names->count; i++)
        if (&names->items[i] != item && strcmp(names->items[i].letters, item->letters) == 0 &&
            is_same(names->items[i].optimization, item->optimization))
            return true;
    return false;
}

/* Chooses the first letters of the words of a name, or else as many of the name as it takes. */
static void choose_letters(const struct clopt_short_names *names, struct clopt_short *item)
{
    bool parameter = item->optimization.length > 0;
    for (size_t most = 0; most < sizeof item->letters && (!most || is_taken(names, item)); most++) {
        size_t count = 0;
        for (size_t i = 0; i < item->name.length && count + 1 < sizeof item->letters; i++) {
            unsigned char c = (unsigned char)item->name.text[i];
            bool chosen = most ? i <= most : i == 0 || item->name.text[i - 1] == '_';
            if (chosen && c != '_')
                item->letters[count++] = (char)(parameter ? tolower(c) : toupper(c));
        }
        item->letters[count] = '\0';
    }
}

static void learn(struct clopt_short_names *names, struct clopt_piece optimization,
                  struct clopt_piece name)
{
    if (names->count == CLOPT_MOST_SHORT || find_short(names, optimization, name))
        return;
    struct clopt_short *item = &names->items[names->count++];
    *item = (struct clopt_short){.optimization = optimization, .name = name};
    choose_letters(names, item);
}

void clopt_short_learn(struct clopt_short_names *names, const char *name)
{
    struct clopt_name_value value = clopt_name_begin(name);
    while (clopt_name_next(&value)) {
        if (value.optimization.length)
            learn(names, (struct clopt_piece){name, 0}, value.optimization);
        learn(names, value.optimization, value.name);
    }
}

/* Appends letters, or the name that has none. */
static void append_letters(struct clopt_text *text, const struct clopt_short_names *names,
                           struct clopt_piece optimization, struct clopt_piece name)
{
    const struct clopt_short *item = find_short(names, optimization, name);
    clopt_text_append_bytes(text, item ? item->letters : name.text,
                            item ? strlen(item->letters) : name.length);
}

void clopt_short_append(struct clopt_text *text, const struct clopt_short_names *names,
                        const char *name)
{
    struct clopt_name_value value = clopt_name_begin(name);
    size_t step = 0;
    bool whole = strstr(name, " in ") || !*value.rest;
    clopt_text_append(text, whole ? name : "");
    for (bool first = true; !whole && clopt_name_next(&value); first = false) {
        bool begins = first || value.number != step;
        step = value.number;
        clopt_text_append(text, first ? "" : begins ? ", " : " ");
        if (begins && value.optimization.length) {
            append_letters(text, names, (struct clopt_piece){name, 0}, value.optimization);
            clopt_text_append(text, " ");
        }
        append_letters(text, names, value.optimization, value.name);
        if (clopt_piece_is(value.value, "yes"))
            continue;
        clopt_text_append(text, isdigit((unsigned char)*value.value.text) ? "" : "=");
        clopt_text_append_bytes(text, value.value.text, value.value.length);
    }
}

void clopt_short_explain(struct clopt_text *text, const struct clopt_short_names *names)
{
    for (size_t i = 0, said = 0; i < names->count; i++) {
        const struct clopt_short *item = &names->items[i];
        size_t parameters = 0;
        if (item->optimization.length)
            continue;
        clopt_text_printf(text, "%s%s %.*s", said++ ? ", " : "", item->letters,
                          (int)item->name.length, item->name.text);
        for (size_t k = 0; k < names->count; k++)
            if (is_same(names->items[k].optimization, item->name))
                clopt_text_printf(text, "%s%s %.*s", parameters++ ? ", " : " (",
                                  names->items[k].letters, (int)names->items[k].name.length,
                                  names->items[k].name.text);
        clopt_text_append(text, parameters ? ")" : "");
    }
}
