/* SPDX-License-Identifier: BSD-3-Clause */
/* What pays where: the whole of a report in a few sentences and a table. */
#ifndef CLOPT_REPORT_OVERVIEW_H
#define CLOPT_REPORT_OVERVIEW_H

#include "base/text.h"
#include "view/grid.h"

/* Appends how many kernels have a faster variant on a device and how much faster, and what each
 * optimization alone brings: its variants are faster than the initial code, beyond the interval and
 * the noise. */
enum clopt_status clopt_overview_say(const struct clopt_results *results, size_t device,
                                     struct clopt_text *gains, struct clopt_text *alone,
                                     struct clopt_error *error);

/* Fills a table with the best of every kernel, problem and device. */
enum clopt_status clopt_overview_tabulate(const struct clopt_results *results,
                                          struct clopt_grid *grid, struct clopt_error *error);

#endif
