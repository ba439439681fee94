/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what `clopt check` found: in a document, or as SARIF 2.1.0, which no document can be. */
#include "view/report.h"

#include <config.h>

#include <ctype.h>

#include "file/file.h"
#include "text/json.h"

static long long number_of(const json_t *object, const char *key)
{
    return (long long)json_integer_value(json_object_get(object, key));
}

static int id_of(const json_t *finding, const char *key, size_t dimension)
{
    return (int)json_integer_value(json_array_get(json_object_get(finding, key), dimension));
}

/* Finds the column of an expression in its line of the source: where it is written so, or else
 * where most of its beginning is, as before a macro, if that is one place; 0: it is in none. */
static long long find_column(const char *source, const json_t *expression)
{
    const char *text = clopt_json_string(expression, "expression"), *at = source;
    for (long long i = 1; at && i < number_of(expression, "line"); i++)
        at = (at = strchr(at, '\n')) ? at + 1 : NULL;
    size_t most = 0, length;
    long long column = 0;
    for (const char *here = at; here && *here && *here != '\n'; here++) {
        for (length = 0; text[length] && text[length] == here[length];)
            length++;
        bool inside = here > at && (isalnum((unsigned char)here[-1]) || here[-1] == '_');
        if (inside || length < most || !length)
            continue;
        column = length > most || !text[length] ? here - at + 1 : 0;
        if (!text[length])
            break;
        most = length;
    }
    return column;
}

/* Adds the columns of what is in the sources. */
static void locate(json_t *runs)
{
    size_t r, f;
    json_t *run, *finding;
    json_array_foreach(runs, r, run)
    {
        struct clopt_error unknown;
        CLOPT_FREED char *source = NULL;
        clopt_text_read(clopt_json_string(run, "source"), &source,
                        &unknown); /* else without columns */
        json_array_foreach(json_object_get(run, "findings"), f, finding)
        {
            json_t *other = json_object_get(finding, "other");
            json_object_set_new(finding, "column", json_integer(find_column(source, finding)));
            json_object_set_new(other, "column", json_integer(find_column(source, other)));
        }
    }
}

/* ---- for programs ---- */

/* Adds a value to the row; what is missing is null. */
static void add_value(struct clopt_document *document, json_t *value)
{
    clopt_document_values(document, "o", value ? json_incref(value) : json_null());
}

static void add_row(const json_t *run, const json_t *finding, struct clopt_document *document)
{
    static const char *const of_run[] = {"app", "inputs", "variant", "device", "source"};
    static const char *const own[] = {"kernel", "kind",   "expression", "array", "message",
                                      "line",   "column", "byte",       "bytes", "count"};
    static const char *const ids[] = {"global_id", "local_id"};
    static const char *const others[] = {"line", "expression"};
    clopt_document_row(document, "");
    for (size_t i = 0; i < sizeof of_run / sizeof *of_run; i++)
        add_value(document, json_object_get(run, of_run[i]));
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        add_value(document, json_object_get(finding, own[i]));
    for (size_t i = 0; i < 6; i++)
        add_value(document, json_array_get(json_object_get(finding, ids[i / 3]), i % 3));
    for (size_t i = 0; i < 2; i++)
        add_value(document, json_object_get(json_object_get(finding, "other"), others[i]));
}

static void add_rows(const json_t *runs, struct clopt_document *document)
{
    size_t r, f;
    json_t *run, *finding, *kept = json_deep_copy(runs);
    json_array_foreach(kept, r, run) json_object_del(run, "findings");
    clopt_document_data(document, "runs", kept);
    clopt_document_rows(document, "findings",
                        "app inputs variant device source kernel kind expression array message "
                        "line column byte bytes count global_id_0 global_id_1 global_id_2 "
                        "local_id_0 local_id_1 local_id_2 other_line other_expression");
    json_array_foreach(runs, r, run) json_array_foreach(json_object_get(run, "findings"), f,
                                                        finding) add_row(run, finding, document);
}

/* ---- for people ---- */

static void add_ids(struct clopt_text *text, const json_t *finding, const char *key)
{
    clopt_text_printf(text, "(%d, %d, %d)", id_of(finding, key, 0), id_of(finding, key, 1),
                      id_of(finding, key, 2));
}

/* Adds a finding as compilers write errors, which editors know. */
static void add_lines(struct clopt_text *text, const json_t *run, const json_t *finding)
{
    long long times = number_of(finding, "count"), column = number_of(finding, "column");
    clopt_text_printf(text, "%s:%lld:", clopt_json_string(run, "source"),
                      number_of(finding, "line"));
    if (column)
        clopt_text_printf(text, "%lld:", column);
    clopt_text_printf(text, " %s: %s: %s\n    by work-item ", clopt_json_string(finding, "kind"),
                      clopt_json_string(finding, "kernel"), clopt_json_string(finding, "message"));
    add_ids(text, finding, "global_id");
    clopt_text_append(text, ", in its group ");
    add_ids(text, finding, "local_id");
    clopt_text_printf(text, "; %lld time%s\n", times, times == 1 ? "" : "s");
}

static void fill_row(struct clopt_grid *grid, const json_t *finding)
{
    clopt_grid_add_row(grid, "%s", clopt_json_string(finding, "kernel"));
    clopt_grid_put_number(grid, (double)number_of(finding, "line"), 0);
    clopt_grid_put(grid, "%s", clopt_json_string(finding, "kind"));
    clopt_grid_put(grid, "%s", clopt_json_string(finding, "message"));
    clopt_grid_put(grid, "(%d, %d, %d)", id_of(finding, "global_id", 0),
                   id_of(finding, "global_id", 1), id_of(finding, "global_id", 2));
    clopt_grid_put_number(grid, (double)number_of(finding, "count"), 0);
}

/* Adds the findings: as lines for a terminal, as a table for a page and a paper. */
static void add_findings(const json_t *run, struct clopt_document *document)
{
    struct clopt_grid grid = {0};
    CLOPT_OWNED(clopt_text) lines = {0};
    size_t f;
    json_t *finding;
    clopt_grid_set_heading(&grid, "Findings");
    clopt_grid_add_columns(&grid, "Kernel, #Line, Kind, Finding, Work-item, #Times");
    json_array_foreach(json_object_get(run, "findings"), f, finding)
    {
        add_lines(&lines, run, finding);
        fill_row(&grid, finding);
    }
    document->extent = CLOPT_NOT_PAGE | CLOPT_NOT_TERSE;
    if (lines.length)
        clopt_document_code(document, "", clopt_text_string(&lines));
    document->extent = CLOPT_NOT_SCREEN | CLOPT_NOT_FULL;
    clopt_document_table(document, &grid);
    document->extent = CLOPT_EVERYWHERE;
}

/* Says what did nothing, and was not checked for that. */
static void add_idle(const json_t *run, struct clopt_document *document)
{
    size_t i;
    json_t *idle;
    json_array_foreach(json_object_get(run, "idle"), i, idle)
    {
        clopt_document_printf(document, CLOPT_SENTENCE_PLAIN, "Did nothing here: %s.",
                              clopt_json_string(idle, "message"));
    }
    if (json_is_true(json_object_get(run, "vacuous")))
        clopt_document_printf(document, CLOPT_SENTENCE_WARNING,
                              "Nothing is computed: a guess may say that there is nothing to do.");
}

static void add_run(const json_t *run, struct clopt_document *document)
{
    size_t count = json_array_size(json_object_get(run, "findings"));
    struct clopt_text text = {0};
    const char *inputs = clopt_json_string(run, "inputs");
    clopt_document_heading(document, CLOPT_HEADING_SECTION, "%s%s%s, %s, on %s",
                           clopt_json_string(run, "app"), *inputs ? " " : "", inputs,
                           clopt_json_string(run, "variant"), clopt_json_string(run, "device"));
    add_findings(run, document);
    clopt_text_printf(&text, count ? "%zu finding%s" : "Nothing found", count,
                      count == 1 ? "" : "s");
    clopt_text_printf(&text, " at %lld expression%s", number_of(run, "accesses"),
                      number_of(run, "accesses") == 1 ? "" : "s");
    if (number_of(run, "proven"))
        clopt_text_printf(&text, "; %lld more are inside, whatever the launch",
                          number_of(run, "proven"));
    if (number_of(run, "skipped"))
        clopt_text_printf(&text, "; %lld access%s could not be checked, the first in line %lld",
                          number_of(run, "skipped"), number_of(run, "skipped") == 1 ? "" : "es",
                          number_of(run, "skipped_line"));
    clopt_text_append(&text, ".");
    clopt_document_say(document, CLOPT_SENTENCE_PLAIN, &text);
    add_idle(run, document);
}

void clopt_findings_report(json_t *runs, struct clopt_document *document)
{
    size_t r;
    json_t *run;
    locate(runs);
    if (document->for_programs)
        add_rows(runs, document);
    else
        json_array_foreach(runs, r, run) add_run(run, document);
}

/* ---- SARIF ---- */

static json_t *make_location(const json_t *run, const json_t *expression)
{
    long long line = number_of(expression, "line"), column = number_of(expression, "column");
    json_t *region = json_pack("{s:I}", "startLine", (json_int_t)(line > 0 ? line : 1));
    if (column)
        json_object_set_new(region, "startColumn", json_integer(column));
    return json_pack("{s:{s:{s:s},s:o}}", "physicalLocation", "artifactLocation", "uri",
                     clopt_json_string(run, "source"), "region", region);
}

static json_t *make_result(const json_t *run, const json_t *finding)
{
    CLOPT_FREED char *text = clopt_text_format("%s: %s", clopt_json_string(finding, "kernel"),
                                               clopt_json_string(finding, "message"));
    json_t *result =
        json_pack("{s:s,s:s,s:{s:s},s:[o]}", "ruleId", clopt_json_string(finding, "kind"), "level",
                  "error", "message", "text", text, "locations", make_location(run, finding));
    const json_t *other = json_object_get(finding, "other");
    if (json_is_object(other))
        json_object_set_new(result, "relatedLocations",
                            json_pack("[o]", make_location(run, other)));
    return result;
}

enum clopt_status clopt_findings_print_sarif(json_t *runs, FILE *stream, struct clopt_error *error)
{
    json_t *results = json_array(), *rules = json_array();
    size_t r, f;
    json_t *run, *finding;
    locate(runs);
    json_array_foreach(runs, r, run)
    {
        if (!json_array_size(rules))
            json_array_extend(rules, json_object_get(run, "kinds"));
        json_array_foreach(json_object_get(run, "findings"), f, finding)
            clopt_json_append(&results, make_result(run, finding));
    }
    json_t *document = json_pack("{s:s,s:s,s:[{s:{s:{s:s,s:s,s:o}},s:o}]}", "$schema",
                                 "https://json.schemastore.org/sarif-2.1.0.json", "version",
                                 "2.1.0", "runs", "tool", "driver", "name", "clopt check",
                                 "version", PACKAGE_VERSION, "rules", rules, "results", results);
    return clopt_json_print(document, stream, "the findings", error);
}
