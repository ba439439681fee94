/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a report as CSV (RFC 4180): a header, then a row a device, problem, kernel and variant. */
#include "report/report.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "view/fields.h"

/* Whether a spreadsheet may take a text for a formula, which it then computes. */
static bool is_formula(const char *text)
{
    char *end = NULL;
    strtod(text, &end);
    return *text && strchr("=+-@", *text) && text[1] && *end;
}

/* Quotes a text where commas, quotes or line ends ask for it, after an apostrophe where it is no
 * number and begins as formulas do. */
static void print_text(FILE *stream, const char *text)
{
    struct clopt_text clean = {0};
    clopt_text_append(&clean, is_formula(text) ? "'" : "");
    clopt_text_append_printable_lines(&clean, text);
    const char *rest = clopt_text_string(&clean);
    bool quoted = strpbrk(rest, ",\"\n") != NULL;
    fputs(quoted ? "\"" : "", stream);
    for (; *rest; rest++) {
        if (*rest == '"')
            putc('"', stream);
        putc(*rest, stream);
    }
    fputs(quoted ? "\"" : "", stream);
    clopt_text_fini(&clean);
}

/* Prints an object of lists by their first items: "barriers=64; branches=86". */
static void print_counters(FILE *stream, const json_t *object)
{
    struct clopt_text text = {0};
    const char *name;
    json_t *counter;
    json_object_foreach((json_t *)object, name, counter)
        clopt_text_printf(&text, "%s%s=%.10g", text.length ? "; " : "", name,
                          json_number_value(json_array_get(counter, 0)));
    print_text(stream, clopt_text_string(&text));
    clopt_text_fini(&text);
}

static void print_value(FILE *stream, const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_STRING:
        print_text(stream, json_string_value(value));
        break;
    case JSON_INTEGER:
        fprintf(stream, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        break;
    case JSON_REAL:
        fprintf(stream, "%.10g", json_real_value(value));
        break;
    case JSON_TRUE:
        fputs("yes", stream);
        break;
    case JSON_FALSE:
        fputs("no", stream);
        break;
    case JSON_OBJECT:
        print_counters(stream, value);
        break;
    default: /* null: an empty field */
        break;
    }
}

void clopt_csv_print_text(FILE *stream, const char *text, bool first)
{
    if (!first)
        putc(',', stream);
    print_text(stream, text);
}

void clopt_csv_print(FILE *stream, const json_t *value, bool first)
{
    if (!first)
        putc(',', stream);
    print_value(stream, value);
}

static enum clopt_status print_row(void *user, json_t *const *values, struct clopt_error *error)
{
    FILE *stream = user;
    for (size_t i = 0; i < CLOPT_FIELD_COUNT; i++)
        clopt_csv_print(stream, values[i], i == 0);
    fputs("\r\n", stream);
    if (ferror(stream))
        return clopt_fail(error, CLOPT_FAILED, "cannot write the report: %s", strerror(errno));
    return CLOPT_OK;
}

enum clopt_status clopt_report_csv(struct clopt_store *store, FILE *stream,
                                   struct clopt_error *error)
{
    struct clopt_results *results;
    enum clopt_status status = clopt_results_gather(store, &results, error);
    if (status)
        return status;
    for (size_t i = 0; i < CLOPT_FIELD_COUNT; i++)
        fprintf(stream, "%s%s", i ? "," : "", clopt_field_name(results, i));
    fputs("\r\n", stream);
    status = clopt_results_visit(results, print_row, stream, error);
    clopt_results_destroy(results);
    return status;
}
