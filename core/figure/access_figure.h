/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows how fast a device accesses memory in each pattern: a table, a figure, and words. */
#ifndef CLOPT_FIGURE_ACCESS_FIGURE_H
#define CLOPT_FIGURE_ACCESS_FIGURE_H

#include "figure/folder.h"
#include "store/store.h"

/* Prints the rates as a table, a line a pattern and a column a vector width; then distances. */
enum clopt_status clopt_access_print(const struct clopt_access_rates *rates, FILE *stream,
                                     struct clopt_error *error);

/* Draws them, bandwidth over width and over distance, into a file of the folder. */
enum clopt_status clopt_access_draw(const struct clopt_access_rates *rates, const char *platform,
                                    const char *device, const char *gnuplot,
                                    struct clopt_report_folder *folder, struct clopt_error *error);

#endif
