/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what changed from one store to another, for people and for machines. */
#include <math.h>

#include "commands/compare/comparison.h"
#include "text/json.h"
#include "view/view.h"

#define MOST_NAMED 8   /* rows that are in one store alone */
#define QUIET      0.1 /* of the processors: more, used by other programs, makes times unsure */

/* What people read as the kernel of a row: a rival has the time of a whole run. */
static const char *kernel_of(const struct clopt_comparison_row *row)
{
    return *row->kernel ? row->kernel : "whole run";
}

/* ---- sentences ---- */

/* Says what is one thing in A and another in B. */
static void say_difference(struct clopt_document *document, const char *of, const char *what,
                           const char *a, const char *b)
{
    if (strcmp(a, b) != 0)
        clopt_document_printf(document, CLOPT_SENTENCE_ITEM,
                              "Differs: %s%s%s is %s in A and %s in B", of, *of ? ": " : "", what,
                              a, b);
}

/* Says what was measured on which machines, as far as it is not the same. */
static void say_setting(const struct clopt_comparison *comparison, struct clopt_document *document)
{
    const struct clopt_results *a = comparison->results[0], *b = comparison->results[1];
    const char *const titles[2] = {a->run.title, b->run.title};
    struct clopt_text text = {0};
    for (size_t i = 0; i < 2; i++) {
        const char *path = comparison->request->paths[i];
        clopt_text_printf(&text, CLOPT_STRONG "%c" CLOPT_WEAK ": %s: %s. ", "AB"[i], path,
                          titles[i]);
        clopt_summary_run(&text, comparison->results[i]);
        clopt_document_say(document, CLOPT_SENTENCE_ITEM, &text);
    }
    say_difference(document, "", "clopt", a->run.version, b->run.version);
    for (size_t i = 0; i < a->device_count; i++)
        for (size_t j = 0; j < b->device_count; j++) {
            const struct clopt_results_device *one = &a->devices[i], *other = &b->devices[j];
            bool only = a->device_count == 1 && b->device_count == 1;
            if (!only && strcmp(one->label, other->label) != 0)
                continue;
            say_difference(document, "", "the device", one->label, other->label);
            say_difference(document, one->label, "the device", one->name, other->name);
            say_difference(document, one->label, "the platform", one->platform, other->platform);
            say_difference(document, one->label, "the driver", one->driver_version,
                           other->driver_version);
        }
    if (strcmp(a->run.config, b->run.config) != 0)
        clopt_document_printf(document, CLOPT_SENTENCE_ITEM,
                              "Differs: the configuration of the study");
    if (comparison->other_programs)
        clopt_document_printf(document, CLOPT_SENTENCE_ITEM,
                              "Differs: the program of %zu row%s, by its source or its options",
                              comparison->other_programs,
                              comparison->other_programs == 1 ? "" : "s");
    if (fmax(clopt_summary_load(a), clopt_summary_load(b)) > QUIET)
        clopt_document_printf(document, CLOPT_SENTENCE_WARNING,
                              "Warning: other programs used more than %.0f%% of the processors: "
                              "what changed on a processor may be their doing",
                              100 * QUIET);
}

/* Says what all variants of a device together come to. Rows share processes, so that the mean may
 * be as far off as they are on average. */
static void say_mean(const struct clopt_comparison *comparison, struct clopt_document *document,
                     const char *device)
{
    double sum = 0, half = 0;
    size_t count = 0;
    for (size_t i = 0; i < comparison->row_count; i++) {
        const struct clopt_change *change = &comparison->rows[i].change;
        if (strcmp(comparison->rows[i].device, device) == 0 && *comparison->rows[i].kernel &&
            !isnan(change->ratio)) {
            sum += log(change->ratio);
            half += 0.5 * log(change->high / change->low);
            count++;
        }
    }
    if (count == 0)
        return;
    double mean = sum / (double)count;
    half /= (double)count;
    int decimals = clopt_number_decimals(exp(mean), 3);
    clopt_document_printf(document, CLOPT_SENTENCE_ITEM,
                          comparison->request->relative
                              ? "On %s, speed-ups in B are %.*f times those in A [%.*f, %.*f], on "
                                "average over %zu row%s"
                              : "On %s, B takes %.*f times as long as A [%.*f, %.*f], on average "
                                "over %zu row%s",
                          device, decimals, exp(mean), decimals, exp(mean - half), decimals,
                          exp(mean + half), count, count == 1 ? "" : "s");
}

/* Names the rows of a verdict, after what is said of them. */
static void say_named(const struct clopt_comparison *comparison, struct clopt_document *document,
                      unsigned verdict, const char *what)
{
    struct clopt_text text = {0};
    size_t count = 0;
    if (!comparison->counts[verdict])
        return;
    clopt_text_append(&text, what);
    for (size_t i = 0; i < comparison->row_count; i++) {
        const struct clopt_comparison_row *row = &comparison->rows[i];
        if (row->verdict == verdict && count++ < MOST_NAMED)
            clopt_text_printf(&text, "%s%s %s on %s", count > 1 ? "; " : "", kernel_of(row),
                              row->variant, row->device);
    }
    if (count > MOST_NAMED)
        clopt_text_printf(&text, "; and %zu more", count - MOST_NAMED);
    clopt_document_say(document, CLOPT_SENTENCE_ITEM, &text);
}

static void say_summary(const struct clopt_comparison *comparison, struct clopt_document *document)
{
    const size_t *counts = comparison->counts;
    size_t compared = counts[CLOPT_VERDICT_SAME] + counts[CLOPT_VERDICT_SLOWER] +
                      counts[CLOPT_VERDICT_FASTER] + counts[CLOPT_VERDICT_TOO_NOISY];
    struct clopt_text text = {0};
    if (compared == 0)
        clopt_text_append(&text, "Nothing can be compared: no variant of a kernel and problem has "
                                 "times from two processes or more in both stores");
    else
        clopt_text_printf(&text,
                          "%zu row%s compared by their %s: %zu slower in B, %zu faster, at a false "
                          "discovery rate of %g%%; no change beyond noise in %zu",
                          compared, compared == 1 ? "" : "s",
                          comparison->request->relative ? "speed-ups over the initial code"
                                                        : "times",
                          counts[CLOPT_VERDICT_SLOWER], counts[CLOPT_VERDICT_FASTER],
                          100 * comparison->request->rate, counts[CLOPT_VERDICT_SAME]);
    if (counts[CLOPT_VERDICT_TOO_NOISY])
        clopt_text_printf(&text, "; too noisy to say in %zu", counts[CLOPT_VERDICT_TOO_NOISY]);
    clopt_text_append(&text, ".");
    clopt_document_say(document, CLOPT_SENTENCE_ITEM, &text);
    say_named(
        comparison, document, CLOPT_VERDICT_TOO_FEW,
        "Not comparable, since fewer than two processes measured them in one of the stores: ");
    for (size_t d = 0; d < comparison->results[0]->device_count; d++)
        say_mean(comparison, document, comparison->results[0]->devices[d].label);
    say_named(comparison, document, CLOPT_COMPARISON_ONLY_A, "Only in A: ");
    say_named(comparison, document, CLOPT_COMPARISON_ONLY_B, "Only in B: ");
}

/* ---- tables ---- */

/* Fills the cells of what changed: the ratio, and what was before and after. */
static void put_change(const struct clopt_comparison *comparison, struct clopt_grid *grid,
                       const struct clopt_comparison_row *row)
{
    const struct clopt_change *change = &row->change;
    struct clopt_unit unit =
        clopt_unit_choose(comparison->results[0]->objective, fmin(change->before, change->after));
    const struct clopt_interval ratio = {
        .median = change->ratio, .low = change->low, .high = change->high};
    clopt_grid_put_interval(grid, &ratio, 3, 1);
    if (comparison->request->relative)
        unit = (struct clopt_unit){"", 1};
    clopt_grid_put(grid, "%s, %s%s%s", clopt_number_text(change->before / unit.nanounits, 3).text,
                   clopt_number_text(change->after / unit.nanounits, 3).text, *unit.name ? " " : "",
                   unit.name);
}

/* Fills the cell of an outcome, with a note if it is no time. */
static void put_outcome(struct clopt_grid *grid, const struct clopt_result *result,
                        struct clopt_notes *notes)
{
    struct clopt_cell *cell =
        clopt_grid_put(grid, "%s", result->ranked ? "ok" : clopt_result_missing(result));
    if (!result->ranked)
        clopt_mark_missing(notes, cell, result);
}

/* The largest changes come first, whichever way they go; others in the order of A. */
static int compare_changes(const void *a, const void *b)
{
    const struct clopt_comparison_row *x = a, *y = b;
    double one = fabs(log(x->change.ratio)), other = fabs(log(y->change.ratio));
    if (isnan(one) || isnan(other) || !(one < other || one > other))
        return isnan(one) == isnan(other) ? (x->number > y->number) - (x->number < y->number)
                                          : (isnan(one) ? 1 : -1);
    return one < other ? 1 : -1;
}

/* Adds the rows of which one thing is said. */
static void add_rows(const struct clopt_comparison *comparison, struct clopt_document *document,
                     unsigned verdict, const char *heading, struct clopt_notes *notes)
{
    bool outcomes = verdict == CLOPT_COMPARISON_BROKEN || verdict == CLOPT_COMPARISON_MENDED;
    bool problems = comparison->results[0]->problem_count > 1;
    bool devices = comparison->results[0]->device_count > 1;
    struct clopt_grid grid = {0};
    if (!comparison->counts[verdict])
        return;
    clopt_grid_add_columns(&grid, "*Kernel, *?Problem, *?Device, *Variant");
    clopt_grid_add_column(&grid, outcomes ? "=A" : "=B / A");
    clopt_grid_add_column(&grid, outcomes ? "=B" : "#A, B");
    for (size_t i = 0; i < comparison->row_count; i++) {
        const struct clopt_comparison_row *row = &comparison->rows[i];
        if (row->verdict != verdict)
            continue;
        clopt_grid_add_row(&grid, "%s", kernel_of(row));
        clopt_grid_put_if(&grid, problems, row->problem);
        clopt_grid_put_if(&grid, devices, row->device);
        clopt_grid_put(&grid, "%s", row->variant);
        if (outcomes) {
            put_outcome(&grid, row->before, notes);
            put_outcome(&grid, row->after, notes);
        } else
            put_change(comparison, &grid, row);
    }
    clopt_document_heading(document, CLOPT_HEADING_SECTION, "%s", heading);
    clopt_document_table(document, &grid);
}

static void add_page(const struct clopt_comparison *comparison, struct clopt_document *document)
{
    static const struct {
        unsigned verdict;
        const char *heading;
    } tables[] = {{CLOPT_COMPARISON_BROKEN, "Does not work any more"},
                  {CLOPT_VERDICT_SLOWER, "Slower in B"},
                  {CLOPT_VERDICT_FASTER, "Faster in B"},
                  {CLOPT_COMPARISON_MENDED, "Works now"}};
    struct clopt_notes notes = {0};
    if (comparison->rows)
        qsort(comparison->rows, comparison->row_count, sizeof *comparison->rows, compare_changes);
    clopt_document_heading(document, CLOPT_HEADING_TITLE, "What changed from A to B");
    say_setting(comparison, document);
    clopt_document_heading(document, CLOPT_HEADING_SECTION, "Summary");
    say_summary(comparison, document);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        add_rows(comparison, document, tables[i].verdict, tables[i].heading, &notes);
    clopt_document_notes(document, &notes, "Notes");
}

/* ---- for machines ---- */

static const char *outcome_of(const struct clopt_result *result)
{
    return result ? clopt_outcome_name(result->outcome) : NULL;
}

static void add_processes(struct clopt_document *document, const struct clopt_result *result)
{
    clopt_document_values(document, result ? "i" : "-",
                          result ? (int64_t)result->times[CLOPT_SCOPE_KERNEL].interval.processes
                                 : 0);
}

static void add_data(const struct clopt_comparison *comparison, struct clopt_document *document)
{
    const struct clopt_report_comparison *request = comparison->request;
    json_t *counts = json_object(), *stores = json_array();
    for (size_t i = 0; i < 2; i++)
        clopt_json_append(&stores,
                          clopt_json_object("path:s run:o", request->paths[i],
                                            clopt_results_run_to_json(comparison->results[i])));
    for (unsigned i = CLOPT_VERDICT_FASTER; i < CLOPT_COMPARISON_COUNT && counts; i++)
        json_object_set_new(counts, clopt_comparison_name(i),
                            json_integer((json_int_t)comparison->counts[i]));
    clopt_document_data(document, "stores", stores);
    clopt_document_data(document, "relative", json_boolean(request->relative));
    clopt_document_data(document, "false_discovery_rate", json_real(request->rate));
    clopt_document_data(document, "counts", counts);
    clopt_document_rows(document, "rows",
                        "app problem kernel variant device verdict outcome_a outcome_b "
                        "processes_a processes_b a b ratio ratio_low ratio_high p "
                        "false_discovery_rate");
    for (size_t i = 0; i < comparison->row_count; i++) {
        const struct clopt_comparison_row *row = &comparison->rows[i];
        const struct clopt_change *change = &row->change;
        clopt_document_row(document, "ssssssss", row->app, row->problem, row->kernel, row->variant,
                           row->device, clopt_comparison_name(row->verdict),
                           outcome_of(row->before), outcome_of(row->after));
        add_processes(document, row->before);
        add_processes(document, row->after);
        clopt_document_values(document, "ddddddd", change->before, change->after, change->ratio,
                              change->low, change->high, change->p, row->rate);
    }
}

enum clopt_status clopt_report_compare(const struct clopt_report_comparison *request,
                                       struct clopt_document *document, size_t *compared,
                                       size_t *regressions, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_comparison) comparison = {0};
    *compared = *regressions = 0;
    CLOPT_TRY(clopt_comparison_init(&comparison, request, error));
    for (size_t i = 0; i < comparison.row_count; i++) {
        *compared += !isnan(comparison.rows[i].rate);
        *regressions +=
            clopt_comparison_is_regression(&comparison, &comparison.rows[i], request->regression);
    }
    (document->for_programs ? add_data : add_page)(&comparison, document);
    return CLOPT_OK;
}
