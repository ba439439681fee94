/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws charts: writes the commands of gnuplot, and runs it; graphs are drawn by Graphviz. */
#include "chart/chart.h"

#include <math.h>

#include "process/program.h"

#define INK   CLOPT_CHART_INK
#define SOFT  CLOPT_CHART_SOFT
#define FONT  "sans-serif"
#define WIDTH CLOPT_CHART_WIDTH

#define CHARACTER  0.0105 /* of a page's column */
#define PAGE_WIDTH 720    /* of a page's column, which scales it by 0.9 to 1.4 */

/* How large letters are asked for so that they are equally large in all formats. */
static const struct {
    const char *ending;
    int letters;
} formats[] = {[CLOPT_CHART_SVG] = {"svg", 13},
               [CLOPT_CHART_PNG] = {"png", 10},
               [CLOPT_CHART_PDF] = {"pdf", 7},
               [CLOPT_CHART_DOT] = {"dot", 0}};

/* Points: filled ones, then hollow ones, that those who print them can tell apart. */
static const int points[] = {7, 5, 9, 11, 13, 12, 4, 8, 6, 10, 3};
#define POINTS ((int)(sizeof points / sizeof *points))

enum clopt_status clopt_chart_format_find(const char *name, enum clopt_chart_format *format,
                                          struct clopt_error *error)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].ending, name) == 0) {
            *format = (enum clopt_chart_format)i;
            return CLOPT_OK;
        }
    return clopt_fail(error, CLOPT_INVALID,
                      "%s: unknown format of figures; choose svg, png, pdf or, for trees, dot",
                      name);
}

const char *clopt_chart_ending(enum clopt_chart_format format)
{
    return formats[format].ending;
}

char *clopt_chart_find_gnuplot(struct clopt_error *error)
{
    char *gnuplot = clopt_program_find("gnuplot");
    if (!gnuplot)
        clopt_fail(error, CLOPT_FAILED,
                   "the program gnuplot, which draws the figures, is not in PATH: install it "
                   "(Debian's package gnuplot-nox)");
    return gnuplot;
}

/* ---- texts ---- */

/* Appends a text as gnuplot's own: all but letters, digits and what is harmless as the number of
 * its byte, so that nothing in it can end the text, or be a command or a substitution. (Single
 * quotes are no way: gnuplot 5.4 takes a text that begins with a doubled quote for an empty one.)
 */
static void append_quoted(struct clopt_text *script, const char *string)
{
    clopt_text_append_char(script, '"');
    bool number = false; /* a digit after one would belong to it */
    for (const char *c = string ? string : ""; *c; c++) {
        bool digit = *c >= '0' && *c <= '9';
        bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z');
        number = !letter && !(digit && !number) && !strchr(" =_+,.:()", *c);
        clopt_text_printf(script, number ? "\\%03o" : "%c", (unsigned)(unsigned char)*c);
    }
    clopt_text_append_char(script, '"');
}

/* Appends the name of a tic, which gnuplot takes for a format of its number. */
static void append_format(struct clopt_text *script, const char *string)
{
    CLOPT_OWNED(clopt_text) doubled = {0};
    for (; string && *string; string++)
        clopt_text_printf(&doubled, *string == '%' ? "%%%%" : "%c", *string);
    append_quoted(script, clopt_text_string(&doubled));
}

static void append_terminal(struct clopt_text *script, const struct clopt_chart *chart,
                            enum clopt_chart_format format, bool alone)
{
    int size = formats[format].letters;
    clopt_text_append(script, "set encoding utf8\n");
    switch (format) {
    case CLOPT_CHART_PNG: /* twice as large, for screens of today */
        clopt_text_printf(script,
                          "set terminal pngcairo noenhanced size %d, %.0f font '" FONT
                          ",%d' fontscale 2 linewidth 2 pointscale 2 background '#ffffff'\n",
                          2 * WIDTH, 2 * chart->height, size);
        break;
    case CLOPT_CHART_PDF:
        clopt_text_printf(script,
                          "set terminal pdfcairo noenhanced size %.4fin, %.4fin font '" FONT
                          ",%d' fontscale 1 linewidth 0.7 background '#ffffff'\n",
                          WIDTH / 96.0, chart->height / 96, size);
        break;
    default:
        clopt_text_printf(
            script, "set terminal svg noenhanced size %d, %.0f font '" FONT ",%d'%s\n",
            alone ? WIDTH : PAGE_WIDTH, chart->height, size, alone ? " background '#ffffff'" : "");
        break;
    }
}

/* ---- data ---- */

static void append_data(struct clopt_text *script, const struct clopt_chart *chart)
{
    for (size_t p = 0; p < chart->count; p++)
        for (size_t s = 0; s < chart->panels[p].count; s++) {
            const struct clopt_series *series = &chart->panels[p].series[s];
            if (!series->count)
                continue;
            clopt_text_printf(script, "$data_%zu_%zu << END_OF_DATA\n", p, s);
            for (size_t i = 0; i < series->count; i++) {
                const struct clopt_point *at = &series->points[i];
                bool open = isnan(at->y_low) || isnan(at->y_high);
                clopt_text_printf(script, "%.9g %.9g %.9g %.9g %.9g %.9g\n", at->x, at->y,
                                  at->x_low, at->x_high, open ? at->y : at->y_low,
                                  open ? at->y : at->y_high);
            }
            clopt_text_append(script, "END_OF_DATA\n");
        }
}

static bool has_intervals(const struct clopt_series *series)
{
    for (size_t i = 0; i < series->count; i++)
        if (fabs(series->points[i].y_high - series->points[i].y_low) > 0)
            return true;
    return false;
}

/* Appends how a series is drawn. */
static void append_style(struct clopt_text *script, const struct clopt_series *series)
{
    static const char *const styles[] = {
        [CLOPT_SERIES_LINE] = "1:2 with lines lw 2",
        [CLOPT_SERIES_STEPS] = "1:2 with steps lw 2",
        [CLOPT_SERIES_POINTS] = "1:2 with points",
        [CLOPT_SERIES_DOTS] = "1:2 with points pt 7 ps 0.25",
        [CLOPT_SERIES_BAND] = "1:5:6 with filledcurves fs transparent solid 0.15 noborder",
        [CLOPT_SERIES_BOXES] = "1:2:3:4:5:6 with boxxyerror fs solid 1 noborder",
        [CLOPT_SERIES_FAINT] = "1:2:3:4:5:6 with boxxyerror fs transparent solid 0.4 noborder",
        [CLOPT_SERIES_HOLLOW] = "1:2:3:4:5:6 with boxxyerror fs empty border",
        [CLOPT_SERIES_INTERVALS] = "1:2:3:4 with xerrorbars pt -1 lw 1",
        [CLOPT_SERIES_UPRIGHT] = "1:5:(0):($6-$5) with vectors nohead lw 2",
    };
    enum clopt_series_kind kind = series->kind;
    bool bars = has_intervals(series);
    if (kind == CLOPT_SERIES_LINE && bars)
        clopt_text_append(script, "1:2:5:6 with yerrorlines pt 7 ps 0.4");
    else if (kind == CLOPT_SERIES_POINTS && bars)
        clopt_text_append(script, "1:2:5:6 with yerrorbars");
    else if (series->style && (kind == CLOPT_SERIES_BOXES || kind == CLOPT_SERIES_FAINT))
        clopt_text_printf(script, "1:2:3:4:5:6 with boxxyerror fs pattern %d", series->style);
    else
        clopt_text_append(script, styles[kind]);
    if (kind == CLOPT_SERIES_LINE && !bars)
        clopt_text_printf(script, " dt %d", series->style + 1);
    if (kind == CLOPT_SERIES_POINTS)
        clopt_text_printf(script, " pt %d ps 0.8", points[series->style % POINTS]);
    if (kind == CLOPT_SERIES_HOLLOW)
        clopt_text_printf(script, " lc rgb '%s'", series->color);
    clopt_text_printf(script, " lc rgb '%s'", series->color);
}

/* ---- panels ---- */

static void append_axis(struct clopt_text *script, const struct clopt_axis *axis, char name)
{
    clopt_text_printf(script, "set %clabel ", name);
    append_quoted(script, axis->label);
    clopt_text_printf(script, "\n%sset logscale %c\n", axis->logarithmic ? "" : "un", name);
    if (axis->low != axis->high)
        clopt_text_printf(script, "set %crange [%.9g:%.9g]\n", name, axis->low, axis->high);
    else
        clopt_text_printf(script, "set autoscale %c\n", name);
    clopt_text_printf(script, "set %ctics nomirror scale 0.5 ", name);
    for (size_t i = 0; i < axis->tic_count; i++) {
        clopt_text_append(script, i ? ", " : "(");
        append_format(script, axis->tics[i].label);
        clopt_text_printf(script, " %.9g", axis->tics[i].at);
    }
    clopt_text_append(script, axis->tic_count ? ")\n" : "autofreq\n");
}

static void append_labels(struct clopt_text *script, const struct clopt_panel *panel,
                          enum clopt_chart_format format)
{
    static const char *const sides[] = {"left offset character 0.7,0",
                                        "right offset character -0.7,0"};
    clopt_text_append(script, "unset label\n");
    for (size_t i = 0; i < panel->label_count; i++) {
        const struct clopt_chart_label *label = &panel->labels[i];
        clopt_text_printf(script, "set label %zu ", i + 1);
        append_quoted(script, label->text);
        clopt_text_printf(script,
                          " at first %.9g, first %.9g %s front textcolor rgb '" INK "' font '" FONT
                          "%s,%d'\n",
                          label->x, label->y, sides[label->side], label->bold ? ":Bold" : "",
                          formats[format].letters);
    }
}

/* Plots the series of a panel. A series of boxes is in the key as a box. */
static void append_plot(struct clopt_text *script, const struct clopt_panel *panel, size_t number)
{
    bool any = false;
    for (size_t s = 0; s < panel->count; s++) {
        const struct clopt_series *series = &panel->series[s];
        if (!series->count)
            continue;
        clopt_text_printf(script, "%s$data_%zu_%zu using ", any ? ", " : "plot ", number, s);
        append_style(script, series);
        clopt_text_append(script, series->title ? " title " : " notitle");
        if (series->title)
            append_quoted(script, series->title);
        any = true;
    }
    clopt_text_append(script, any ? "\n" : "set multiplot next\n");
}

static void append_panel(struct clopt_text *script, const struct clopt_chart *chart, size_t number,
                         enum clopt_chart_format format, bool titled)
{
    const struct clopt_panel *panel = &chart->panels[number];
    bool single = chart->count == 1;
    double left = CHARACTER * (double)chart->margin;
    double width = (1 - left) / (double)(chart->columns ? chart->columns : 1);
    if (chart->margin && chart->columns > 1) /* the names are those of all panels of a row */
        clopt_text_printf(script, "set lmargin at screen %.6f\nset rmargin at screen %.6f\n",
                          left + width * (double)(number % chart->columns),
                          left + width * (double)(number % chart->columns) + 0.93 * width);
    clopt_text_append(script, "set title ");
    append_quoted(script, panel->title ? panel->title : single && titled ? chart->title : "");
    clopt_text_append(script, "\n");
    append_axis(script, &panel->x, 'x');
    append_axis(script, &panel->y, 'y');
    append_labels(script, panel, format);
    append_plot(script, panel, number);
}

static void append_script(struct clopt_text *script, const struct clopt_chart *chart,
                          enum clopt_chart_format format, bool alone)
{
    size_t columns = chart->columns ? chart->columns : 1;
    append_terminal(script, chart, format, alone);
    append_data(script, chart);
    clopt_text_append(script, "set border 3 linecolor rgb '" INK "'\nset tics textcolor rgb '" INK
                              "'\nset errorbars 0.8\nset style fill solid\n"
                              "set grid xtics ytics linetype 1 linewidth 0.5 linecolor rgb '" SOFT
                              "'\nset key outside top left horizontal Left reverse\n");
    if (chart->margin)
        clopt_text_printf(script,
                          "set lmargin %zu\nunset grid\nset grid xtics linetype 1 "
                          "linewidth 0.5 linecolor rgb '" SOFT "'\n",
                          chart->margin);
    if (chart->top > 0)
        clopt_text_printf(script, "set tmargin at screen %.6f\nset bmargin at screen %.6f\n",
                          1 - chart->top / chart->height, chart->bottom / chart->height);
    if (chart->right)
        clopt_text_printf(script, "set rmargin %zu\n", chart->right);
    if (chart->count > 1) {
        clopt_text_printf(script, "set multiplot layout %zu,%zu title ",
                          (chart->count + columns - 1) / columns, columns);
        append_quoted(script, alone ? chart->title : "");
        clopt_text_append(script, "\n");
    }
    for (size_t p = 0; p < chart->count; p++)
        append_panel(script, chart, p, format, alone);
    clopt_text_append(script, chart->count > 1 ? "unset multiplot\n" : "");
}

/* ---- programs ---- */

/* Lets Graphviz draw a graph, or returns its text. */
static enum clopt_status draw_graph(const struct clopt_chart *chart, enum clopt_chart_format format,
                                    struct clopt_text *drawn, struct clopt_error *error)
{
    char option[8];
    char *const argv[] = {"dot", option, NULL};
    if (format == CLOPT_CHART_DOT) {
        clopt_text_append(drawn, chart->graph);
        return CLOPT_OK;
    }
    snprintf(option, sizeof option, "-T%s", formats[format].ending);
    CLOPT_FREED char *dot = clopt_program_find("dot");
    return dot ? clopt_program_run(dot, argv, chart->graph, drawn, error)
               : clopt_fail(error, CLOPT_FAILED,
                            "the program dot, which draws trees, is not in PATH: install it "
                            "(Debian's package graphviz), or ask for --format=dot");
}

enum clopt_status clopt_chart_draw(const struct clopt_chart *chart, const char *gnuplot,
                                   enum clopt_chart_format format, bool alone, const char *name,
                                   struct clopt_text *output, struct clopt_error *error)
{
    /* -d: what the user has set for figures of their own is not asked for. */
    char *const argv[] = {"gnuplot", "-d", NULL};
    CLOPT_OWNED(clopt_text) script = {0}, drawn = {0};
    if (!chart->graph && format == CLOPT_CHART_DOT)
        return clopt_fail(error, CLOPT_INVALID,
                          "only trees are drawn as dot; choose svg, png or pdf");
    if (chart->graph) {
        CLOPT_TRY(draw_graph(chart, format, &drawn, error));
    } else {
        append_script(&script, chart, format, alone);
        CLOPT_TRY(clopt_program_run(gnuplot, argv, clopt_text_string(&script), &drawn, error));
    }
    if (format == CLOPT_CHART_SVG && !(chart->graph && alone))
        clopt_chart_append_svg(output, clopt_text_string(&drawn), name, chart->title);
    else
        clopt_text_append_bytes(output, drawn.data, drawn.length);
    return CLOPT_OK;
}
