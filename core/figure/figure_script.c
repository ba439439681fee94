/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the commands with which gnuplot draws a figure. */
#include <math.h>
#include <string.h>

#include "figure/figure_layout.h"

#define WIDTH        CLOPT_FIGURE_WIDTH
#define BAR          9
#define THINNEST_BAR 4 /* a thinner one is not seen */
#define MOST_STEPS   8 /* of a linear axis */

#define INK  "#222222"
#define GRID "#dddddd"
#define FONT "sans-serif"

/* Colors that also people who are color-blind can tell apart, after Okabe and Ito. */
static const char *const colors[] = {"#0072b2", "#e69f00", "#009e73", "#d55e00",
                                     "#56b4e9", "#cc79a7", "#777777"};
#define COLORS (sizeof colors / sizeof *colors)

/* Hollow points: a diamond, a square, a triangle, a circle and a triangle on its head. */
static const int points[] = {12, 4, 8, 6, 10};
#define POINTS (sizeof points / sizeof *points)

/* How large letters are asked for so that they are equally large in all formats. */
static const int letters[] = {
    [CLOPT_FIGURE_SVG] = 11, [CLOPT_FIGURE_PNG] = 8, [CLOPT_FIGURE_PDF] = 6};

struct drawing {
    const struct clopt_figure *figure;
    struct clopt_figure_layout layout;
    struct clopt_text *script;
    bool alone; /* with a title, on a white ground */
    enum clopt_figure_format format;
    size_t label_count;
};

static const char *series_color(const struct drawing *drawing, size_t series)
{
    return clopt_figure_is_published(drawing->figure, series) ? INK : colors[series % COLORS];
}

/* Devices beyond the colors have hatched bars; 0: they have plain ones. */
static int series_pattern(size_t series)
{
    return (int)(series / COLORS);
}

static int series_point(const struct drawing *drawing, size_t series)
{
    return points[(series - drawing->figure->view->results->device_count) % POINTS];
}

/* ---- texts ---- */

/* Appends a text as gnuplot's own: all but letters, digits and what is harmless as the number of
 * its byte, so that nothing in it can end the text, or be a command or a substitution. (Single
 * quotes are no way: gnuplot 5.4 takes a text that begins with a doubled quote for an empty one.)
 */
void clopt_figure_append_quoted(struct clopt_text *script, const char *string, size_t length)
{
    struct clopt_text raw = {0};
    struct clopt_text clean = {0};
    clopt_text_append_bytes(&raw, string, length);
    clopt_text_append_printable(&clean, clopt_text_string(&raw));
    clopt_text_append_char(script, '"');
    bool number = false; /* a digit after one would belong to it */
    for (const char *c = clopt_text_string(&clean); *c; c++) {
        bool digit = *c >= '0' && *c <= '9';
        bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z');
        number = !letter && !(digit && !number) && !strchr(" =_+,.:()", *c);
        clopt_text_printf(script, number ? "\\%03o" : "%c", (unsigned)(unsigned char)*c);
    }
    clopt_text_append_char(script, '"');
    script->failed |= raw.failed || clean.failed;
    clopt_text_fini(&raw);
    clopt_text_fini(&clean);
}

/* Which end of a text is at its place. */
enum side { LEFT, RIGHT };

/* Puts a text at a place on the canvas. */
static void put_text(struct drawing *drawing, double x, double y, enum side side, bool bold,
                     const char *string, size_t length)
{
    clopt_text_printf(drawing->script, "set label %zu ", ++drawing->label_count);
    clopt_figure_append_quoted(drawing->script, string, length);
    clopt_text_printf(drawing->script,
                      " at screen %.6f, screen %.6f %s front textcolor rgb '" INK "' font '" FONT
                      "%s,%d'\n",
                      x / WIDTH, 1 - y / drawing->layout.height, side == LEFT ? "left" : "right",
                      bold ? ":Bold" : "", letters[drawing->format]);
}

/* Puts a point at a place on the canvas. */
static void put_point(struct drawing *drawing, double x, double y, int type, double size,
                      const char *color)
{
    clopt_text_printf(drawing->script,
                      "set label %zu '' at screen %.6f, screen %.6f point pointtype %d pointsize "
                      "%.1f linecolor rgb '%s'\n",
                      ++drawing->label_count, x / WIDTH, 1 - y / drawing->layout.height, type, size,
                      color);
}

/* Puts a sample of the bars of a device. */
static void put_sample(struct drawing *drawing, const struct clopt_figure_entry *entry)
{
    double height = drawing->layout.height;
    int pattern = series_pattern(entry->series);
    clopt_text_printf(drawing->script,
                      "set object rectangle from screen %.6f, screen %.6f to screen %.6f, screen "
                      "%.6f fillcolor rgb '%s' fillstyle %s %d noborder\n",
                      (entry->x + 1) / WIDTH, 1 - (entry->y + 5) / height, (entry->x + 15) / WIDTH,
                      1 - (entry->y - 5) / height, series_color(drawing, entry->series),
                      pattern ? "pattern" : "solid", pattern ? pattern : 1);
}

static void put_legend(struct drawing *drawing)
{
    for (size_t i = 0; i < drawing->layout.legend_count; i++) {
        const struct clopt_figure_entry *entry = &drawing->layout.legend[i];
        if (clopt_figure_is_published(drawing->figure, entry->series))
            put_point(drawing, entry->x + 8, entry->y, series_point(drawing, entry->series), 0.8,
                      INK);
        else
            put_sample(drawing, entry);
        put_text(drawing, entry->x + 20, entry->y, LEFT, false, entry->label, strlen(entry->label));
    }
}

/* Puts the name of a row, in the middle of it. */
static void put_name(struct drawing *drawing, const struct clopt_figure_row *row, double y)
{
    double lines = (double)clopt_figure_name_lines(row->label);
    double line = y - CLOPT_FIGURE_SLOT * (lines - 1) / 2;
    for (const char *rest = row->label; *rest; line += CLOPT_FIGURE_SLOT) {
        size_t part = clopt_figure_name_line(rest);
        put_text(drawing, drawing->layout.left - 8, line, RIGHT, false, rest, part);
        rest += part;
    }
}

/* Puts the words of a mark, after a dot in the color of its device where no bar is to be seen. */
static void put_words(struct drawing *drawing, const struct clopt_figure_mark *mark, double y)
{
    double x = clopt_figure_words_x(&drawing->layout, mark);
    double length = clopt_figure_bar_length(&drawing->layout, mark);
    bool published = clopt_figure_is_published(drawing->figure, mark->series);
    if (!published && !(length >= THINNEST_BAR)) {
        put_point(drawing, x + 8, y, 7, 0.5, series_color(drawing, mark->series));
        x += 8;
    }
    put_text(drawing, x + (published ? 9 : 6), y, LEFT, mark->best, mark->words,
             strlen(mark->words));
}

static void put_rows(struct drawing *drawing)
{
    double end = drawing->layout.top;
    for (size_t i = 0; i < drawing->figure->row_count; i++) {
        const struct clopt_figure_row *row = &drawing->figure->rows[i];
        double middle = end + clopt_figure_row_height(row) / 2;
        put_name(drawing, row, middle);
        for (size_t m = 0; m < row->count; m++)
            put_words(drawing, &row->marks[m], clopt_figure_mark_y(row, middle, m));
        end += clopt_figure_row_height(row);
    }
}

/* Puts a line below the axis, farther to the left where it would not fit. */
static void put_caption(struct drawing *drawing, double y, const struct clopt_text *text)
{
    double x =
        CLOPT_FIGURE_WIDTH - CLOPT_FIGURE_SIDE - CLOPT_FIGURE_CHARACTER * (double)text->length;
    put_text(drawing, fmax(CLOPT_FIGURE_SIDE, fmin(x, drawing->layout.left)), y, LEFT, false,
             clopt_text_string(text), text->length);
}

/* Says below the axis what it is, and what is not shown. */
static void put_captions(struct drawing *drawing)
{
    const struct clopt_figure *figure = drawing->figure;
    struct clopt_text text = {0};
    double y = drawing->layout.bottom + 32;
    if (figure->kind == CLOPT_FIGURE_SAMPLES)
        clopt_text_append(&text, "Samples of the best: median, middle half, medians of processes "
                                 "(dots); 1 is the median of the best");
    else
        clopt_text_printf(&text,
                          "%s over the initial code%s with 95%% intervals; hollow: no "
                          "difference; bold: the best",
                          clopt_objective_words(figure->view->results->objective)->gain,
                          figure->logarithmic ? " (logarithmic)" : "");
    put_caption(drawing, y, &text);
    clopt_text_clear(&text);
    if (figure->left_out) {
        clopt_text_printf(&text, "The best %zu variants of each device; %zu others are left out",
                          figure->chosen, figure->left_out);
        put_caption(drawing, y + CLOPT_FIGURE_NOTE, &text);
    }
    clopt_text_fini(&text);
}

/* ---- terminal and axes ---- */

void clopt_figure_append_terminal(struct clopt_text *script, enum clopt_figure_format format,
                                  double height, bool alone)
{
    int size = letters[format];
    switch (format) {
    case CLOPT_FIGURE_PNG: /* twice as large, for screens of today */
        clopt_text_printf(script,
                          "set terminal pngcairo noenhanced size %d, %.0f font '" FONT
                          ",%d' fontscale 2 linewidth 2 pointscale 2 background '#ffffff'\n",
                          2 * WIDTH, 2 * height, size);
        break;
    case CLOPT_FIGURE_PDF:
        clopt_text_printf(script,
                          "set terminal pdfcairo noenhanced size %.4fin, %.4fin font '" FONT
                          ",%d' fontscale 1 linewidth 0.7 background '#ffffff'\n",
                          WIDTH / 96.0, height / 96, size);
        break;
    default:
        clopt_text_printf(script,
                          "set terminal svg noenhanced size %d, %.0f font '" FONT ",%d'%s\n", WIDTH,
                          height, size, alone ? " background '#ffffff'" : "");
        break;
    }
}

static void put_tic(struct clopt_text *tics, double value)
{
    clopt_text_printf(tics, "%s'%.6g' %.9g", tics->length ? ", " : "", value, value);
}

/* Numbers a logarithmic axis: at 1, 2 and 5 of every power of ten, at more of a short axis, and at
 * the powers alone of a long one. */
static void put_logarithmic_tics(struct clopt_text *tics, double low, double high)
{
    static const double one[] = {1};
    static const double three[] = {1, 2, 5};
    static const double six[] = {1, 1.5, 2, 3, 5, 7};
    const double *digits = high / low < 10 ? six : high / low > 1e3 ? one : three;
    size_t count = digits == six ? 6 : digits == one ? 1 : 3;
    for (int power = (int)floor(log10(low)); power <= (int)ceil(log10(high)); power++)
        for (size_t i = 0; i < count; i++) {
            double value = digits[i] * pow(10, power);
            if (value >= low && value <= high)
                put_tic(tics, value);
        }
}

/* Numbers a linear axis in steps of 1, 2, 5 or 10, times a power of ten, of which it has up to
 * MOST_STEPS. */
static void put_linear_tics(struct clopt_text *tics, double low, double high)
{
    static const double round[] = {1, 2, 5, 10};
    double ten = pow(10, floor(log10((high - low) / MOST_STEPS)));
    size_t i = 0;
    while (i < 3 && (high - low) / (round[i] * ten) > MOST_STEPS)
        i++;
    double step = round[i] * ten;
    for (double n = ceil(low / step); n * step <= high; n++)
        put_tic(tics, n * step);
}

static void set_tics(const struct drawing *drawing)
{
    struct clopt_text tics = {0};
    if (drawing->figure->logarithmic)
        put_logarithmic_tics(&tics, drawing->layout.axis_low, drawing->layout.axis_high);
    else
        put_linear_tics(&tics, drawing->layout.axis_low, drawing->layout.axis_high);
    clopt_text_printf(drawing->script, "set xtics nomirror scale 0.5 (%s)\n",
                      clopt_text_string(&tics));
    drawing->script->failed |= tics.failed;
    clopt_text_fini(&tics);
}

static void set_axes(const struct drawing *drawing)
{
    clopt_text_printf(drawing->script,
                      "set lmargin at screen %.6f\nset rmargin at screen %.6f\n"
                      "set tmargin at screen %.6f\nset bmargin at screen %.6f\n",
                      drawing->layout.left / WIDTH, drawing->layout.right / WIDTH,
                      1 - drawing->layout.top / drawing->layout.height,
                      1 - drawing->layout.bottom / drawing->layout.height);
    clopt_text_printf(drawing->script,
                      "set border 1 linecolor rgb '" INK "'\nunset key\n"
                      "set tics textcolor rgb '" INK "'\nunset ytics\n%s"
                      "set xrange [%.9g:%.9g]\nset yrange [%.9g:0]\n",
                      drawing->figure->logarithmic ? "set logscale x\n" : "",
                      drawing->layout.axis_low, drawing->layout.axis_high,
                      drawing->layout.bottom - drawing->layout.top);
    set_tics(drawing);
    clopt_text_append(drawing->script,
                      "set grid xtics linetype 1 linewidth 0.5 linecolor rgb '" GRID "'\n"
                      "set errorbars 0.8\n");
}

/* ---- marks ---- */

/* Which marks a block of data has. */
enum block { SOLID, FAINT, EQUAL, INTERVAL, MEDIAN, DOTS, PUBLISHED };

static bool belongs(const struct drawing *drawing, enum block block,
                    const struct clopt_figure_mark *mark)
{
    bool published = clopt_figure_is_published(drawing->figure, mark->series);
    if (isnan(mark->value))
        return false;
    if (block == INTERVAL)
        return !isnan(mark->low) && !isnan(mark->high);
    if (block == MEDIAN || block == DOTS)
        return mark->dots != NULL;
    if (published || block == PUBLISHED)
        return published && block == PUBLISHED;
    return block == (mark->faint ? FAINT : mark->equal ? EQUAL : SOLID);
}

/* Appends the lines of a mark: its value, its place, ends across and along; or the medians of its
 * processes, as far as the axis has them. */
static void put_lines(const struct drawing *drawing, enum block block,
                      const struct clopt_figure_mark *mark, double y)
{
    const struct clopt_figure *figure = drawing->figure;
    double low = block == INTERVAL ? fmax(mark->low, figure->low) : mark->from;
    double high = block == INTERVAL ? fmin(mark->high, figure->high) : mark->to;
    if (block != DOTS)
        clopt_text_printf(drawing->script, "%.9g %.9g %.9g %.9g %.9g %.9g\n", mark->value, y, low,
                          high, y - BAR / 2.0, y + BAR / 2.0);
    for (size_t i = 0; block == DOTS && i < mark->dots->count; i++) {
        double x = exp(mark->dots->items[i].log_median) / mark->dot_unit;
        if (x >= figure->low && x <= figure->high)
            clopt_text_printf(drawing->script, "%.9g %.9g\n", x, y);
    }
}

/* Appends a block of numbers. Returns whether it has any. */
static bool put_block(const struct drawing *drawing, enum block block, size_t series)
{
    double end = 0;
    bool any = false;
    for (size_t i = 0; i < drawing->figure->row_count; i++) {
        const struct clopt_figure_row *row = &drawing->figure->rows[i];
        double middle = end + clopt_figure_row_height(row) / 2;
        end += clopt_figure_row_height(row);
        for (size_t m = 0; m < row->count; m++) {
            const struct clopt_figure_mark *mark = &row->marks[m];
            double y = clopt_figure_mark_y(row, middle, m);
            if (mark->series != series || !belongs(drawing, block, mark))
                continue;
            if (!any)
                clopt_text_printf(drawing->script, "$marks_%d_%zu << END_OF_MARKS\n", block,
                                  series);
            any = true;
            put_lines(drawing, block, mark, y);
        }
    }
    if (any)
        clopt_text_append(drawing->script, "END_OF_MARKS\n");
    return any;
}

/* Appends how a block is drawn. */
static void put_plot(const struct drawing *drawing, enum block block, size_t series,
                     struct clopt_text *plots)
{
    const char *color = series_color(drawing, series);
    int pattern = series_pattern(series);
    clopt_text_printf(plots, ", $marks_%d_%zu using ", block, series);
    if (block == INTERVAL)
        clopt_text_append(plots, "1:2:3:4 with xerrorbars pt -1 lw 1 lc rgb '" INK "'");
    else if (block == MEDIAN)
        clopt_text_append(plots, "1:5:(0):($6-$5) with vectors nohead lw 2 lc rgb '" INK "'");
    else if (block == DOTS)
        clopt_text_append(plots, "1:2 with points pt 7 ps 0.25 lc rgb '" INK "'");
    else if (block == PUBLISHED)
        clopt_text_printf(plots,
                          "1:2 with points pt %d ps 0.8 lc rgb '" INK "', $marks_%d_%zu using "
                          "3:2:($4-$3):(0) with vectors nohead dt 3 lc rgb '" INK "'",
                          series_point(drawing, series), block, series);
    else if (block == EQUAL)
        clopt_text_printf(plots,
                          "1:2:3:4:5:6 with boxxyerror fs empty border lc rgb '%s' lc rgb '%s'",
                          color, color);
    else if (pattern)
        clopt_text_printf(plots, "1:2:3:4:5:6 with boxxyerror fs pattern %d lc rgb '%s'", pattern,
                          color);
    else
        clopt_text_printf(plots, "1:2:3:4:5:6 with boxxyerror fs %s noborder lc rgb '%s'",
                          block == FAINT ? "transparent solid 0.4" : "solid 1", color);
    clopt_text_append(plots, " notitle");
}

static void put_marks(const struct drawing *drawing)
{
    static const enum block order[] = {SOLID, FAINT, EQUAL, INTERVAL, MEDIAN, DOTS, PUBLISHED};
    struct clopt_text plots = {0};
    clopt_text_printf(drawing->script, "$one << END_OF_MARKS\n1 0\n1 %.9g\nEND_OF_MARKS\n",
                      (drawing->layout.bottom - drawing->layout.top));
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        for (size_t s = 0; s < clopt_figure_series_count(drawing->figure); s++)
            if (put_block(drawing, order[i], s))
                put_plot(drawing, order[i], s, &plots);
    clopt_text_append(drawing->script,
                      "plot $one using 1:2 with lines lw 1.5 lc rgb '" INK "' notitle");
    clopt_text_append(drawing->script, clopt_text_string(&plots));
    clopt_text_append(drawing->script, "\n");
    drawing->script->failed |= plots.failed;
    clopt_text_fini(&plots);
}

enum clopt_status clopt_figure_script(const struct clopt_figure *figure,
                                      enum clopt_figure_format format, const char *title,
                                      struct clopt_text *script, struct clopt_error *error)
{
    struct drawing drawing = {
        .figure = figure,
        .script = script,
        .alone = title != NULL,
        .format = format,
    };
    enum clopt_status status =
        clopt_figure_layout_init(&drawing.layout, figure, drawing.alone, error);
    if (status)
        return status;
    clopt_text_append(script, "set encoding utf8\n");
    clopt_figure_append_terminal(script, format, drawing.layout.height, drawing.alone);
    set_axes(&drawing);
    if (title)
        put_text(&drawing, CLOPT_FIGURE_SIDE, CLOPT_FIGURE_TITLE / 2.0, LEFT, true, title,
                 strlen(title));
    put_legend(&drawing);
    put_rows(&drawing);
    put_captions(&drawing);
    put_marks(&drawing);
    clopt_figure_layout_fini(&drawing.layout);
    return script->failed ? clopt_fail_memory(error) : CLOPT_OK;
}
