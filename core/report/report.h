/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what a store holds, the way the thesis does. Needs no device, no plugin and no study. */
#ifndef CLOPT_REPORT_REPORT_H
#define CLOPT_REPORT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "store/store.h"

/* Prints the chosen run of a store: per kernel and problem a table of median times with 95%
 * confidence intervals and one of speed-ups over the initial code, variants as rows, devices as
 * columns, infeasible and failed ones with footnotes; the best variant of each device and all that
 * cannot be told apart from it; and, of several devices, how fast that is on the others. `color`
 * allows terminal colours. */
enum clopt_status clopt_report_text(struct clopt_store *store, FILE *stream, bool color,
                                    struct clopt_error *error);

/* Print the same rows for machines: one row a device, problem, kernel and variant. */
enum clopt_status clopt_report_csv(struct clopt_store *store, FILE *stream,
                                   struct clopt_error *error);
enum clopt_status clopt_report_json(struct clopt_store *store, FILE *stream,
                                    struct clopt_error *error);

/* Prints the same as the text, with a figure a kernel, as one HTML page that needs nothing else.
 * Without `gnuplot` (NULL) it has no figures, and says so. */
enum clopt_status clopt_report_html(struct clopt_store *store, const char *gnuplot, FILE *stream,
                                    struct clopt_error *error);

/* Finds the program that draws figures. The caller frees its path; NULL: it is missing. */
char *clopt_report_find_gnuplot(struct clopt_error *error);

struct clopt_report_figures {
    const char *gnuplot;
    const char *folder; /* made where it is missing */
    const char *format; /* svg, png or pdf */
    FILE *stream;       /* gets the path of each file, one a line */
    FILE *notices;      /* gets what was not drawn, and why */
};

/* Writes a figure for every problem and kernel, and for the whole run of apps with several. */
enum clopt_status clopt_report_figures(struct clopt_store *store,
                                       const struct clopt_report_figures *request,
                                       struct clopt_error *error);

/* One device, problem and kernel; NULL: any. */
struct clopt_report_exchange {
    const char *device; /* and problem, by their labels */
    const char *problem;
    const char *kernel;
    const char *folder; /* NULL: there must be one only, which is printed */
    FILE *stream;       /* gets it, or the paths of the files in the folder, one a line */
    FILE *notices;      /* gets what was left out, and why */
};

/* Prints the results of the auto-tuning community's T4 schema, or a cache file of Kernel Tuner. */
enum clopt_status clopt_report_t4(struct clopt_store *store,
                                  const struct clopt_report_exchange *request,
                                  struct clopt_error *error);
enum clopt_status clopt_report_kernel_tuner(struct clopt_store *store,
                                            const struct clopt_report_exchange *request,
                                            struct clopt_error *error);

#endif
