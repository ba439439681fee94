/* SPDX-License-Identifier: BSD-3-Clause */
/* A figure of speed-ups over the initial code: variants as rows, a bar for each device. */
#ifndef CLOPT_REPORT_FIGURE_H
#define CLOPT_REPORT_FIGURE_H

#include "base/text.h"
#include "report/view.h"

/* What stands in a row for a device, or for one of which times were published. */
struct clopt_figure_mark {
    size_t series; /* number of the device, then of those with published times */
    double value;  /* the speed-up; NaN: none, the word says why */
    double low;    /* its interval; NaN: none */
    double high;
    bool best;
    bool faint;  /* was abandoned: not as sure as the others */
    char *words; /* beside it */
};

struct clopt_figure_row {
    const char *label;
    struct clopt_figure_mark *marks;
    size_t count;
    double largest; /* of the speed-ups that were measured; NaN: none */
};

struct clopt_figure {
    const struct clopt_view *view;
    struct clopt_figure_row *rows; /* the fastest first */
    size_t row_count;
    bool drawn;      /* it has a speed-up */
    size_t left_out; /* rows that there was no room for */
    size_t chosen;   /* how many of the best of each device were not; 0: all are shown */
    double low;      /* what the axis has to show */
    double high;
    bool logarithmic;
};

/* Chooses what a view's figure shows. Without any speed-up it has no row. */
enum clopt_status clopt_figure_init(struct clopt_figure *figure, const struct clopt_view *view,
                                    struct clopt_error *error);
void clopt_figure_fini(struct clopt_figure *figure);

enum clopt_figure_format { CLOPT_FIGURE_SVG, CLOPT_FIGURE_PNG, CLOPT_FIGURE_PDF };

/* Appends the commands with which gnuplot draws it. Whatever the names in it are, gnuplot only
 * prints them. With `title`, the figure stands alone: it has that title and a white ground. */
enum clopt_status clopt_figure_script(const struct clopt_figure *figure,
                                      enum clopt_figure_format format, const char *title,
                                      struct clopt_text *script, struct clopt_error *error);

/* Draws it, with the program gnuplot, and appends the file to `output`. */
enum clopt_status clopt_figure_draw(const struct clopt_figure *figure, const char *gnuplot,
                                    enum clopt_figure_format format, const char *title,
                                    struct clopt_text *output, struct clopt_error *error);

/* Appends a drawn SVG as a part of a page, in which `name` sets its parts apart from those of other
 * figures, and `title` says what it shows to who cannot see it. */
void clopt_figure_append_svg(struct clopt_text *page, const char *svg, const char *name,
                             const char *title);

#endif
