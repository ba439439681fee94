/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of T1 parameters: lists as Python writes them, to lists as studies do. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "study/t1_parts.h"

#define MOST_VALUES 4096

/* What is read, and what has been read so far. */
struct reading {
    const struct clopt_t1 *t1;
    const struct clopt_t1_node *node;
    const char *type;
    const char *rest;
    int64_t integers[MOST_VALUES]; /* of int, uint and bool: written as ranges */
    size_t count;
    struct clopt_text *list; /* the values of the other types */
};

static bool has_integers(const struct reading *reading)
{
    return strcmp(reading->type, "float") != 0 && strcmp(reading->type, "string") != 0;
}

static enum clopt_status fail_values(const struct reading *reading)
{
    return clopt_t1_fail(reading->t1, reading->node,
                         "only lists of %s values and range() are supported, at \"%.30s\"",
                         reading->type, reading->rest);
}

/* ---- values ---- */

static enum clopt_status add_integer(struct reading *reading, int64_t value)
{
    bool is_bool = strcmp(reading->type, "bool") == 0;
    if ((is_bool && value != 0 && value != 1) || (strcmp(reading->type, "uint") == 0 && value < 0))
        return clopt_t1_fail(reading->t1, reading->node, "%" PRId64 " is no %s", value,
                             reading->type);
    if (reading->count == MOST_VALUES)
        return clopt_t1_fail(reading->t1, reading->node, "more than %d values", MOST_VALUES);
    reading->integers[reading->count++] = value;
    return CLOPT_OK;
}

static enum clopt_status add_text(struct reading *reading, const char *text, size_t length)
{
    if (strcmp(reading->type, "string") != 0 || memchr(text, '"', length))
        return fail_values(reading);
    clopt_text_printf(reading->list, "%s\"%.*s\"", reading->list->length ? ", " : "", (int)length,
                      text);
    return CLOPT_OK;
}

static enum clopt_status add_real(struct reading *reading, double value)
{
    if (strcmp(reading->type, "float") != 0)
        return fail_values(reading);
    clopt_text_printf(reading->list, "%s%.17g", reading->list->length ? ", " : "", value);
    return CLOPT_OK;
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

static enum clopt_status read_item(struct reading *reading)
{
    int64_t integer;
    char *end;
    skip_blanks(reading);
    const char *start = reading->rest;
    if (*start == '\'' || *start == '"') {
        const char *closing = strchr(start + 1, *start);
        if (!closing || memchr(start, '\\', (size_t)(closing - start)))
            return fail_values(reading);
        enum clopt_status status = add_text(reading, start + 1, (size_t)(closing - start - 1));
        reading->rest = closing + 1;
        return status;
    }
    if (strcmp(reading->type, "bool") == 0 && (accept(reading, "True") || accept(reading, "False")))
        return add_integer(reading, *start == 'T');
    if (has_integers(reading))
        return read_integer(reading, &integer) ? add_integer(reading, integer)
                                               : fail_values(reading);
    double real = strtod(start, &end);
    if (end == start || memchr(start, 'n', (size_t)(end - start)))
        return fail_values(reading);
    reading->rest = end;
    return add_real(reading, real);
}

/* Reads what is after "[". */
static enum clopt_status read_list(struct reading *reading)
{
    while (!accept(reading, "]")) {
        enum clopt_status status = read_item(reading);
        if (status)
            return status;
        if (accept(reading, ","))
            continue;
        if (!accept(reading, "]"))
            return fail_values(reading);
        break;
    }
    return CLOPT_OK;
}

/* Reads what is after "range(". */
static enum clopt_status read_range(struct reading *reading)
{
    int64_t numbers[3] = {0, 0, 1};
    size_t count = 0;
    while (count < 3 && read_integer(reading, &numbers[count])) {
        count++;
        if (!accept(reading, ","))
            break;
    }
    if (!count || !accept(reading, ")") || !has_integers(reading))
        return fail_values(reading);
    int64_t start = count == 1 ? 0 : numbers[0];
    int64_t stop = count == 1 ? numbers[0] : numbers[1];
    int64_t step = count == 3 ? numbers[2] : 1;
    if (step == 0)
        return clopt_t1_fail(reading->t1, reading->node, "a range whose step is 0");
    enum clopt_status status = CLOPT_OK;
    for (int64_t value = start; step > 0 ? value < stop : value > stop;) {
        status = add_integer(reading, value);
        bool last = step > 0 ? value > INT64_MAX - step : value < INT64_MIN - step;
        if (status || last)
            break;
        value += step;
    }
    return status;
}

static enum clopt_status read_python(struct reading *reading)
{
    bool is_list = accept(reading, "list(");
    enum clopt_status status = accept(reading, "range(")          ? read_range(reading)
                               : !is_list && accept(reading, "[") ? read_list(reading)
                                                                  : fail_values(reading);
    if (status == CLOPT_OK && is_list && !accept(reading, ")"))
        status = fail_values(reading);
    skip_blanks(reading);
    return status == CLOPT_OK && *reading->rest ? fail_values(reading) : status;
}

/* ---- arrays ---- */

static enum clopt_status read_array(struct reading *reading)
{
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; i < json_array_size(reading->node->json) && status == CLOPT_OK; i++) {
        const json_t *item = json_array_get(reading->node->json, i);
        reading->rest = "an item of the array";
        if (json_is_string(item))
            status = add_text(reading, json_string_value(item), json_string_length(item));
        else if (json_is_boolean(item) && has_integers(reading))
            status = add_integer(reading, json_is_true(item));
        else if (json_is_integer(item) && has_integers(reading))
            status = add_integer(reading, json_integer_value(item));
        else if (json_is_number(item))
            status = add_real(reading, json_number_value(item));
        else
            status = fail_values(reading);
    }
    return status;
}

/* ---- lists of a study ---- */

/* How many integers from number `i` on have the same distance, or double each time. */
static size_t count_run(const struct reading *reading, size_t i, bool powers)
{
    const int64_t *values = reading->integers + i;
    size_t left = reading->count - i;
    size_t count = 1;
    if (left < 2 || values[1] <= values[0] || values[0] < -INT32_MAX || values[1] > INT32_MAX)
        return 1;
    if (powers && (values[0] < 1 || (values[0] & (values[0] - 1))))
        return 1;
    int64_t step = values[1] - values[0];
    while (count < left && values[count] <= INT32_MAX &&
           values[count] == (powers ? 2 * values[count - 1] : values[count - 1] + step))
        count++;
    return count;
}

/* Writes integers, with ranges where they save room: a line of a study is not long. */
static void write_integers(const struct reading *reading)
{
    for (size_t i = 0; i < reading->count;) {
        size_t steps = count_run(reading, i, false);
        size_t powers = count_run(reading, i, true);
        size_t run = steps >= powers ? steps : powers;
        int64_t first = reading->integers[i];
        const char *comma = reading->list->length ? ", " : "";
        if (run < 4) {
            clopt_text_printf(reading->list, "%s%" PRId64, comma, first);
            i++;
            continue;
        }
        int64_t last = reading->integers[i + run - 1];
        int64_t step = reading->integers[i + 1] - first;
        clopt_text_printf(reading->list, "%s%s%" PRId64 "..%" PRId64, comma,
                          steps >= powers ? "" : "pow2 ", first, last);
        if (steps >= powers && step > 1)
            clopt_text_printf(reading->list, " step %" PRId64, step);
        i += run;
    }
}

enum clopt_status clopt_t1_values(const struct clopt_t1 *t1, const struct clopt_t1_node *node,
                                  const char *type, struct clopt_text *list)
{
    struct reading *reading = calloc(1, sizeof *reading);
    if (!reading)
        return clopt_fail_memory(t1->error);
    reading->t1 = t1;
    reading->node = node;
    reading->type = type;
    reading->list = list;
    enum clopt_status status;
    if (json_is_string(node->json)) {
        reading->rest = json_string_value(node->json);
        status = read_python(reading);
    } else if (json_is_array(node->json)) {
        status = read_array(reading);
    } else {
        status =
            clopt_t1_fail(t1, node, node->json ? "this must be a text or an array" : "missing");
    }
    write_integers(reading);
    if (status == CLOPT_OK && !list->length)
        status = clopt_t1_fail(t1, node, "no values");
    free(reading);
    return status;
}
