/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads [published LABEL]: tables of published times, with which a study is compared. */
#include "readers/readers.h"

#include <math.h>

#include "file/file.h"
#include "shared/variant_parse.h"
#include "text/json.h"

enum column { FIGURE, APP, KERNEL, PROBLEM, VARIANT, DEVICE, TIME, OUTCOME, COLUMNS };

static const char *const names[COLUMNS] = {"figure",  "app",    "kernel", "problem",
                                           "variant", "device", "time_s", "outcome"};

#define MOST_FIELDS 64

/* A file on its way in. */
struct reader {
    const struct clopt_study_reading *reading;
    const char *source; /* what reports call it */
    const char *path;
    char *rest;
    size_t line; /* of the record that was read last */
    size_t next; /* line */
    char *fields[MOST_FIELDS];
    size_t field_count;
};

static enum clopt_status refuse(const struct reader *reader, const char *what, const char *which)
{
    return clopt_fail(reader->reading->error, CLOPT_INVALID, "%s:%zu: %s%s", reader->path,
                      reader->line, what, which);
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
    if (*text && (!((*time_s = strtod(text, &end)) > 0) || *end || !isfinite(*time_s)))
        return refuse(reader, text, ": not a time in seconds");
    return CLOPT_OK;
}

/* Writes the name of a variant as this clopt does: parameters in their order, without those that
 * change nothing. Apps that are not in the study do not count. */
static enum clopt_status read_variant(const struct reader *reader, const char *app,
                                      const char *name, json_t **variant)
{
    CLOPT_OWNED(clopt_trial) trial = {.app = clopt_study_app(reader->reading->study, app)};
    if (trial.app &&
        clopt_trial_parse_name(&trial, name, reader->reading->registry, reader->reading->error))
        return clopt_fail_within(reader->reading->error, "%s:%zu", reader->path, reader->line);
    CLOPT_FREED char *written = trial.app ? clopt_trial_name(&trial) : NULL;
    *variant = clopt_json_text(written ? written : name);
    return CLOPT_OK;
}

static enum clopt_status add_row(const struct reader *reader, const size_t columns[COLUMNS])
{
    json_t *row = json_pack("[o]", clopt_json_text(reader->source)), *variant = NULL;
    double time_s = 0;
    json_array_append_new(reader->reading->study->published, row);
    for (size_t c = 0; c < COLUMNS; c++)
        json_array_append_new(row, clopt_json_text(reader->fields[columns[c]]));
    CLOPT_TRY(read_time(reader, reader->fields[columns[TIME]], &time_s));
    json_array_set_new(row, TIME + 1, json_real(time_s));
    CLOPT_TRY(read_variant(reader, reader->fields[columns[APP]], reader->fields[columns[VARIANT]],
                           &variant));
    json_array_set_new(row, VARIANT + 1, variant);
    return CLOPT_OK;
}

static enum clopt_status read_rows(struct reader *reader, const struct clopt_list *figures)
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
            CLOPT_TRY(add_row(reader, columns));
    }
}

/* Reads a CSV file (RFC 4180) whose first line names the columns: figure, app, kernel, problem,
 * variant, device, time_s and outcome, in any order, and others that do not count. Rows without a
 * variant are left out, and so are those of other figures than `figures`, unless that is empty.
 * CLOPT_INVALID: "FILE:LINE: ...". */
static enum clopt_status read_table(const struct clopt_study_reading *reading, const char *path,
                                    const char *source, const struct clopt_list *figures)
{
    struct reader reader = {.reading = reading, .source = source, .path = path, .next = 1};
    CLOPT_FREED char *text = NULL;
    CLOPT_TRY(clopt_text_read(path, &text, reading->error));
    reader.rest = text;
    return read_rows(&reader, figures);
}

/* ---- the section ---- */

/* The section, as it is written. */
struct request {
    char *file;
    struct clopt_list figures;
};

#define AT(member) offsetof(struct request, member)

static const struct clopt_key keys[] = {
    CLOPT_KEY("file", VALUE, TEXT, NULL, NULL, AT(file), "a CSV file of published times"),
    CLOPT_KEY("figures", LIST, TEXT, NULL, NULL, AT(figures),
              "only the rows of these figures [all]"),
    {0},
};

/* Reports a figure that the file, whose rows begin with number `first`, does not have: it was asked
 * for by mistake. */
static enum clopt_status check_figures(const struct clopt_study_reading *reading,
                                       const struct clopt_ini_section *section,
                                       const struct clopt_list *figures, size_t first)
{
    const json_t *rows = reading->study->published;
    for (size_t i = 0; i < figures->count; i++) {
        size_t row = first;
        while (row < json_array_size(rows) &&
               strcmp(json_string_value(json_array_get(json_array_get(rows, row), FIGURE + 1)),
                      figures->items[i]) != 0)
            row++;
        if (row == json_array_size(rows))
            return clopt_fail(
                reading->error, CLOPT_INVALID, "%s: [%s] figures = %s: the file has none",
                clopt_ini_setting(section, "figures")->origin, section->name, figures->items[i]);
    }
    return CLOPT_OK;
}

static enum clopt_status read_file(const struct clopt_study_reading *reading,
                                   const struct clopt_ini_section *section, struct request *request,
                                   const char *label)
{
    struct clopt_error *error = reading->error;
    struct clopt_list *figures = &request->figures;
    size_t first = json_array_size(reading->study->published);
    if (!request->file)
        return clopt_fail(error, CLOPT_INVALID, "%s: [%s]: names no file", section->origin,
                          section->name);
    if (figures->count == 1 && strcmp(figures->items[0], "all") == 0)
        clopt_list_fini(figures);
    CLOPT_FREED char *path = clopt_path_beside(reading->study->path, request->file);
    if (clopt_file_check(path, error))
        return clopt_fail_within(error, "%s: [%s] file", clopt_ini_setting(section, "file")->origin,
                                 section->name);
    CLOPT_TRY(read_table(reading, path, label, figures));
    return check_figures(reading, section, figures, first);
}

static enum clopt_status read_published(const struct clopt_study_reading *reading,
                                        const struct clopt_ini_section *section, const char *label)
{
    struct clopt_study *study = reading->study;
    struct request request = {0};
    if (!study->published)
        study->published = json_array();
    enum clopt_status status = clopt_keys_read(keys, section, NULL, &request, reading->error);
    if (!status)
        status = read_file(reading, section, &request, label);
    free(request.file);
    clopt_list_fini(&request.figures);
    return status;
}

const struct clopt_study_section clopt_section_published = {
    .kind = "published", .label = "LABEL", .keys = keys, .read = read_published};
