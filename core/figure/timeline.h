/* SPDX-License-Identifier: BSD-3-Clause */
/* A figure of what each worker of a run did when. */
#ifndef CLOPT_FIGURE_TIMELINE_H
#define CLOPT_FIGURE_TIMELINE_H

#include "figure/figure.h"
#include "results/results.h"

/* Draws the timeline, where the run has one, and appends the file to `output`. With `title`, the
 * figure is a file of its own. */
enum clopt_status clopt_timeline_draw(const struct clopt_results *results, const char *gnuplot,
                                      enum clopt_figure_format format, const char *title,
                                      struct clopt_text *output, struct clopt_error *error);

#endif
