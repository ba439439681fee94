/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads tables of published times. */
#include "study/published.h"

#include <math.h>

#include "file/file.h"
#include "text/array.h"
#include "text/text.h"

enum column { FIGURE, APP, KERNEL, PROBLEM, VARIANT, DEVICE, TIME, OUTCOME, COLUMNS };

static const char *const names[COLUMNS] = {"figure",  "app",    "kernel", "problem",
                                           "variant", "device", "time_s", "outcome"};

#define MOST_FIELDS 64

/* A file on its way in. */
struct reader {
    const char *path;
    char *rest;
    size_t line; /* of the record that was read last */
    size_t next; /* line */
    char *fields[MOST_FIELDS];
    size_t field_count;
    struct clopt_error *error;
};

static enum clopt_status refuse(const struct reader *reader, const char *what, const char *which)
{
    return clopt_fail(reader->error, CLOPT_INVALID, "%s:%zu: %s%s", reader->path, reader->line,
                      what, which);
}

/* Reads a field in quotes, in place; NULL where the closing one is missing. */
static char *read_quoted(struct reader *reader)
{
    char *from = reader->rest + 1;
    char *field = from;
    char *to = from;
    while (*from && (*from != '"' || from[1] == '"')) {
        from += *from == '"';
        reader->next += *from == '\n';
        *to++ = *from++;
    }
    if (!*from)
        return NULL;
    *to = '\0';
    reader->rest = from + 1;
    return field;
}

/* Reads the next record into `fields`; there is none where `field_count` is 0. */
static enum clopt_status read_record(struct reader *reader)
{
    reader->field_count = 0;
    reader->line = reader->next;
    if (!*reader->rest)
        return CLOPT_OK;
    for (bool ended = false; !ended;) {
        if (reader->field_count == MOST_FIELDS)
            return refuse(reader, "too many fields", "");
        char *field = reader->rest;
        if (*field == '"') {
            field = read_quoted(reader);
            if (!field)
                return refuse(reader, "a closing quote is missing", "");
        } else {
            reader->rest += strcspn(reader->rest, ",\r\n");
        }
        char end = *reader->rest;
        if (end && !strchr(",\r\n", end))
            return refuse(reader, "unexpected text after a quote", "");
        ended = end != ',';
        if (end)
            *reader->rest++ = '\0';
        if (end == '\r' && *reader->rest == '\n')
            reader->rest++;
        reader->fields[reader->field_count++] = field;
    }
    reader->next++;
    return CLOPT_OK;
}

/* Finds the columns in the heading. */
static enum clopt_status read_heading(struct reader *reader, size_t columns[COLUMNS])
{
    CLOPT_TRY(read_record(reader));
    for (size_t c = 0; c < COLUMNS; c++) {
        columns[c] = 0;
        while (columns[c] < reader->field_count &&
               strcmp(reader->fields[columns[c]], names[c]) != 0)
            columns[c]++;
        if (columns[c] == reader->field_count)
            CLOPT_TRY(refuse(reader, "no column ", names[c]));
    }
    return CLOPT_OK;
}

static bool is_wanted(const char *figure, char *const *figures, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(figures[i], figure) == 0)
            return true;
    return !count;
}

static enum clopt_status read_time(const struct reader *reader, const char *text, double *time_s)
{
    char *end;
    *time_s = *text ? strtod(text, &end) : NAN;
    if (*text && (*end || !(*time_s > 0) || !isfinite(*time_s)))
        return refuse(reader, text, ": not a time in seconds");
    return CLOPT_OK;
}

static enum clopt_status add_row(const struct reader *reader, const size_t columns[COLUMNS],
                                 struct clopt_published_list *list)
{
    if (!clopt_array_grow(&list->items, list->count, sizeof *list->items))
        return clopt_fail_memory(reader->error);
    struct clopt_published *row = &list->items[list->count];
    *row = (struct clopt_published){.line = reader->line, .time_s = NAN};
    char **const texts[COLUMNS] = {&row->figure,  &row->app,    &row->kernel, &row->problem,
                                   &row->variant, &row->device, NULL,         &row->outcome};
    CLOPT_TRY(read_time(reader, reader->fields[columns[TIME]], &row->time_s));
    list->count++;
    for (size_t c = 0; c < COLUMNS; c++)
        if (texts[c] && !(*texts[c] = strdup(reader->fields[columns[c]])))
            return clopt_fail_memory(reader->error);
    return CLOPT_OK;
}

static enum clopt_status read_rows(struct reader *reader, char *const *figures, size_t count,
                                   struct clopt_published_list *list)
{
    size_t columns[COLUMNS];
    enum clopt_status status = read_heading(reader, columns);
    size_t wanted = reader->field_count;
    while (status == CLOPT_OK) {
        status = read_record(reader);
        if (status || !reader->field_count)
            break;
        if (reader->field_count != wanted)
            status = refuse(reader, "not as many fields as in the first line", "");
        else if (*reader->fields[columns[VARIANT]] &&
                 is_wanted(reader->fields[columns[FIGURE]], figures, count))
            status = add_row(reader, columns, list);
    }
    return status;
}

enum clopt_status clopt_published_read(const char *path, char *const *figures, size_t count,
                                       struct clopt_published_list *list, struct clopt_error *error)
{
    struct reader reader = {.path = path, .next = 1, .error = error};
    CLOPT_FREED char *text = NULL;
    CLOPT_TRY(clopt_text_read(path, &text, error));
    reader.rest = text;
    return read_rows(&reader, figures, count, list);
}
