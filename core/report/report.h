/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what a store holds, the way the thesis does. Needs no device, no plugin and no study. */
#ifndef CLOPT_REPORT_REPORT_H
#define CLOPT_REPORT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include <jansson.h>

#include "store/store.h"

/* The forms for people. */
enum clopt_report_form {
    CLOPT_REPORT_TEXT,
    CLOPT_REPORT_HTML, /* one page, which needs nothing else, with figures */
    CLOPT_REPORT_MARKDOWN,
    CLOPT_REPORT_LATEX, /* the summary and tables, without a document around them */
};

struct clopt_report_page {
    enum clopt_report_form form;
    size_t top;          /* variants of a device in a table, besides the initial code; 0: all */
    bool color;          /* of a terminal */
    const char *gnuplot; /* draws the figures; NULL: there are none, which is said */
    FILE *stream;
};

/* Prints the chosen run of a store: what pays where; per kernel and problem a table of median times
 * with 95% confidence intervals and one of speed-ups over the initial code, variants as rows,
 * devices as columns, infeasible and failed ones with footnotes; the best variant of each device
 * and all that cannot be told apart from it; and, of several devices, how fast that is on the
 * others. */
enum clopt_status clopt_report_print(struct clopt_store *store,
                                     const struct clopt_report_page *page,
                                     struct clopt_error *error);

/* Print the same rows for machines: one row a device, problem, kernel and variant. */
enum clopt_status clopt_report_csv(struct clopt_store *store, FILE *stream,
                                   struct clopt_error *error);
enum clopt_status clopt_report_json(struct clopt_store *store, FILE *stream,
                                    struct clopt_error *error);

/* Prints the counters of variants beside their speed-ups, and which of them tell those that gain
 * from those that lose. */
enum clopt_status clopt_report_counters(struct clopt_store *store,
                                        const struct clopt_report_page *page,
                                        struct clopt_error *error);

/* Prints a regression tree of each device's speed-ups over counters: as text (`format` is NULL), or
 * as a figure: svg, png, pdf or dot. */
enum clopt_status clopt_report_counter_trees(struct clopt_store *store, const char *format,
                                             FILE *stream, struct clopt_error *error);

/* Finds the program that draws figures. The caller frees its path; NULL: it is missing. */
char *clopt_report_find_gnuplot(struct clopt_error *error);

struct clopt_report_figures {
    const char *gnuplot;
    const char *folder; /* made where it is missing */
    const char *format; /* svg, png or pdf */
    size_t top;         /* variants of a device in a figure; 0: as many as there is room for */
    FILE *stream;       /* gets the path of each file, one a line */
    FILE *notices;      /* gets what was not drawn, and why */
};

/* Writes a figure for every problem and kernel, and for the whole run of apps with several. */
enum clopt_status clopt_report_figures(struct clopt_store *store,
                                       const struct clopt_report_figures *request,
                                       struct clopt_error *error);

/* What the best speed-up owes to a parameter. */
struct clopt_report_effects {
    const char *parameter;    /* "granularity", "vector.across", or a macro */
    const char *const *paths; /* of the stores */
    size_t path_count;
    bool strict;         /* over the best local size of the initial code, and not its own */
    bool csv;            /* print all values and intervals for machines */
    const char *gnuplot; /* draws figures instead; NULL: nothing does */
    const char *folder;  /* for these, made where it is missing */
    const char *format;  /* svg, png or pdf */
    FILE *stream;
};

/* Prints how the best speed-up of each kernel depends on the values of a parameter, on each device
 * of some stores, by their newest runs: a table of speed-ups and their geometric means, and one of
 * the best local sizes; or draws that. */
enum clopt_status clopt_report_effects(const struct clopt_report_effects *request,
                                       struct clopt_error *error);

/* What variants and native programs give, beside the lines that were written for them. */
struct clopt_report_productivity {
    const char *baseline; /* "initial code", or the name of a rival's row */
    enum clopt_report_form form;
    bool color;
    bool csv;            /* instead of the form: print all values for machines */
    const char *gnuplot; /* draws figures instead; NULL: nothing does */
    const char *folder;  /* for these, made where it is missing */
    const char *format;  /* svg, png or pdf */
    FILE *stream;
};

/* Prints for every problem and device time, performance and speed-up of each variant and rival, the
 * lines that a person has to write for it from the baseline on, and the speed-up for each; or draws
 * that. */
enum clopt_status clopt_report_productivity(struct clopt_store *store,
                                            const struct clopt_report_productivity *request,
                                            struct clopt_error *error);

/* One device, problem and kernel; NULL: any. */
struct clopt_report_exchange {
    const char *device; /* and problem, by their labels */
    const char *problem;
    const char *kernel;
    const char *folder; /* NULL: there must be one only, which is printed */
    FILE *stream;       /* gets it, or the paths of the files in the folder, one a line */
    FILE *notices;      /* gets what was left out, and why; NULL: nobody is told */
    /* Gets each document instead, of all that are asked for; NULL: nothing does. */
    enum clopt_status (*visit)(void *user, const json_t *document, struct clopt_error *error);
    void *user;
};

/* Prints the results of the auto-tuning community's T4 schema, or a cache file of Kernel Tuner. */
enum clopt_status clopt_report_t4(struct clopt_store *store,
                                  const struct clopt_report_exchange *request,
                                  struct clopt_error *error);
enum clopt_status clopt_report_kernel_tuner(struct clopt_store *store,
                                            const struct clopt_report_exchange *request,
                                            struct clopt_error *error);

/* Prints a recorded space, for `clopt simulate` and `clopt advise`. */
enum clopt_status clopt_report_spaces(struct clopt_store *store,
                                      const struct clopt_report_exchange *request,
                                      struct clopt_error *error);

/* Prints one regression tree of the speed-ups, over what steps, kernels, problems and devices
 * differ in, and how much of the variance it explains; `format` as above. */
enum clopt_status clopt_report_tree(struct clopt_store *store,
                                    const struct clopt_report_exchange *request, const char *format,
                                    struct clopt_error *error);

/* Prints a cache file of Kernel Tuner for a search to be simulated in it; refuses a store that has
 * not measured the whole space. */
enum clopt_status clopt_report_space(struct clopt_store *store,
                                     const struct clopt_report_exchange *request,
                                     struct clopt_error *error);

/* What is asked of a comparison of two stores, A and B. */
struct clopt_report_comparison {
    const char *paths[2]; /* of the stores */
    const char *device;   /* one device, problem and kernel, by their labels; NULL: any */
    const char *problem;
    const char *kernel;
    bool relative;     /* compare speed-ups over the initial code, and not times */
    double rate;       /* of false discoveries among the changes: 0.05 */
    double regression; /* a row of B that is slower by more than this share is one: 0 */
    enum clopt_report_form form;
    bool csv; /* instead of the form: print all rows for machines */
    bool json;
    bool color;
    FILE *stream;
};

/* Compares the newest runs of two stores, prints what changed beyond noise, and counts the rows
 * that could be compared, and the regressions: rows that became slower, or do not work any more. */
enum clopt_status clopt_report_compare(const struct clopt_report_comparison *request,
                                       size_t *compared, size_t *regressions,
                                       struct clopt_error *error);

#endif
