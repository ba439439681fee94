/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of T1 parameters: lists as Python writes them, to lists as studies do. */
#include <ctype.h>
#include <errno.h>

#include "readers/t1_parts.h"

#define MOST_VALUES 4096

/* What is read, and what has been read so far. */
struct reading {
    struct clopt_t1 *t1;
    const struct clopt_t1_node *node;
    const char *type;
    const char *rest;
    size_t count;
    struct clopt_text *list;
};

static bool is_of(const struct reading *reading, const char *type)
{
    return strcmp(reading->type, type) == 0;
}

static bool has_integers(const struct reading *reading)
{
    return !is_of(reading, "float") && !is_of(reading, "string");
}

static void fail_values(const struct reading *reading)
{
    clopt_t1_fail(reading->t1, reading->node,
                  "only lists of %s values and range() are supported, at \"%.30s\"", reading->type,
                  reading->rest);
}

/* ---- values ---- */

static void add_integer(struct reading *reading, int64_t value)
{
    if ((is_of(reading, "bool") && value != 0 && value != 1) ||
        (is_of(reading, "uint") && value < 0))
        clopt_t1_fail(reading->t1, reading->node, "%" PRId64 " is not a %s", value, reading->type);
    else if (reading->count++ == MOST_VALUES)
        clopt_t1_fail(reading->t1, reading->node, "more than %d values", MOST_VALUES);
    else
        clopt_text_printf(reading->list, "%s%" PRId64, reading->list->length ? ", " : "", value);
}

static void add_text(struct reading *reading, const char *text, size_t length)
{
    if (!is_of(reading, "string") || memchr(text, '"', length))
        fail_values(reading);
    clopt_text_printf(reading->list, "%s\"%.*s\"", reading->list->length ? ", " : "", (int)length,
                      text);
}

static void add_real(struct reading *reading, double value)
{
    if (!is_of(reading, "float"))
        fail_values(reading);
    clopt_text_printf(reading->list, "%s%.17g", reading->list->length ? ", " : "", value);
}

/* ---- Python ---- */

static void skip_blanks(struct reading *reading)
{
    while (isspace((unsigned char)*reading->rest))
        reading->rest++;
}

/* Moves past a word or a character; false where something else is here. */
static bool accept(struct reading *reading, const char *word)
{
    skip_blanks(reading);
    if (strncmp(reading->rest, word, strlen(word)) != 0)
        return false;
    reading->rest += strlen(word);
    return true;
}

static bool read_integer(struct reading *reading, int64_t *value)
{
    char *end;
    skip_blanks(reading);
    errno = 0;
    *value = strtoll(reading->rest, &end, 10);
    bool read = end != reading->rest && !errno && *end != '.' && *end != 'e' && *end != 'E';
    if (read)
        reading->rest = end;
    return read;
}

static void read_item(struct reading *reading)
{
    int64_t integer;
    char *end;
    skip_blanks(reading);
    const char *start = reading->rest;
    if (*start == '\'' || *start == '"') {
        const char *closing = strchr(start + 1, *start);
        if (!closing || memchr(start, '\\', (size_t)(closing - start))) {
            fail_values(reading);
            return;
        }
        add_text(reading, start + 1, (size_t)(closing - start - 1));
        reading->rest = closing + 1;
    } else if (is_of(reading, "bool") && (accept(reading, "True") || accept(reading, "False"))) {
        add_integer(reading, *start == 'T');
    } else if (has_integers(reading)) {
        if (read_integer(reading, &integer))
            add_integer(reading, integer);
        else
            fail_values(reading);
    } else {
        double real = strtod(start, &end);
        if (end == start || memchr(start, 'n', (size_t)(end - start)))
            fail_values(reading);
        reading->rest = end;
        add_real(reading, real);
    }
}

/* Reads what is after "[". */
static void read_list(struct reading *reading)
{
    bool more = true;
    while (!reading->t1->status && !accept(reading, "]")) {
        if (!more)
            fail_values(reading);
        read_item(reading);
        more = accept(reading, ",");
    }
}

/* Reads what is after "range(". */
static void read_range(struct reading *reading)
{
    int64_t numbers[3] = {0, 0, 1};
    size_t count = 0;
    while (count < 3 && read_integer(reading, &numbers[count])) {
        count++;
        if (!accept(reading, ","))
            break;
    }
    if (!count || !accept(reading, ")") || !has_integers(reading))
        fail_values(reading);
    int64_t value = count == 1 ? 0 : numbers[0], step = numbers[2];
    int64_t stop = count == 1 ? numbers[0] : numbers[1];
    if (step == 0)
        clopt_t1_fail(reading->t1, reading->node, "a range whose step is 0");
    bool overflows = false;
    while (!reading->t1->status && !overflows && (step > 0 ? value < stop : value > stop)) {
        add_integer(reading, value);
        overflows = __builtin_add_overflow(value, step, &value);
    }
}

static void read_python(struct reading *reading)
{
    bool is_list = accept(reading, "list(");
    if (accept(reading, "range("))
        read_range(reading);
    else if (!is_list && accept(reading, "["))
        read_list(reading);
    else
        fail_values(reading);
    bool is_open = is_list && !accept(reading, ")");
    skip_blanks(reading);
    if (is_open || *reading->rest)
        fail_values(reading);
}

/* ---- arrays ---- */

static void read_array(struct reading *reading)
{
    size_t i;
    json_t *item;
    reading->rest = "an item of the array";
    json_array_foreach((json_t *)reading->node->json, i, item)
    {
        if (json_is_string(item))
            add_text(reading, json_string_value(item), json_string_length(item));
        else if (json_is_boolean(item) && has_integers(reading))
            add_integer(reading, json_is_true(item));
        else if (json_is_integer(item) && has_integers(reading))
            add_integer(reading, json_integer_value(item));
        else if (json_is_number(item))
            add_real(reading, json_number_value(item));
        else
            fail_values(reading);
    }
}

void clopt_t1_append_values(struct clopt_t1 *t1, const struct clopt_t1_node *node, const char *type,
                            struct clopt_text *list)
{
    struct reading reading = {.t1 = t1, .node = node, .type = type, .list = list};
    if (json_is_string(node->json)) {
        reading.rest = json_string_value(node->json);
        read_python(&reading);
    } else if (json_is_array(node->json)) {
        read_array(&reading);
    } else {
        clopt_t1_fail(t1, node, node->json ? "this must be a text or an array" : "missing");
    }
    if (!list->length)
        clopt_t1_fail(t1, node, "no values");
}
