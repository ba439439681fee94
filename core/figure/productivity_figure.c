/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws speed-ups over the lines that were written for them, both on logarithmic axes. */
#include "figure/productivity_figure.h"

#include <math.h>
#include <string.h>

#define HEIGHT       460
#define LONGEST_NAME 44    /* characters of a point's name */
#define NO_LINES     0.5   /* where 0 is on the axis */
#define LETTERS      0.045 /* height of a name, as a share of the axis */

/* Colors that also people who are color-blind can tell apart, after Okabe and Ito; points that
 * those who print them can. */
static const struct {
    const char *color;
    int point;
} styles[CLOPT_MAKERS] = {
    [CLOPT_MAKER_NOBODY] = {"#222222", 3},  [CLOPT_MAKER_HAND] = {"#0072b2", 5},
    [CLOPT_MAKER_CLOPT] = {"#e69f00", 7},   [CLOPT_MAKER_BOTH] = {"#009e73", 9},
    [CLOPT_MAKER_NATIVE] = {"#d55e00", 11},
};

static void append_quoted(struct clopt_text *script, const char *text)
{
    clopt_figure_append_quoted(script, text, strlen(text));
}

static double place(const struct clopt_effort *effort)
{
    return effort->lines > 0 ? effort->lines : NO_LINES;
}

static bool is_drawn(const struct clopt_effort *effort)
{
    return !isnan(effort->lines) && effort->speedup.median > 0;
}

/* What the axes show: ends of intervals far from their speed-ups are cut. */
struct ranges {
    double left, right, low, high;
};

static struct ranges find_ranges(const struct clopt_efforts *efforts)
{
    struct ranges ranges = {INFINITY, 0, 1, 1};
    for (size_t i = 0; i < efforts->count; i++) {
        const struct clopt_effort *effort = &efforts->items[i];
        const struct clopt_interval *speedup = &effort->speedup;
        if (!is_drawn(effort))
            continue;
        ranges.left = fmin(ranges.left, place(effort));
        ranges.right = fmax(ranges.right, place(effort));
        ranges.low = fmin(ranges.low, fmax(speedup->low, speedup->median / 2));
        ranges.high = fmax(ranges.high, fmin(speedup->high, speedup->median * 2));
    }
    return (struct ranges){ranges.left / 1.5, ranges.right * 1.5, ranges.low / 1.1,
                           ranges.high * 1.2};
}

/* Whether no other one of its maker is as fast: rows are in the order of speed-ups. */
static bool is_best(const struct clopt_efforts *efforts, size_t row)
{
    for (size_t i = 0; i < row; i++)
        if (is_drawn(&efforts->items[i]) && efforts->items[i].maker == efforts->items[row].maker)
            return false;
    return true;
}

/* Appends the points of a maker, and tells whether there is any. */
static bool append_points(struct clopt_text *script, const struct clopt_efforts *efforts,
                          enum clopt_maker maker)
{
    bool any = false;
    for (size_t i = 0; i < efforts->count; i++) {
        const struct clopt_effort *effort = &efforts->items[i];
        const struct clopt_interval *speedup = &effort->speedup;
        if (effort->maker != maker || !is_drawn(effort))
            continue;
        if (!any)
            clopt_text_printf(script, "$maker_%d << END_OF_DATA\n", (int)maker);
        any = true;
        clopt_text_printf(script, "%.6g %.6g %.6g %.6g\n", place(effort), speedup->median,
                          speedup->low, speedup->high);
    }
    clopt_text_append(script, any ? "END_OF_DATA\n" : "");
    return any;
}

/* Names the best of each maker, and what is native. */
static void append_names(struct clopt_text *script, const struct clopt_efforts *efforts,
                         const struct ranges *ranges)
{
    double last = INFINITY, apart = pow(ranges->high / ranges->low, LETTERS);
    for (size_t i = 0; i < efforts->count; i++) {
        const struct clopt_effort *effort = &efforts->items[i];
        bool named = effort->maker == CLOPT_MAKER_NATIVE || is_best(efforts, i);
        if (!is_drawn(effort) || !named)
            continue;
        last = fmin(effort->speedup.median, last / apart);
        size_t length = strlen(effort->label);
        double x = place(effort);
        bool right = x * x > ranges->left * ranges->right;
        clopt_text_append(script, "set label ");
        clopt_figure_append_quoted(script, effort->label,
                                   length < LONGEST_NAME ? length : LONGEST_NAME);
        clopt_text_printf(script, " at %.6g,%.6g %s offset %s,0.5 front\n", x, last,
                          right ? "right" : "left", right ? "-0.8" : "0.8");
    }
}

static void append_axes(struct clopt_text *script, const char *title, const char *baseline)
{
    struct clopt_text label = {0};
    clopt_text_append(script,
                      "set border 3\nset tics nomirror scale 0.5\nset grid linetype 1 "
                      "linewidth 0.5 linecolor rgb '#dddddd'\nset logscale xy\n"
                      "set xtics (\"0\" 0.5, \"1\" 1, \"2\" 2, \"5\" 5, \"10\" 10, \"20\" 20, "
                      "\"50\" 50, \"100\" 100, \"200\" 200, \"500\" 500, \"1000\" 1000)\n"
                      "set ytics (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, "
                      "500, 1000)\n"
                      "set key outside bottom center horizontal\nset title ");
    append_quoted(script, title);
    clopt_text_printf(&label, "Speed-up over %s", baseline);
    clopt_text_append(script, "\nset ylabel ");
    append_quoted(script, clopt_text_string(&label));
    clopt_text_clear(&label);
    clopt_text_printf(&label, "Lines to write from %s on", baseline);
    clopt_text_append(script, "\nset xlabel ");
    append_quoted(script, clopt_text_string(&label));
    clopt_text_append(script, "\n");
    script->failed |= label.failed;
    clopt_text_fini(&label);
}

void clopt_productivity_append(struct clopt_text *script, const struct clopt_efforts *efforts,
                               enum clopt_figure_format format, const char *title,
                               const char *baseline)
{
    clopt_text_append(script, "set encoding utf8\n");
    clopt_figure_append_terminal(script, format, HEIGHT, true);
    append_axes(script, title, baseline);
    struct ranges ranges = find_ranges(efforts);
    clopt_text_printf(script, "set xrange [%.6g:%.6g]\nset yrange [%.6g:%.6g]\n", ranges.left,
                      ranges.right, ranges.low, ranges.high);
    append_names(script, efforts, &ranges);
    bool any[CLOPT_MAKERS];
    for (int maker = 0; maker < CLOPT_MAKERS; maker++)
        any[maker] = append_points(script, efforts, (enum clopt_maker)maker);
    clopt_text_append(script, "plot 1 with lines dashtype 2 lc rgb '#777777' notitle");
    for (int maker = 0; maker < CLOPT_MAKERS; maker++) {
        if (!any[maker])
            continue;
        clopt_text_printf(
            script, ", $maker_%d using 1:2:3:4 with yerrorbars pt %d ps 0.7 lc rgb '%s' title ",
            maker, styles[maker].point, styles[maker].color);
        append_quoted(script, clopt_makers[maker].phrase);
    }
    clopt_text_append(script, "\n");
}
