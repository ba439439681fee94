/* SPDX-License-Identifier: BSD-3-Clause */
/* Single values: from what people write to canonical form. */
#include "number/values.h"

#include <errno.h>
#include <math.h>

#include "text/text.h"

/* These set the value's numbers, and return NULL or what is wrong. */

static const char *read_integer(const char *text, struct clopt_value *value)
{
    static const struct {
        const char *name;
        int64_t factor;
    } units[] = {{"", 1},         {"k", 1000},     {"M", 1000000}, {"G", 1000000000},
                 {"Ki", 1 << 10}, {"Mi", 1 << 20}, {"Gi", 1 << 30}};
    char *end;
    size_t unit = 0, count = sizeof units / sizeof *units;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (end == text)
        return "not an integer";
    while (unit < count && strcmp(end, units[unit].name) != 0)
        unit++;
    if (unit == count)
        return "not an integer (with k, M, G, Ki, Mi or Gi after it, or nothing)";
    int64_t factor = units[unit].factor;
    if (errno || number > INT64_MAX / factor || number < INT64_MIN / factor)
        return "out of the range of 64-bit integers";
    value->integer = number * factor;
    value->real = (double)value->integer;
    return NULL;
}

static const char *read_real(const char *text, struct clopt_value *value)
{
    char *end;
    value->real = strtod(text, &end);
    if (end == text || *end || strpbrk(text, "xXnN"))
        return "not a number";
    if (!isfinite(value->real))
        return "not a finite number";
    if (value->real == 0)
        value->real = 0; /* one zero, without a sign */
    return NULL;
}

static const char *read_text(const char *text, struct clopt_value *value)
{
    return value->type == CLOPT_FILE && !*text ? "names no file" : NULL;
}

static const char *read_boolean(const char *text, struct clopt_value *value)
{
    value->integer = strcmp(text, "yes") == 0;
    return value->integer || strcmp(text, "no") == 0 ? NULL : "neither yes nor no";
}

/* Reads a number; returns the unit after it, or "?", which is none. */
static const char *read_quantity(const char *text, struct clopt_value *value)
{
    char *end;
    value->real = strtod(text, &end);
    if (end == text || !isfinite(value->real) || memchr(text, 'x', (size_t)(end - text)))
        return "?";
    return end + strspn(end, " \t");
}

static const char *read_time(const char *text, struct clopt_value *value)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"ms", 1e-3}, {"s", 1}, {"min", 60}, {"h", 3600}};
    const char *unit = read_quantity(text, value);
    for (size_t i = 0; value->real > 0 && i < sizeof units / sizeof units[0]; i++)
        if (strcmp(unit, units[i].name) == 0) {
            value->real *= units[i].seconds;
            return value->real < 1e9 ? NULL : "longer than 30 years";
        }
    return "not a time such as 500ms, 10s, 2min or 1h";
}

static const char *read_share(const char *text, struct clopt_value *value)
{
    const char *unit = read_quantity(text, value);
    if (strcmp(unit, "%") == 0)
        value->real /= 100;
    bool good = (!*unit || strcmp(unit, "%") == 0) && value->real > 0 && value->real < 1;
    return good ? NULL : "not a share between 0% and 100%, such as 2%";
}

static const char *read_factor(const char *text, struct clopt_value *value)
{
    const char *unit = read_quantity(text, value);
    bool good = (!*unit || strcmp(unit, "x") == 0) && value->real > 1 && value->real < 1e9;
    return good ? NULL : "not a factor above 1, such as 3x";
}

static const struct {
    const char *name;
    const char *(*read)(const char *text, struct clopt_value *value);
    const char *unit; /* after a number that is printed */
} types[] = {
    [CLOPT_INTEGER] = {"integer", read_integer, ""}, [CLOPT_REAL] = {"real", read_real, ""},
    [CLOPT_TEXT] = {"text", read_text, ""},          [CLOPT_FILE] = {"file", read_text, ""},
    [CLOPT_BOOLEAN] = {"boolean", read_boolean, ""}, [CLOPT_TIME] = {"time", read_time, "s"},
    [CLOPT_SHARE] = {"share", read_share, ""},       [CLOPT_FACTOR] = {"factor", read_factor, "x"},
};

const char *clopt_type_text(enum clopt_type type)
{
    return types[type].name;
}

const char *clopt_type_unit(enum clopt_type type)
{
    return types[type].unit;
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

enum clopt_status clopt_value_parse(const char *text, enum clopt_type type,
                                    struct clopt_value *value, struct clopt_error *error)
{
    *value = (struct clopt_value){.type = type};
    bool is_number = clopt_type_is_number(type);
    CLOPT_FREED char *copy = clopt_strdup(text);
    const char *wrong = types[type].read(is_number ? clopt_text_trim(copy) : text, value);
    char number[64];
    if (wrong)
        return clopt_fail(error, CLOPT_INVALID, "%s: %s", text, wrong);
    if (type == CLOPT_INTEGER)
        snprintf(number, sizeof number, "%" PRId64, value->integer);
    else
        print_real(value->real, number, sizeof number);
    value->text =
        is_number ? clopt_text_format("%s%s", number, types[type].unit) : clopt_strdup(text);
    return CLOPT_OK;
}

enum clopt_status clopt_parameter_read(const struct clopt_parameter *parameter, const char *text,
                                       struct clopt_value *value, struct clopt_error *error)
{
    const char *legal = parameter->legal;
    if (clopt_value_parse(text, parameter->type, value, error))
        return legal && error
                   ? clopt_fail(error, CLOPT_INVALID, "%s; legal: %s", error->message, legal)
                   : CLOPT_INVALID;
    if (!legal || !clopt_value_check_legal(value, legal, error))
        return CLOPT_OK;
    clopt_value_unset(value);
    return CLOPT_INVALID;
}

void clopt_value_unset(struct clopt_value *value)
{
    free(value->text);
    *value = (struct clopt_value){.name = value->name, .type = value->type};
}
