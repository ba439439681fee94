/* SPDX-License-Identifier: BSD-3-Clause */
/* What pays where: the whole of a report in a few sentences and a table. */
#ifndef CLOPT_REPORT_OVERVIEW_H
#define CLOPT_REPORT_OVERVIEW_H

#include "document/document.h"
#include "report/view.h"
#include "results/results.h"
#include "text/text.h"

/* Appends how many kernels have a faster variant on a device and how much faster, and what each
 * optimization alone brings: its variants are faster than the initial code, beyond the interval and
 * the noise. */
void clopt_overview_say(const struct clopt_results *results, const struct clopt_views *views,
                        size_t device, struct clopt_text *gains, struct clopt_text *alone);

/* Appends a table with the best of every kernel, problem and device. */
void clopt_overview_tabulate(const struct clopt_results *results, const struct clopt_views *views,
                             struct clopt_document *document);

/* Says which variants have no time, and why: a line for each outcome. */
void clopt_refused_say(const struct clopt_results *results, struct clopt_document *document);

/* Draws the measured peaks of each device as roofs, and how near its kernels are; where both are
 * known. */
void clopt_rooflines_draw(const struct clopt_results *results, struct clopt_document *document);

/* Appends what each step of a device's winner gives after those before it, where it has several. */
void clopt_ladder_tabulate(const struct clopt_view *view, size_t device,
                           struct clopt_document *document);

#endif
