/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures of variants as rows: a bar for the speed-up on each device, or the samples of the best.
 */
#ifndef CLOPT_FIGURE_FIGURE_H
#define CLOPT_FIGURE_FIGURE_H

#include "base/text.h"
#include "view/view.h"

enum clopt_figure_kind {
    CLOPT_FIGURE_SPEEDUPS,
    CLOPT_FIGURE_SAMPLES, /* times as multiples of the median of the best of their device */
};

/* What a row has for a device, or for one of which times were published. */
struct clopt_figure_mark {
    size_t series; /* number of the device, then of those with published times */
    double value;  /* the speed-up, or the median; NaN: none, the word says why */
    double low;    /* its interval, or all samples; NaN: none */
    double high;
    double from; /* what is filled: from 1 to the speed-up, or the middle half of the samples */
    double to;
    const struct clopt_medians *dots; /* medians of processes, in `dot_unit` ns; NULL: none */
    double dot_unit;
    bool best;
    bool faint;  /* was abandoned: not as sure as the others */
    bool equal;  /* no difference from 1 */
    char *words; /* beside it */
};

struct clopt_figure_row {
    const char *label;
    struct clopt_figure_mark *marks;
    size_t count;
    double largest; /* of the speed-ups that were measured, or of their like; NaN: none */
};

struct clopt_figure {
    const struct clopt_view *view;
    enum clopt_figure_kind kind;
    struct clopt_figure_row *rows; /* the fastest first */
    size_t row_count;
    bool drawn;      /* it has a value */
    size_t left_out; /* rows that there was no room for */
    size_t chosen;   /* how many of the best of each device were not; 0: all are shown */
    double low;      /* what the axis has to show */
    double high;
    bool logarithmic;
};

/* Chooses what a view's figure shows: of speed-ups, the `top` variants of each device, or as many
 * as there is room for (0). Without any value it has no row. */
enum clopt_status clopt_figure_init(struct clopt_figure *figure, const struct clopt_view *view,
                                    enum clopt_figure_kind kind, size_t top,
                                    struct clopt_error *error);
void clopt_figure_fini(struct clopt_figure *figure);

enum clopt_figure_format { CLOPT_FIGURE_SVG, CLOPT_FIGURE_PNG, CLOPT_FIGURE_PDF };

/* Finds a format by its name, which is also the ending of its files. */
enum clopt_status clopt_figure_format_find(const char *name, enum clopt_figure_format *format,
                                           struct clopt_error *error);

/* Append gnuplot's commands for a canvas of CLOPT_FIGURE_WIDTH, which is white where the figure is
 * a file of its own; and a text, whatever is in it, as gnuplot's own. */
void clopt_figure_append_terminal(struct clopt_text *script, enum clopt_figure_format format,
                                  double height, bool alone);
void clopt_figure_append_quoted(struct clopt_text *script, const char *string, size_t length);

/* Appends the commands with which gnuplot draws it. Whatever the names in it are, gnuplot only
 * prints them. With `title`, the figure is alone: it has that title and a white ground. */
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
