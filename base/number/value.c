/* SPDX-License-Identifier: BSD-3-Clause */
/* Single values: from what people write to canonical form. */
#include "number/values.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>

#include <clopt/memory.h>

/* Returns what a unit after an integer multiplies it by, or 0 for an unknown one. */
static int64_t unit_factor(const char *unit)
{
    static const struct {
        const char *name;
        int64_t factor;
    } units[] = {
        {"", 1},
        {"k", 1000},
        {"M", 1000000},
        {"G", 1000000000},
        {"Ki", INT64_C(1) << 10},
        {"Mi", INT64_C(1) << 20},
        {"Gi", INT64_C(1) << 30},
    };
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(unit, units[i].name) == 0)
            return units[i].factor;
    return 0;
}

/* These return NULL, or what is wrong. */
static const char *read_integer(const char *text, int64_t *integer)
{
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (end == text)
        return "not an integer";
    int64_t factor = unit_factor(end);
    if (!factor)
        return "not an integer (with k, M, G, Ki, Mi or Gi after it, or nothing)";
    if (errno || number > INT64_MAX / factor || number < INT64_MIN / factor)
        return "out of the range of 64-bit integers";
    *integer = number * factor;
    return NULL;
}

static const char *read_real(const char *text, double *real)
{
    char *end;
    *real = strtod(text, &end);
    if (end == text || *end || strpbrk(text, "xXnN"))
        return "not a number";
    if (!isfinite(*real))
        return "not a finite number";
    if (*real == 0)
        *real = 0; /* one zero, without a sign */
    return NULL;
}

/* Writes the shortest text that reads back as the same number. */
static void print_real(double real, char *text, size_t size)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, size, "%.*g", digits, real);
        if (strtod(text, NULL) == real)
            return;
    }
}

/* Cuts blanks at both ends of a number; numbers are short. */
static const char *trim_number(const char *text, char *trimmed, size_t size)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    if (!length || length >= size)
        return NULL;
    memcpy(trimmed, text, length);
    trimmed[length] = '\0';
    return trimmed;
}

enum clopt_status clopt_value_parse(const char *text, enum clopt_type type,
                                    struct clopt_value *value, struct clopt_error *error)
{
    *value = (struct clopt_value){.type = type};
    char buffer[64], canonical[64];
    bool is_number = type == CLOPT_INTEGER || type == CLOPT_REAL;
    const char *number = is_number ? trim_number(text, buffer, sizeof buffer) : NULL;
    const char *wrong = type == CLOPT_INTEGER ? "not an integer" : "not a number";
    if (type == CLOPT_BOOLEAN) {
        value->integer = strcmp(text, "yes") == 0;
        wrong = value->integer || strcmp(text, "no") == 0 ? NULL : "neither yes nor no";
    } else if (!is_number) {
        wrong = type == CLOPT_FILE && !*text ? "names no file" : NULL;
    } else if (number && type == CLOPT_INTEGER) {
        wrong = read_integer(number, &value->integer);
        value->real = (double)value->integer;
        snprintf(canonical, sizeof canonical, "%" PRId64, value->integer);
    } else if (number) {
        wrong = read_real(number, &value->real);
        if (!wrong)
            print_real(value->real, canonical, sizeof canonical);
    }
    if (wrong)
        return clopt_fail(error, CLOPT_INVALID, "%s: %s", text, wrong);
    value->text = clopt_strdup(is_number ? canonical : text);
    return CLOPT_OK;
}

void clopt_value_unset(struct clopt_value *value)
{
    free(value->text);
    *value = (struct clopt_value){.name = value->name, .type = value->type};
}
