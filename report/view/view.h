/* SPDX-License-Identifier: BSD-3-Clause */
/* What a pair of tables, or a figure, shows: the variants of a kernel, or of a whole run; and the
 * parts of a report that show it: words, marks, tables, charts. */
#pragma once

#include "document/document.h"
#include "opencl/clock.h"
#include "results/results.h"

/* One row as it is shown. */
struct clopt_view_row {
    char *label;
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
    bool first, last; /* of those of its problem; the last has the rivals */
};

/* The times of a row on a device. */
static inline const struct clopt_result_time *clopt_view_time(const struct clopt_view *view,
                                                              const struct clopt_view_row *row,
                                                              size_t device)
{
    return &row->row->cells[device].times[view->scope];
}

/* All views of a run, problem by problem: one a kernel, and one of the whole run where a problem
 * has several kernels. In that, a trial that is a variant of several kernels has one row. */
struct clopt_views {
    struct clopt_view *items;
    size_t count;
};

struct clopt_views clopt_views_make(const struct clopt_results *results);
void clopt_views_fini(struct clopt_views *views);

/* Lists the rows with a time on a device that are not the same code as another, the best first. For
 * the caller to free. */
const struct clopt_view_row **clopt_view_rank(const struct clopt_view *view, size_t device,
                                              size_t *count);

/* Marks rivals and the `most` fastest variants of each device, without the initial code and what is
 * the same code as another; all rows where `most` is 0. For the caller to free. */
bool *clopt_view_choose(const struct clopt_view *view, size_t most);

/* Whether a result has a time to show. */
bool clopt_result_shown(const struct clopt_result *result, enum clopt_scope scope);

/* Whether a variant waits for its first time on a device. */
bool clopt_view_waits(const struct clopt_view_row *row, enum clopt_scope scope, size_t device);

/* Returns in a word or two why a result that is not shown has no time. */
const char *clopt_result_missing(const struct clopt_result *result);

/* What is said or shown of a view on a device. */
typedef void clopt_view_part(const struct clopt_view *view, size_t device,
                             struct clopt_document *document);

/* ---- marks ---- */

#define CLOPT_NOTE_ABANDONED "abandoned: clearly slower than the best, so too few samples for 95%%"
#define CLOPT_NOTE_GIVEN_UP  "given up after its first launch, many times slower than the best"

/* A variant whose name has more characters is not named beside the number of another. */
#define CLOPT_LONGEST_ALIAS 24

/* Returns why a result has no time, as its trial says it; NULL: it does not. */
const char *clopt_result_reason(const struct clopt_result *result);

/* Does what clopt_result_missing() does, and appends the mark of a note, "[2]", if any. */
const char *clopt_mark_missing(struct clopt_notes *notes, struct clopt_cell *cell,
                               const struct clopt_result *result);

/* Adds what must be said of a time that is shown, and appends its marks, "[1][3]", or nothing. */
void clopt_mark_time(struct clopt_notes *notes, struct clopt_cell *cell,
                     const struct clopt_result *result, enum clopt_scope scope);

/* Adds what must be said of the ratio of a result to `other`, where there is something. */
void clopt_mark_ratio(struct clopt_notes *notes, struct clopt_cell *cell,
                      const struct clopt_result *result, const struct clopt_interval *ratio,
                      const char *other);

/* Says beside a number which other variant is the same code, in a note where its name is long. */
void clopt_mark_alias(struct clopt_notes *notes, struct clopt_cell *cell,
                      const struct clopt_result *result);

/* Fills the next cell with a speed-up and, unless it is borrowed, what can be said of it. */
struct clopt_cell *clopt_grid_put_speedup(struct clopt_grid *grid,
                                          const struct clopt_result_time *time, bool borrowed);

/* ---- members ---- */

/* Appends the numbers of the members that measured a variant, "0" or "0 1"; nothing where no device
 * of the store has several. */
void clopt_members_append(struct clopt_text *text, const struct clopt_results *results,
                          const struct clopt_result *result);

/* Says how much longer the initial code takes on the members of a device than on the first of them,
 * and whether that is more than noise; nothing where it has but one. */
void clopt_members_compare(struct clopt_text *text, const struct clopt_view *view, size_t device);

/* ---- summary ---- */

/* Returns the best variant of a device; NULL: nothing was measured. */
const struct clopt_view_row *clopt_summary_best(const struct clopt_view *view, size_t device);

/* Appends what follows the name of the best: how much faster it is than the initial code. */
void clopt_summary_gain(struct clopt_text *text, const struct clopt_view *view,
                        const struct clopt_view_row *best, size_t device);

/* Appends how near the best of all a device's best is, and why the search for it ended; nothing
 * where neither is known. */
void clopt_summary_certainty(struct clopt_text *text, const struct clopt_view *view,
                             const struct clopt_view_row *best, size_t device);

/* Returns which share of a peak of the device a row does, of the peak that it is nearer to; NaN:
 * unknown. */
double clopt_summary_share(const struct clopt_view *view, const struct clopt_view_row *row,
                           size_t device);

/* Say what is the best on a device, what it does in a second, how sure that is, and how rivals
 * compare; what permuting buffers takes; how far figures can be trusted. */
clopt_view_part clopt_say_best;
void clopt_say_permuting(struct clopt_document *document, const struct clopt_view *view);
void clopt_say_noise(struct clopt_document *document, const struct clopt_view *view);

/* ---- how it was measured ---- */

/* Appends when and by what the run was measured, and how busy the machine was otherwise: what it
 * takes to cite it. */
void clopt_summary_run(struct clopt_text *text, const struct clopt_results *results);

/* Returns the share of the processors that other programs used; NaN: unknown. */
double clopt_summary_load(const struct clopt_results *results);

/* The clock of a device's worker process that is known worst. */
struct clopt_clock clopt_results_clock(const struct clopt_results_device *device);

/* Appends a device's name, platform and driver, its peaks and its clock. */
void clopt_summary_device(struct clopt_text *text, const struct clopt_results_device *device);

/* Returns how long workers, or the run, were in a stage; NaN: unknown. Tells the run's own from
 * those of workers. */
double clopt_work_seconds(const struct clopt_results *results, const char *name);
bool clopt_work_is_own(const char *name);

/* Where nothing has a time as the time was over: appends what used it, and how much it takes. */
bool clopt_summary_shortage(struct clopt_text *text, const struct clopt_results *results);

/* Say what of the study is not there; what was run, when and where. */
void clopt_say_lacks(struct clopt_document *document, const struct clopt_results *results);
void clopt_say_setting(struct clopt_document *document, const struct clopt_results *results);

/* ---- portability ---- */

/* The variants of a view by their performance portability over its devices.
 *
 * The metric of a row is the harmonic mean of its efficiencies on all devices that count. It is 0
 * where the variant failed on one of them, and NaN where it failed on none, but has no verified
 * time on one: it may still be right there. An efficiency over 1, which means that the variant
 * cannot be told apart from the best, counts as 1. The metric is that of S. J. Pennycook, J. D.
 * Sewall and V. W. Lee, "Implications of a metric for performance portability", Future Generation
 * Computer Systems 92, 2019, with application efficiency.
 *
 * Its interval combines those of the efficiencies, of which each device has independent ones, by
 * their distances from the estimates (Zou and Donner, Statistics in Medicine 27, 2008), applied to
 * the mean of the reciprocals. It is attained where all of theirs are. */
struct clopt_portability {
    const struct clopt_view *view;  /* borrowed */
    bool *counts;                   /* a device: some variant was tried there, and its trials are
                                     * not those of an earlier device, of which it is another name */
    size_t best_count;              /* devices that count and have a best variant */
    struct clopt_interval *metrics; /* one a row of the view */
    bool *listed;   /* rows of the matrix: the best of a device, the most portable, initial code */
    size_t most;    /* the row with the highest metric, the first one of equals, or CLOPT_NO_ROW */
    size_t initial; /* the row of the initial code, or CLOPT_NO_ROW */
};

void clopt_portability_init(struct clopt_portability *portability, const struct clopt_view *view);
void clopt_portability_fini(struct clopt_portability *portability);

/* Appends the matrix where at least two devices have a best variant, and says which variant is the
 * most portable, and how portable the initial code is. */
void clopt_portability_report(const struct clopt_view *view, struct clopt_document *document,
                              struct clopt_notes *notes);

/* Appends that sentence alone. */
void clopt_portability_say(struct clopt_text *text, const struct clopt_portability *portability);

/* Makes the matrices for machines: an array with one object a view that has one. */
json_t *clopt_portability_to_json(const struct clopt_results *results);

/* ---- fields ---- */

/* Adds the run, its devices and stages, the portability of variants, and a row a result. */
void clopt_results_add_data(const struct clopt_results *results, struct clopt_document *document);

/* Makes the run alone: null where there is none. */
json_t *clopt_results_run_to_json(const struct clopt_results *results);

/* ---- what pays where: the whole of a report in a few sentences and a table ---- */

/* Appends how many kernels have a faster variant on a device and how much faster, and what each
 * optimization alone brings: variants faster than the initial code, beyond interval and noise. */
void clopt_overview_say(const struct clopt_results *results, const struct clopt_views *views,
                        size_t device, struct clopt_text *gains, struct clopt_text *alone);

/* Appends a table with the best of every kernel, problem and device, with its time or without. */
void clopt_overview_tabulate(const struct clopt_results *results, const struct clopt_views *views,
                             bool times, struct clopt_document *document);

/* Draws the best of several devices side by side: speed-up, time, share of a peak. */
void clopt_devices_draw(const struct clopt_results *results, const struct clopt_views *views,
                        struct clopt_document *document);

/* Draws the measured peaks of each device as roofs, and how near its kernels are; where both are
 * known: a panel a device. */
void clopt_rooflines_draw(const struct clopt_results *results, struct clopt_document *document);

/* Appends what each step of a device's winner gives after those before it, where it has several. */
clopt_view_part clopt_ladder_tabulate;
