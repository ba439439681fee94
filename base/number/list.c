/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists and ranges of values, as people write them. */
#include "number/values.h"

#include <math.h>

#include "text/text.h"

/* One part of a list of numbers: a value, or a range of them. */
struct part {
    bool power; /* only powers of two */
    bool range;
    bool has_low;
    bool has_high;
    bool has_step;
    struct clopt_value low;
    struct clopt_value high; /* that of a single value is its low */
    struct clopt_value step;
};

/* Parses a number whose canonical text is of no interest. */
static enum clopt_status parse_number(const char *text, enum clopt_type type,
                                      struct clopt_value *value, struct clopt_error *error)
{
    enum clopt_status status = clopt_value_parse(text, type, value, error);
    free(value->text);
    value->text = NULL;
    return status;
}

/* Cuts " step VALUE" from the end of a part. */
static enum clopt_status cut_step(char *text, enum clopt_type type, struct part *part,
                                  struct clopt_error *error)
{
    char *step = strstr(text, " step ");
    if (!step)
        return CLOPT_OK;
    *step = '\0';
    part->has_step = true;
    CLOPT_TRY(parse_number(step + 6, type, &part->step, error));
    if (!(part->step.real > 0))
        return clopt_fail(error, CLOPT_INVALID, "step %s: not more than 0",
                          clopt_text_trim(step + 6));
    return CLOPT_OK;
}

/* Parses the two ends of a range; either may be missing. */
static enum clopt_status parse_ends(char *text, char *dots, enum clopt_type type, struct part *part,
                                    struct clopt_error *error)
{
    *dots = '\0';
    char *low = clopt_text_trim(text);
    char *high = clopt_text_trim(dots + 2);
    part->has_low = *low;
    part->has_high = *high;
    if (part->has_low)
        CLOPT_TRY(parse_number(low, type, &part->low, error));
    return part->has_high ? parse_number(high, type, &part->high, error) : CLOPT_OK;
}

/* Parses one trimmed part of a list of numbers. */
static enum clopt_status parse_part(const char *text, enum clopt_type type, struct part *part,
                                    struct clopt_error *error)
{
    CLOPT_FREED char *whole = clopt_strdup(text);
    char *copy = whole;
    *part = (struct part){0};
    if (strncmp(copy, "pow2 ", 5) == 0) {
        part->power = true;
        copy += 5;
    }
    CLOPT_TRY(cut_step(copy, type, part, error));
    char *dots = strstr(copy, "..");
    part->range = dots;
    if (dots) {
        CLOPT_TRY(parse_ends(copy, dots, type, part, error));
    } else {
        CLOPT_TRY(parse_number(copy, type, &part->low, error));
        part->high = part->low;
        part->has_low = part->has_high = true;
    }
    if (!part->range && (part->power || part->has_step))
        return clopt_fail(error, CLOPT_INVALID, "%s: not a range such as 1..8", text);
    if (part->power && part->has_step)
        return clopt_fail(error, CLOPT_INVALID, "%s: pow2 and step do not go together", text);
    if (part->power && (!part->has_low || part->low.real < 1))
        return clopt_fail(error, CLOPT_INVALID, "%s: powers of two start at 1", text);
    return CLOPT_OK;
}

static bool contains(const struct clopt_list *list, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list->items[i], text) == 0)
            return true;
    return false;
}

/* Adds an item that is not among the first `before` ones: a range repeats nothing in itself. */
static enum clopt_status add_item(struct clopt_list *list, size_t before, const char *text,
                                  size_t most, struct clopt_error *error)
{
    if (contains(list, before, text))
        return CLOPT_OK;
    if (list->count == most)
        return clopt_fail(error, CLOPT_INVALID, "more than %zu values", most);
    clopt_array_grow(&list->items, list->count, sizeof *list->items);
    list->items[list->count++] = clopt_strdup(text);
    return CLOPT_OK;
}

static enum clopt_status add_integer(struct clopt_list *list, size_t before, int64_t integer,
                                     size_t most, struct clopt_error *error)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, integer);
    return add_item(list, before, text, most, error);
}

static enum clopt_status expand_powers(const struct part *part, size_t most,
                                       struct clopt_list *list, struct clopt_error *error)
{
    size_t before = list->count;
    bool found = false;
    for (unsigned bit = 0; bit < 63; bit++) {
        int64_t power = INT64_C(1) << bit;
        if ((double)power < part->low.real || (double)power > part->high.real)
            continue;
        CLOPT_TRY(add_integer(list, before, power, most, error));
        found = true;
    }
    return found ? CLOPT_OK : clopt_fail(error, CLOPT_INVALID, "no value is in this range");
}

static enum clopt_status expand_integers(const struct part *part, size_t most,
                                         struct clopt_list *list, struct clopt_error *error)
{
    uint64_t width = (uint64_t)part->high.integer - (uint64_t)part->low.integer;
    uint64_t step = part->has_step ? (uint64_t)part->step.integer : 1;
    if (width / step >= most)
        return clopt_fail(error, CLOPT_INVALID, "more than %zu values", most);
    size_t before = list->count;
    for (uint64_t i = 0; i <= width / step; i++) {
        int64_t integer = (int64_t)((uint64_t)part->low.integer + i * step);
        CLOPT_TRY(add_integer(list, before, integer, most, error));
    }
    return CLOPT_OK;
}

static enum clopt_status expand_reals(const struct part *part, size_t most, struct clopt_list *list,
                                      struct clopt_error *error)
{
    if (!part->has_step)
        return clopt_fail(error, CLOPT_INVALID, "a range of reals needs a step");
    /* 0.1..0.5 step 0.1 includes 0.5, in spite of rounding. */
    double steps = floor((part->high.real - part->low.real) / part->step.real + 1e-9);
    if (!(steps < (double)most))
        return clopt_fail(error, CLOPT_INVALID, "more than %zu values", most);
    size_t before = list->count;
    for (size_t i = 0; i <= (size_t)steps; i++) {
        char rounded[64];
        snprintf(rounded, sizeof rounded, "%.12g%s", part->low.real + (double)i * part->step.real,
                 clopt_type_unit(part->low.type));
        CLOPT_OWNED(clopt_value) value = {0};
        CLOPT_TRY(clopt_value_parse(rounded, part->low.type, &value, error));
        CLOPT_TRY(add_item(list, before, value.text, most, error));
    }
    return CLOPT_OK;
}

static enum clopt_status expand_range(const struct part *part, enum clopt_type type, size_t most,
                                      struct clopt_list *list, struct clopt_error *error)
{
    if (!part->has_low || !part->has_high)
        return clopt_fail(error, CLOPT_INVALID, "a range needs two ends, such as 1..8");
    bool integer = type == CLOPT_INTEGER;
    if (integer ? part->low.integer > part->high.integer : part->low.real > part->high.real)
        return clopt_fail(error, CLOPT_INVALID, "no value is in this range");
    if (part->power)
        return expand_powers(part, most, list, error);
    return integer ? expand_integers(part, most, list, error)
                   : expand_reals(part, most, list, error);
}

static enum clopt_status add_numbers(const char *text, enum clopt_type type, size_t most,
                                     struct clopt_list *list, struct clopt_error *error)
{
    struct part part;
    CLOPT_OWNED(clopt_value) value = {0};
    CLOPT_TRY(parse_part(text, type, &part, error));
    if (part.range) {
        enum clopt_status status = expand_range(&part, type, most, list, error);
        return status == CLOPT_INVALID ? clopt_fail_within(error, "%s", text) : status;
    }
    CLOPT_TRY(clopt_value_parse(text, type, &value, error));
    return add_item(list, list->count, value.text, most, error);
}

/* Takes the quotes from a text that has them. */
static enum clopt_status unquote(char **text, struct clopt_error *error)
{
    size_t length = strlen(*text);
    char *quote = strchr(*text, '"');
    if (!quote)
        return CLOPT_OK;
    if (quote != *text || length < 2 || strchr(quote + 1, '"') != *text + length - 1)
        return clopt_fail(error, CLOPT_INVALID, "%s: quotes must stand at both ends of a value",
                          *text);
    (*text)[length - 1] = '\0';
    ++*text;
    return CLOPT_OK;
}

static enum clopt_status add_part(char *text, enum clopt_type type, size_t most,
                                  struct clopt_list *list, struct clopt_error *error)
{
    char *trimmed = clopt_text_trim(text);
    if (!*trimmed)
        return clopt_fail(error, CLOPT_INVALID, "a value is missing");
    if (clopt_type_is_number(type))
        return add_numbers(trimmed, type, most, list, error);
    CLOPT_OWNED(clopt_value) value = {0};
    CLOPT_TRY(unquote(&trimmed, error));
    if (type == CLOPT_BOOLEAN)
        CLOPT_TRY(clopt_value_parse(trimmed, type, &value, error));
    return add_item(list, list->count, trimmed, most, error);
}

/* Ends the first part of a list at its comma; returns what follows, or NULL. */
static char *cut_part(char *text)
{
    bool quoted = false;
    for (; *text; text++) {
        quoted ^= *text == '"';
        if (*text == ',' && !quoted) {
            *text = '\0';
            return text + 1;
        }
    }
    return NULL;
}

enum clopt_status clopt_list_parse(const char *text, enum clopt_type type, size_t most,
                                   struct clopt_list *list, struct clopt_error *error)
{
    *list = (struct clopt_list){0};
    CLOPT_FREED char *copy = clopt_strdup(text);
    enum clopt_status status = CLOPT_OK;
    for (char *part = copy; part && status == CLOPT_OK;) {
        char *next = cut_part(part);
        status = add_part(part, type, most, list, error);
        part = next;
    }
    if (status)
        clopt_list_fini(list);
    return status;
}

void clopt_list_add(struct clopt_list *list, const char *text)
{
    *(char **)clopt_array_add(&list->items, &list->count, sizeof *list->items) = clopt_strdup(text);
}

void clopt_list_fini(struct clopt_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i]);
    free(list->items);
    *list = (struct clopt_list){0};
}

/* Tells whether a value is one of those that a part means. */
static bool is_in_part(const struct clopt_value *value, const struct part *part)
{
    if (value->type == CLOPT_INTEGER) {
        if ((part->has_low && value->integer < part->low.integer) ||
            (part->has_high && value->integer > part->high.integer))
            return false;
        if (part->power)
            return value->integer > 0 && (value->integer & (value->integer - 1)) == 0;
        uint64_t from_low = (uint64_t)value->integer - (uint64_t)part->low.integer;
        return !part->has_step || from_low % (uint64_t)part->step.integer == 0;
    }
    if ((part->has_low && value->real < part->low.real) ||
        (part->has_high && value->real > part->high.real))
        return false;
    double steps = part->has_step ? (value->real - part->low.real) / part->step.real : 0;
    return fabs(steps - round(steps)) < 1e-9;
}

static enum clopt_status match_part(const struct clopt_value *value, char *text, bool *found,
                                    struct clopt_error *error)
{
    char *trimmed = clopt_text_trim(text);
    if (!clopt_type_is_number(value->type)) {
        enum clopt_status status = unquote(&trimmed, error);
        *found |= strcmp(trimmed, value->text) == 0;
        return status;
    }
    struct part part;
    CLOPT_TRY(parse_part(trimmed, value->type, &part, error));
    *found |= is_in_part(value, &part);
    return CLOPT_OK;
}

enum clopt_status clopt_value_check_legal(const struct clopt_value *value, const char *legal,
                                          struct clopt_error *error)
{
    CLOPT_FREED char *copy = clopt_strdup(legal);
    bool found = false;
    for (char *part = copy; part && !found;) {
        char *next = cut_part(part);
        if (match_part(value, part, &found, error))
            return clopt_fail_within(error, "legal values \"%s\"", legal);
        part = next;
    }
    return found ? CLOPT_OK
                 : clopt_fail(error, CLOPT_INVALID, "%s: not one of %s", value->text, legal);
}
