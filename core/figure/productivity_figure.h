/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws speed-ups over the lines that were written for them. */
#ifndef CLOPT_FIGURE_PRODUCTIVITY_FIGURE_H
#define CLOPT_FIGURE_PRODUCTIVITY_FIGURE_H

#include "figure/figure.h"
#include "view/productivity.h"

/* Appends gnuplot's commands: a point for each whose lines are known, in the color of its maker. */
void clopt_productivity_append(struct clopt_text *script, const struct clopt_efforts *efforts,
                               enum clopt_figure_format format, const char *title,
                               const char *baseline);

#endif
