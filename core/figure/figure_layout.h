/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the parts of a figure are. All lengths are in pixels, from the left and from the top. */
#ifndef CLOPT_FIGURE_FIGURE_LAYOUT_H
#define CLOPT_FIGURE_FIGURE_LAYOUT_H

#include "figure/figure.h"

#define CLOPT_FIGURE_WIDTH     860
#define CLOPT_FIGURE_SIDE      12 /* what is left free at either side */
#define CLOPT_FIGURE_TITLE     26
#define CLOPT_FIGURE_SLOT      14  /* a line of text, or a bar with the room around it */
#define CLOPT_FIGURE_NOTE      18  /* a line below the axis */
#define CLOPT_FIGURE_CHARACTER 6.3 /* rather too wide: fonts differ */

/* A device in the legend. */
struct clopt_figure_entry {
    size_t series;
    char *label;
    double x; /* its left end */
    double y; /* its middle */
};

struct clopt_figure_layout {
    const struct clopt_figure *figure;
    struct clopt_figure_entry *legend;
    size_t legend_count;
    double height;
    double left; /* edges of the plot */
    double right;
    double top;
    double bottom;
    double axis_low; /* ends of the axis: there is room for words after the longest bar */
    double axis_high;
};

/* A figure that is `alone` has room for a title, and its legend says what the devices are: no
 * list of them is above it. */
enum clopt_status clopt_figure_layout_init(struct clopt_figure_layout *layout,
                                           const struct clopt_figure *figure, bool alone,
                                           struct clopt_error *error);
void clopt_figure_layout_fini(struct clopt_figure_layout *layout);

/* How many devices there are, with those of which times were published, and which kind they are of.
 */
size_t clopt_figure_series_count(const struct clopt_figure *figure);
bool clopt_figure_is_published(const struct clopt_figure *figure, size_t series);

/* Returns how many bytes of a variant's name stand on its next line, and how many lines it has. */
size_t clopt_figure_name_line(const char *name);
size_t clopt_figure_name_lines(const char *name);

double clopt_figure_row_height(const struct clopt_figure_row *row);

/* Returns the middle of a mark of a row whose own middle is at `y`. */
double clopt_figure_mark_y(const struct clopt_figure_row *row, double y, size_t mark);

/* Returns where the words beside a mark may begin: right of its bar and of the line at 1. */
double clopt_figure_words_x(const struct clopt_figure_layout *layout,
                            const struct clopt_figure_mark *mark);

/* Returns how long the bar of a mark is; NaN where it has none. */
double clopt_figure_bar_length(const struct clopt_figure_layout *layout,
                               const struct clopt_figure_mark *mark);

#endif
