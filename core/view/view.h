/* SPDX-License-Identifier: BSD-3-Clause */
/* What a pair of tables, or a figure, shows: the variants of a kernel, or of a whole run. */
#ifndef CLOPT_VIEW_VIEW_H
#define CLOPT_VIEW_VIEW_H

#include "base/text.h"
#include "results/results.h"

/* One row as it is shown. */
struct clopt_view_row {
    char *label;
    const struct clopt_results_table *table; /* to which it belongs */
    const struct clopt_results_row *row;
    bool initial;
    bool rival; /* a native program, no variant */
};

struct clopt_view {
    const struct clopt_results *results;
    const struct clopt_results_problem *problem;
    const struct clopt_results_table *table; /* its first, or only one */
    const struct clopt_results_noise *noise; /* one a device */
    enum clopt_scope scope;
    const char *name; /* of the kernel, or "whole run" */
    struct clopt_view_row *rows;
    size_t row_count;
};

/* The views of a problem: one a kernel, and one of the whole run where there are several kernels.
 * In that of the whole run, variants that are the same trial under several kernels have one row. */
struct clopt_views {
    const struct clopt_results_problem *problem;
    struct clopt_view *items;
    size_t count;
};

/* Called with the views of a problem, which are gone after it; a status other than CLOPT_OK ends
 * the visit. */
typedef enum clopt_status (*clopt_visit_views)(void *user, const struct clopt_views *views,
                                               struct clopt_error *error);

/* Makes the views of every problem that has a table, one problem after the other. */
enum clopt_status clopt_views_visit(const struct clopt_results *results, clopt_visit_views visit,
                                    void *user, struct clopt_error *error);

/* Marks rivals and the `most` fastest variants of each device, without the initial code and what is
 * the same code as another; all rows where `most` is 0. For the caller to free; NULL when memory
 * runs out.
 */
bool *clopt_view_choose(const struct clopt_view *view, size_t most);

/* Whether a result has a time to show. */
bool clopt_result_shown(const struct clopt_result *result, enum clopt_scope scope);

/* Returns in a word or two why a result that is not shown has no time. */
const char *clopt_result_missing(const struct clopt_result *result);

/* Append the titles under which they are reported: "lud size=4096", "lud size=4096: lud_internal".
 */
void clopt_problem_title(struct clopt_text *title, const struct clopt_results_problem *problem);
void clopt_view_title(struct clopt_text *title, const struct clopt_view *view);

#endif
