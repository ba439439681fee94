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

#endif
