/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of times and of speed-ups: variants as rows, devices as columns. */
#ifndef CLOPT_REPORT_REPORT_TABLE_H
#define CLOPT_REPORT_REPORT_TABLE_H

#include "report/footnotes.h"

/* One row as it is shown. */
struct clopt_view_row {
    char *label;
    const struct clopt_results_table *table; /* to which it belongs */
    const struct clopt_results_row *row;
    bool initial;
};

/* What a pair of tables shows: a kernel's variants, or those of a whole run. */
struct clopt_view {
    const struct clopt_results *results;
    enum clopt_scope scope;
    bool color; /* the best may stand out */
    struct clopt_view_row *rows;
    size_t row_count;
};

/* Makes the view of one kernel, or of the whole run that tables `first` to `end` (excluded) share:
 * variants that are the same trial under several kernels have one row there. */
enum clopt_status clopt_view_kernel(const struct clopt_results *results, size_t table,
                                    struct clopt_view *view, struct clopt_error *error);
enum clopt_status clopt_view_run(const struct clopt_results *results, size_t first, size_t end,
                                 struct clopt_view *view, struct clopt_error *error);
void clopt_view_fini(struct clopt_view *view);

/* Print a table with its heading: devices side by side, as many as fit a line of CLOPT_LINE_WIDTH,
 * the others below. */
enum clopt_status clopt_view_print_times(const struct clopt_view *view,
                                         struct clopt_footnotes *notes, FILE *stream,
                                         struct clopt_error *error);
enum clopt_status clopt_view_print_speedups(const struct clopt_view *view,
                                            struct clopt_footnotes *notes, FILE *stream,
                                            struct clopt_error *error);

#endif
