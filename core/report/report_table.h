/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints tables for people, as wide as a terminal at most, as long as names allow. */
#ifndef CLOPT_REPORT_REPORT_TABLE_H
#define CLOPT_REPORT_REPORT_TABLE_H

#include <stdio.h>

#include "view/grid.h"

/* Prints a table with its heading; columns that do not fit side by side follow below. `color`: the
 * best is bold, what is no difference faint. */
enum clopt_status clopt_grid_print(struct clopt_grid *grid, bool color, FILE *stream,
                                   struct clopt_error *error);

#endif
