/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out where the parts of a figure are. */
#include "figure/figure_layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/wrap.h"

#define ROW_GAP      7
#define LONGEST_LINE 46 /* of a variant's name, in characters */
#define LEGEND       18 /* a line of it */
#define AXIS         44 /* below the plot */
#define LEAST_PLOT   300

/* ---- devices ---- */

size_t clopt_figure_series_count(const struct clopt_figure *figure)
{
    return figure->view->results->device_count + figure->view->results->published_count;
}

bool clopt_figure_is_published(const struct clopt_figure *figure, size_t series)
{
    return series >= figure->view->results->device_count;
}

static bool is_shown(const struct clopt_figure *figure, size_t series)
{
    for (size_t i = 0; i < figure->row_count; i++)
        for (size_t m = 0; m < figure->rows[i].count; m++)
            if (figure->rows[i].marks[m].series == series)
                return true;
    return false;
}

/* ---- rows ---- */

size_t clopt_figure_name_line(const char *name)
{
    size_t part = clopt_name_part(name, LONGEST_LINE);
    if (part <= LONGEST_LINE)
        return part;
    part = LONGEST_LINE;
    while (part > 1 && ((unsigned char)name[part] & 0xc0) == 0x80) /* within a character */
        part--;
    return part;
}

size_t clopt_figure_name_lines(const char *name)
{
    size_t lines = 0;
    for (; *name; name += clopt_figure_name_line(name))
        lines++;
    return lines;
}

static double name_width(const char *name)
{
    size_t widest = 0;
    while (*name) {
        size_t part = clopt_figure_name_line(name);
        widest = part > widest ? part : widest;
        name += part;
    }
    return CLOPT_FIGURE_CHARACTER * (double)widest;
}

double clopt_figure_row_height(const struct clopt_figure_row *row)
{
    size_t lines = clopt_figure_name_lines(row->label);
    return (double)(CLOPT_FIGURE_SLOT * (row->count > lines ? row->count : lines) + ROW_GAP);
}

double clopt_figure_mark_y(const struct clopt_figure_row *row, double y, size_t mark)
{
    return y + CLOPT_FIGURE_SLOT * ((double)mark - ((double)row->count - 1) / 2);
}

/* ---- the axis ---- */

static double words_width(const char *words)
{
    return 10 + CLOPT_FIGURE_CHARACTER * (double)clopt_text_width(words);
}

/* On the axis, 1 is 0. */
static double transform(const struct clopt_figure *figure, double value)
{
    return figure->logarithmic ? log(value) : value - 1;
}

static double restore(const struct clopt_figure *figure, double place)
{
    return figure->logarithmic ? exp(place) : place + 1;
}

/* The right end of what is drawn of a mark. */
static double end_of(const struct clopt_figure *figure, const struct clopt_figure_mark *mark)
{
    double end = isnan(mark->value) ? 1 : fmax(1, mark->value);
    return isnan(mark->high) ? end : fmax(end, fmin(mark->high, figure->high));
}

/* Makes the axis as long as the words after the bars need it. */
static void find_axis(struct clopt_figure_layout *layout)
{
    const struct clopt_figure *figure = layout->figure;
    double width = layout->right - layout->left;
    double low = transform(figure, figure->low);
    double span = transform(figure, figure->high) - low;
    double share = 1; /* of the plot that values up to `high` take */
    for (size_t i = 0; i < figure->row_count; i++)
        for (size_t m = 0; m < figure->rows[i].count; m++) {
            const struct clopt_figure_mark *mark = &figure->rows[i].marks[m];
            double at = (transform(figure, end_of(figure, mark)) - low) / span;
            double room = fmax(0.2, 1 - words_width(mark->words) / width);
            share = at > 0 ? fmin(share, room / at) : share;
        }
    layout->axis_low = figure->low;
    layout->axis_high = restore(figure, low + span / share);
}

/* How many pixels there are to a unit of the axis. */
static double scale(const struct clopt_figure_layout *layout)
{
    return (layout->right - layout->left) / (transform(layout->figure, layout->axis_high) -
                                             transform(layout->figure, layout->axis_low));
}

double clopt_figure_words_x(const struct clopt_figure_layout *layout,
                            const struct clopt_figure_mark *mark)
{
    return layout->left + scale(layout) * (transform(layout->figure, end_of(layout->figure, mark)) -
                                           transform(layout->figure, layout->axis_low));
}

double clopt_figure_bar_length(const struct clopt_figure_layout *layout,
                               const struct clopt_figure_mark *mark)
{
    return scale(layout) *
           fabs(transform(layout->figure, mark->to) - transform(layout->figure, mark->from));
}

/* ---- all of it ---- */

/* How wide a label of the legend is, with its sample. */
static double label_width(const char *label)
{
    return 24 + words_width(label);
}

/* Says in the legend what a device is called and, where the figure is alone, what it is, as far
 * as there is room on a line. For the caller to free; NULL when memory runs out. */
static char *label_of(const struct clopt_figure_layout *layout, size_t series, bool alone)
{
    const struct clopt_results *results = layout->figure->view->results;
    if (clopt_figure_is_published(layout->figure, series))
        return strdup(results->published[series - results->device_count].label);
    const struct clopt_results_device *device = &results->devices[series];
    for (int parts = alone ? 2 : 0;; parts--) {
        struct clopt_text label = {0};
        clopt_text_append(&label, device->label);
        if (parts > 0)
            clopt_text_printf(&label, ": %s", device->name);
        if (parts > 1)
            clopt_text_printf(&label, ", %s", device->platform);
        if (parts == 0 ||
            label_width(clopt_text_string(&label)) <= layout->right - CLOPT_FIGURE_SIDE)
            return clopt_text_take(&label);
        clopt_text_fini(&label);
    }
}

/* Puts the devices side by side, on as many lines as they need, from `layout->top` on, and moves
 * that to where they end. False when memory runs out. */
static bool place_legend(struct clopt_figure_layout *layout, bool alone)
{
    double x = CLOPT_FIGURE_SIDE;
    double y = layout->top + LEGEND / 2.0;
    for (size_t s = 0; s < clopt_figure_series_count(layout->figure); s++) {
        if (!is_shown(layout->figure, s))
            continue;
        char *label = label_of(layout, s, alone);
        if (!label)
            return false;
        double width = label_width(label);
        if (x > CLOPT_FIGURE_SIDE && x + width > layout->right) {
            x = CLOPT_FIGURE_SIDE;
            y += LEGEND;
        }
        layout->legend[layout->legend_count++] = (struct clopt_figure_entry){s, label, x, y};
        x += width;
    }
    layout->top = y + LEGEND / 2.0;
    return true;
}

enum clopt_status clopt_figure_layout_init(struct clopt_figure_layout *layout,
                                           const struct clopt_figure *figure, bool alone,
                                           struct clopt_error *error)
{
    double names = 0, rows = 0;
    *layout = (struct clopt_figure_layout){
        .figure = figure,
        .legend = calloc(clopt_figure_series_count(figure) + 1, sizeof *layout->legend),
        .right = CLOPT_FIGURE_WIDTH - CLOPT_FIGURE_SIDE,
        .top = alone ? CLOPT_FIGURE_TITLE : 0,
    };
    if (!layout->legend || !place_legend(layout, alone)) {
        clopt_figure_layout_fini(layout);
        return clopt_fail_memory(error);
    }
    layout->top += 4;
    for (size_t i = 0; i < figure->row_count; i++) {
        rows += clopt_figure_row_height(&figure->rows[i]);
        names = fmax(names, name_width(figure->rows[i].label));
    }
    layout->left = fmin(CLOPT_FIGURE_SIDE + names + 8, CLOPT_FIGURE_WIDTH - LEAST_PLOT);
    layout->bottom = layout->top + rows;
    layout->height = layout->bottom + AXIS + (figure->left_out ? CLOPT_FIGURE_NOTE : 0);
    find_axis(layout);
    return CLOPT_OK;
}

void clopt_figure_layout_fini(struct clopt_figure_layout *layout)
{
    for (size_t i = 0; i < layout->legend_count; i++)
        free(layout->legend[i].label);
    free(layout->legend);
    *layout = (struct clopt_figure_layout){0};
}
