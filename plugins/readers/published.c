/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads tables of published times. */
#include "readers/readers.h"

#include <math.h>

#include "file/file.h"
#include "space/study.h"

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
    struct clopt_published *row = clopt_array_add(&list->items, &list->count, sizeof *row);
    row->line = reader->line;
    char **const texts[COLUMNS] = {&row->figure,  &row->app,    &row->kernel, &row->problem,
                                   &row->variant, &row->device, NULL,         &row->outcome};
    for (size_t c = 0; c < COLUMNS; c++)
        if (texts[c])
            *texts[c] = clopt_strdup(reader->fields[columns[c]]);
    return read_time(reader, reader->fields[columns[TIME]], &row->time_s);
}

static enum clopt_status read_rows(struct reader *reader, const struct clopt_list *figures,
                                   struct clopt_published_list *list)
{
    size_t columns[COLUMNS];
    CLOPT_TRY(read_heading(reader, columns));
    size_t wanted = reader->field_count;
    for (;;) {
        CLOPT_TRY(read_record(reader));
        if (!reader->field_count)
            return CLOPT_OK;
        if (reader->field_count != wanted)
            return refuse(reader, "not as many fields as in the first line", "");
        if (*reader->fields[columns[VARIANT]] &&
            clopt_study_names(figures, reader->fields[columns[FIGURE]]))
            CLOPT_TRY(add_row(reader, columns, list));
    }
}

/* Reads a CSV file (RFC 4180) whose first line names the columns: figure, app, kernel, problem,
 * variant, device, time_s and outcome, in any order, and others that do not count. Rows without a
 * variant are left out, and so are those of other figures than `figures`, unless that is empty.
 * CLOPT_INVALID: "FILE:LINE: ...". */
static enum clopt_status read_table(const char *path, const struct clopt_list *figures,
                                    struct clopt_published_list *list, struct clopt_error *error)
{
    struct reader reader = {.path = path, .next = 1, .error = error};
    CLOPT_FREED char *text = NULL;
    CLOPT_TRY(clopt_text_read(path, &text, error));
    reader.rest = text;
    return read_rows(&reader, figures, list);
}

const struct clopt_reader clopt_reader_published = {.published = read_table};
