/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports what a store holds, the way the thesis does. Needs no device, no plugin and no study. */
#ifndef CLOPT_REPORT_REPORT_H
#define CLOPT_REPORT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "document/document.h"
#include "store/store.h"

/* Each adds an analysis of the chosen run of a store to a document, whatever that is written as. */

/* What pays where; per kernel and problem what is best, tables of times and speed-ups with 95%
 * confidence intervals, infeasible and failed variants with footnotes, and how portable they are;
 * where the time went. `path` is the store's, for commands to copy. For programs: all of it, and a
 * row a device, problem, kernel and variant. */
enum clopt_status clopt_report_best(struct clopt_store *store, const char *path,
                                    struct clopt_document *document, struct clopt_error *error);

/* The counters of variants beside their speed-ups, and which of them tell those that gain from
 * those that lose. */
enum clopt_status clopt_report_counters(struct clopt_store *store, struct clopt_document *document,
                                        struct clopt_error *error);

/* A regression tree of each device's speed-ups over counters. */
enum clopt_status clopt_report_counter_trees(struct clopt_store *store,
                                             struct clopt_document *document,
                                             struct clopt_error *error);

/* Time, performance and speed-up of each variant and rival of every problem and device, the lines
 * that a person has to write for it from the baseline on, and the speed-up for each. `baseline` is
 * the name of a row: "initial code" (NULL) or a rival's. */
enum clopt_status clopt_report_productivity(struct clopt_store *store, const char *baseline,
                                            struct clopt_document *document,
                                            struct clopt_error *error);

/* What the best speed-up owes to a parameter. */
struct clopt_report_effects {
    const char *parameter;    /* "granularity", "vector.across", or a macro */
    const char *const *paths; /* of the stores */
    size_t path_count;
    bool strict; /* over the best local size of the initial code, and not its own */
};

/* How the best speed-up of each kernel depends on the values of a parameter, on each device of some
 * stores, by their newest runs: speed-ups and their geometric means, and the best local sizes. */
enum clopt_status clopt_report_effects(const struct clopt_report_effects *request,
                                       struct clopt_document *document, struct clopt_error *error);

/* What is asked of a comparison of two stores, A and B. */
struct clopt_report_comparison {
    const char *paths[2]; /* of the stores */
    const char *device;   /* one device, problem and kernel, by their labels; NULL: any */
    const char *problem;
    const char *kernel;
    bool relative;     /* compare speed-ups over the initial code, and not times */
    double rate;       /* of false discoveries among the changes: 0.05 */
    double regression; /* a row of B that is slower by more than this share is one: 0 */
};

/* Compares the newest runs of two stores, adds what changed beyond noise, and counts the rows
 * that could be compared, and the regressions: rows that became slower, or do not work any more. */
enum clopt_status clopt_report_compare(const struct clopt_report_comparison *request,
                                       struct clopt_document *document, size_t *compared,
                                       size_t *regressions, struct clopt_error *error);

/* Shows how fast a device accesses memory in each pattern. */

/* Prints the rates as a table, a line a pattern and a column a vector width; then distances. */
enum clopt_status clopt_access_print(const struct clopt_access_rates *rates, FILE *stream,
                                     struct clopt_error *error);

/* Appends a chart of them, bandwidth over width and over distance. */
void clopt_access_draw(const struct clopt_access_rates *rates, const char *platform,
                       const char *device, struct clopt_document *document);

/* What `clopt check` found, for people and programs. It is an array of runs: {"app", "inputs",
 * "variant", "device", "source", "accesses", "skipped", "passes", "findings"}. Both add to each
 * finding the column that it has in its source. */
void clopt_findings_report(json_t *runs, struct clopt_document *document);
enum clopt_status clopt_findings_print_sarif(json_t *runs, FILE *stream, struct clopt_error *error);

#endif
