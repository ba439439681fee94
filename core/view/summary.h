/* SPDX-License-Identifier: BSD-3-Clause */
/* What a report says in words around its tables, whatever form it is printed in. */
#ifndef CLOPT_VIEW_SUMMARY_H
#define CLOPT_VIEW_SUMMARY_H

#include "base/text.h"
#include "view/view.h"

/* Returns what must be said of a run that has not ended well; NULL: nothing. */
const char *clopt_summary_warning(const struct clopt_results *results);

/* Appends when and by what the run was measured, and how busy the machine was otherwise: what it
 * takes to cite it. */
void clopt_summary_run(struct clopt_text *text, const struct clopt_results *results);

/* Returns the share of the machine's processors that other programs used meanwhile; NaN: unknown.
 */
double clopt_summary_load(const struct clopt_results *results);

/* Appends a device's name, platform and driver, and its peaks. */
void clopt_summary_device(struct clopt_text *text, const struct clopt_results_device *device);

/* Returns the best variant of a device; NULL: nothing was measured. */
const struct clopt_view_row *clopt_summary_best(const struct clopt_view *view, size_t device);

/* Appends what follows the name of the best: how much faster it is than the initial code. */
void clopt_summary_gain(struct clopt_text *text, const struct clopt_view *view,
                        const struct clopt_view_row *best, size_t device);

/* Appends what the best does of its work in a second, beside the device's peaks, what bounds it,
 * and what the initial code does; nothing where the app does not tell its work. */
void clopt_summary_rates(struct clopt_text *text, const struct clopt_view *view,
                         const struct clopt_view_row *best, size_t device);

/* Appends how long a run permutes buffers for a variant, beside its own time; nothing where it does
 * not. */
void clopt_summary_permuting(struct clopt_text *text, const struct clopt_view *view,
                             const struct clopt_view_row *row, size_t device);

/* Appends how the samples of the best lie. */
void clopt_summary_samples(struct clopt_text *text, const struct clopt_view *view,
                           const struct clopt_view_row *best, size_t device);

/* Appends what cannot be told apart from the best; of many only the first ones in the table. */
void clopt_summary_tied(struct clopt_text *text, const struct clopt_view *view, size_t device);

/* Appends how a row that is a rival compares with the initial code and with the best variant;
 * nothing for other rows. */
void clopt_summary_rival(struct clopt_text *text, const struct clopt_view *view,
                         const struct clopt_view_row *rival, size_t device);

/* Appends the values that tuned macros have in the initial code, or nothing. */
void clopt_summary_initial(struct clopt_text *text, const struct clopt_view *view);

/* Appends the noise floor of the devices for which it is known, or nothing. */
void clopt_summary_noise(struct clopt_text *text, const struct clopt_view *view);

/* Appends a warning where the initial code drifted by more than the noise, or nothing. */
void clopt_summary_drift(struct clopt_text *text, const struct clopt_view *view, size_t device);

/* Appends a warning where no variant but the initial code was right, two or more were wrong: then
 * the driver may have got the initial code wrong, if that is what the others are compared with. */
void clopt_summary_suspicion(struct clopt_text *text, const struct clopt_view *view, size_t device);

/* Returns the seconds of all workers. */
double clopt_summary_worker_seconds(const struct clopt_results *results);

/* Whether a stage took time of the workers. */
bool clopt_summary_is_worker_stage(const struct clopt_results_stage *stage);

/* Append the wall time, and what clopt itself took of it; nothing where it is not known. */
void clopt_summary_wall(struct clopt_text *text, const struct clopt_results *results);
void clopt_summary_own(struct clopt_text *text, const struct clopt_results *results);

#endif
