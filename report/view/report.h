/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports that commands of their own ask for. Those of `clopt report` are in the table of
 * report/analysis.h. */
#pragma once

#include "document/document.h"
#include "results/results.h"

/* What is asked of a comparison of two stores, A and B. */
struct clopt_report_comparison {
    const char *paths[2]; /* of the stores */
    struct clopt_selection selection;
    bool relative;     /* compare speed-ups over the initial code, and not times */
    double rate;       /* of false discoveries among the changes: 0.05 */
    double regression; /* a row of B that is slower by more than this share is one: 0 */
};

/* Compares the newest runs of two stores, adds what changed beyond noise, and counts the rows
 * that could be compared, and the regressions: rows that became slower, or do not work any more. */
enum clopt_status clopt_report_compare(const struct clopt_report_comparison *request,
                                       struct clopt_document *document, size_t *compared,
                                       size_t *regressions, struct clopt_error *error);

/* What `clopt check` found, for people and programs. It is an array of runs: {"app", "inputs",
 * "variant", "device", "source", "accesses", "skipped", "passes", "findings"}. Both add to each
 * finding the column that it has in its source. */
void clopt_findings_report(json_t *runs, struct clopt_document *document);
enum clopt_status clopt_findings_print_sarif(json_t *runs, FILE *stream, struct clopt_error *error);
