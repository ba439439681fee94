/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables for a terminal: variants as rows, devices as columns. */
#ifndef CLOPT_REPORT_REPORT_TABLE_H
#define CLOPT_REPORT_REPORT_TABLE_H

#include "report/grid.h"

/* Prints a table with its heading: devices side by side, as many as fit a line of CLOPT_LINE_WIDTH,
 * the others below. Nothing where no row is shown. With `color`, the best stands out. */
enum clopt_status clopt_grid_print(struct clopt_grid *grid, bool color, FILE *stream,
                                   struct clopt_error *error);

#endif
