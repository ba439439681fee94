/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what `clopt check` found: as text, as CSV, as SARIF. */
#include "check/print.h"

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "check/findings.h"
#include "file/file.h"
#include "text/json.h"
#include "text/text.h"

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static long long number_of(const json_t *object, const char *key)
{
    return (long long)json_integer_value(json_object_get(object, key));
}

static int id_of(const json_t *finding, const char *key, size_t dimension)
{
    return (int)json_integer_value(json_array_get(json_object_get(finding, key), dimension));
}

/* Finds the column of an expression in its line of the source; 0: it is not there as it is written.
 */
static int find_column(const char *source, long long line, const char *expression)
{
    const char *at = source;
    for (long long i = 1; at && i < line; i++)
        at = (at = strchr(at, '\n')) ? at + 1 : NULL;
    const char *end = at ? at + strcspn(at, "\n") : NULL;
    const char *found = at ? strstr(at, expression) : NULL;
    return found && *expression && found < end ? (int)(found - at) + 1 : 0;
}

/* ---- text ---- */

static void print_finding(const json_t *run, const json_t *finding, const char *source,
                          FILE *stream)
{
    long long times = number_of(finding, "count"), line = number_of(finding, "line");
    int column = find_column(source, line, text_of(finding, "expression"));
    clopt_text_print(stream, "%s:%lld:", text_of(run, "source"), line);
    if (column)
        clopt_text_print(stream, "%d:", column);
    clopt_text_print(stream, " %s: %s: %s\n", text_of(finding, "kind"), text_of(finding, "kernel"),
                     text_of(finding, "message"));
    clopt_text_print(
        stream, "    by work-item (%d, %d, %d), in its group (%d, %d, %d); %lld time%s\n",
        id_of(finding, "global_id", 0), id_of(finding, "global_id", 1),
        id_of(finding, "global_id", 2), id_of(finding, "local_id", 0),
        id_of(finding, "local_id", 1), id_of(finding, "local_id", 2), times, times == 1 ? "" : "s");
}

enum clopt_status clopt_check_print_text(const json_t *runs, FILE *stream,
                                         struct clopt_error *error)
{
    size_t r, f;
    json_t *run, *finding;
    (void)error;
    json_array_foreach(runs, r, run)
    {
        const json_t *findings = json_object_get(run, "findings");
        struct clopt_error unknown;
        char *source = NULL;
        clopt_text_read(text_of(run, "source"), &source, &unknown); /* else without columns */
        json_array_foreach(findings, f, finding) print_finding(run, finding, source, stream);
        free(source);
        size_t count = json_array_size(findings);
        clopt_text_print(stream, "%s %s, %s, on %s: ", text_of(run, "app"), text_of(run, "inputs"),
                         text_of(run, "variant"), text_of(run, "device"));
        clopt_text_print(stream, count ? "%zu finding%s" : "nothing found", count,
                         count == 1 ? "" : "s");
        clopt_text_print(stream, " at %lld expressions", number_of(run, "accesses"));
        if (number_of(run, "skipped"))
            clopt_text_print(stream, "; %lld accesses could not be checked, the first in line %lld",
                             number_of(run, "skipped"), number_of(run, "skipped_line"));
        clopt_text_print(stream, "\n");
    }
    return CLOPT_OK;
}

/* ---- CSV ---- */

static void print_field(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (; *text; text++)
        fprintf(stream, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', stream);
}

enum clopt_status clopt_check_print_csv(const json_t *runs, FILE *stream, struct clopt_error *error)
{
    static const char *const texts[] = {"app", "inputs", "variant", "device", "source"};
    static const char *const own[] = {"kernel", "kind", "expression", "array", "message"};
    size_t r, f;
    json_t *run, *finding;
    (void)error;
    fputs("app,inputs,variant,device,source,kernel,kind,expression,array,message,line,byte,bytes,"
          "count,"
          "global_id_0,global_id_1,global_id_2\n",
          stream);
    json_array_foreach(runs, r, run)
    {
        json_array_foreach(json_object_get(run, "findings"), f, finding)
        {
            for (size_t i = 0; i < 5; i++, fputc(',', stream))
                print_field(stream, text_of(run, texts[i]));
            for (size_t i = 0; i < 5; i++, fputc(',', stream))
                print_field(stream, text_of(finding, own[i]));
            fprintf(stream, "%lld,%lld,%lld,%lld,%d,%d,%d\n", number_of(finding, "line"),
                    number_of(finding, "byte"), number_of(finding, "bytes"),
                    number_of(finding, "count"), id_of(finding, "global_id", 0),
                    id_of(finding, "global_id", 1), id_of(finding, "global_id", 2));
        }
    }
    return CLOPT_OK;
}

/* ---- SARIF 2.1.0 ---- */

static json_t *make_location(const json_t *run, const char *source, long long line,
                             const char *expression)
{
    int column = find_column(source, line, expression);
    json_t *region = json_pack("{s:I}", "startLine", (json_int_t)(line > 0 ? line : 1));
    if (column)
        json_object_set_new(region, "startColumn", json_integer(column));
    return json_pack("{s:{s:{s:s},s:o}}", "physicalLocation", "artifactLocation", "uri",
                     text_of(run, "source"), "region", region);
}

static json_t *make_result(const json_t *run, const json_t *finding, const char *source)
{
    char *message = NULL;
    struct clopt_text text = {0};
    clopt_text_printf(&text, "%s: %s", text_of(finding, "kernel"), text_of(finding, "message"));
    message = clopt_text_take(&text);
    json_t *result = json_pack(
        "{s:s,s:s,s:{s:s},s:[o]}", "ruleId", text_of(finding, "kind"), "level", "error", "message",
        "text", message ? message : "", "locations",
        make_location(run, source, number_of(finding, "line"), text_of(finding, "expression")));
    const json_t *other = json_object_get(finding, "other");
    if (json_is_object(other))
        json_object_set_new(result, "relatedLocations",
                            json_pack("[o]", make_location(run, source, number_of(other, "line"),
                                                           text_of(other, "expression"))));
    free(message);
    return result;
}

enum clopt_status clopt_check_print_sarif(const json_t *runs, FILE *stream,
                                          struct clopt_error *error)
{
    json_t *results = json_array(), *rules = json_array();
    size_t r, f;
    json_t *run, *finding;
    for (unsigned i = 0; i < CLOPT_FAULTS; i++)
        clopt_json_append(&rules, json_pack("{s:s,s:{s:s}}", "id", clopt_fault_name(i),
                                            "shortDescription", "text", clopt_fault_about(i)));
    json_array_foreach(runs, r, run)
    {
        struct clopt_error unknown;
        char *source = NULL;
        clopt_text_read(text_of(run, "source"), &source, &unknown);
        json_array_foreach(json_object_get(run, "findings"), f, finding)
            clopt_json_append(&results, make_result(run, finding, source));
        free(source);
    }
    json_t *document = json_pack("{s:s,s:s,s:[{s:{s:{s:s,s:s,s:o}},s:o}]}", "$schema",
                                 "https://json.schemastore.org/sarif-2.1.0.json", "version",
                                 "2.1.0", "runs", "tool", "driver", "name", "clopt check",
                                 "version", PACKAGE_VERSION, "rules", rules, "results", results);
    return clopt_json_print(document, stream, "the findings", error);
}
