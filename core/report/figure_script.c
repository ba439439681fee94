/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the commands with which gnuplot draws a figure. */
#include "report/figure.h"

#include <math.h>
#include <string.h>

#include "base/wrap.h"

/* All lengths are in pixels. */
#define WIDTH        860
#define SLOT         14 /* a line of text, or a bar with the room around it */
#define BAR          9
#define THINNEST_BAR 4 /* a thinner one is not seen */
#define ROW_GAP      7
#define CHARACTER    6.3 /* rather too wide: fonts differ */
#define LONGEST_LINE 46  /* of a variant's name, in characters */
#define SIDE         12
#define TITLE        26
#define LEGEND       18
#define AXIS         44
#define NOTE         18
#define LEAST_PLOT   300

#define INK  "#222222"
#define GRID "#dddddd"
#define FONT "sans-serif"

/* Colours that also people who are colour-blind can tell apart, after Okabe and Ito. */
static const char *const colors[] = {"#0072b2", "#e69f00", "#009e73", "#d55e00",
                                     "#56b4e9", "#cc79a7", "#777777"};
#define COLORS (sizeof colors / sizeof *colors)

/* Hollow points: a diamond, a square, a triangle, a circle and a triangle on its head. */
static const int points[] = {12, 4, 8, 6, 10};
#define POINTS (sizeof points / sizeof *points)

/* Where things are. */
struct layout {
    const struct clopt_figure *figure;
    struct clopt_text *script;
    bool title;
    double left; /* edges of the plot */
    double top;
    double plot_height;
    double height;
    double axis_low; /* ends of the axis: there is room for words behind the longest bar */
    double axis_high;
    size_t legend_lines;
    const char *bold; /* how its letters are asked for */
    size_t label_count;
};

static bool is_published(const struct layout *layout, size_t series)
{
    return series >= layout->figure->view->results->device_count;
}

static size_t series_count(const struct layout *layout)
{
    const struct clopt_results *results = layout->figure->view->results;
    return results->device_count + results->published_count;
}

static const char *series_label(const struct layout *layout, size_t series)
{
    const struct clopt_results *results = layout->figure->view->results;
    return series < results->device_count
               ? results->devices[series].label
               : results->published[series - results->device_count].label;
}

static bool series_shown(const struct layout *layout, size_t series)
{
    for (size_t i = 0; i < layout->figure->row_count; i++)
        for (size_t m = 0; m < layout->figure->rows[i].count; m++)
            if (layout->figure->rows[i].marks[m].series == series)
                return true;
    return false;
}

static const char *series_color(const struct layout *layout, size_t series)
{
    return is_published(layout, series) ? INK : colors[series % COLORS];
}

/* Devices beyond the colours have hatched bars. */
static int series_pattern(size_t series)
{
    return (int)(series / COLORS);
}

static int series_point(const struct layout *layout, size_t series)
{
    return points[(series - layout->figure->view->results->device_count) % POINTS];
}

/* ---- text ---- */

/* Appends a text as gnuplot's own: all but letters, digits and what is harmless as the number of
 * its byte, so that nothing in it can end the text, or be a command or a substitution. (Single
 * quotes are no way: gnuplot 5.4 takes a text that begins with a doubled quote for an empty one.)
 */
static void append_quoted(struct clopt_text *script, const char *string, size_t length)
{
    struct clopt_text raw = {0};
    struct clopt_text clean = {0};
    clopt_text_append_bytes(&raw, string, length);
    clopt_text_append_printable(&clean, clopt_text_string(&raw));
    clopt_text_append_char(script, '"');
    bool number = false; /* a digit behind one would belong to it */
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

/* Which end of a text stands at its place. */
enum side { LEFT, RIGHT };

/* Puts a text at a place on the canvas. */
static void put_text(struct layout *layout, double x, double y, enum side side, bool bold,
                     const char *string, size_t length)
{
    clopt_text_printf(layout->script, "set label %zu ", ++layout->label_count);
    append_quoted(layout->script, string, length);
    clopt_text_printf(layout->script,
                      " at screen %.6f, screen %.6f %s front textcolor rgb '" INK "'%s\n",
                      x / WIDTH, 1 - y / layout->height, side == LEFT ? "left" : "right",
                      bold ? layout->bold : "");
}

/* Returns how many bytes of a name stand on its next line. */
static size_t name_line(const char *name)
{
    size_t part = clopt_name_part(name, LONGEST_LINE);
    if (part <= LONGEST_LINE)
        return part;
    part = LONGEST_LINE;
    while (part > 1 && ((unsigned char)name[part] & 0xc0) == 0x80) /* within a character */
        part--;
    return part;
}

static size_t name_lines(const char *name)
{
    size_t lines = 0;
    for (; *name; name += name_line(name))
        lines++;
    return lines;
}

static double name_width(const char *name)
{
    size_t widest = 0;
    while (*name) {
        size_t part = name_line(name);
        widest = part > widest ? part : widest;
        name += part;
    }
    return CHARACTER * (double)widest;
}

static double words_width(const char *words)
{
    return 10 + CHARACTER * (double)clopt_text_width(words);
}

/* ---- layout ---- */

static double row_height(const struct clopt_figure_row *row)
{
    size_t lines = name_lines(row->label);
    return (double)(SLOT * (row->count > lines ? row->count : lines) + ROW_GAP);
}

/* On the axis, 1 is 0. */
static double transform(const struct layout *layout, double value)
{
    return layout->figure->logarithmic ? log(value) : value - 1;
}

static double restore(const struct layout *layout, double place)
{
    return layout->figure->logarithmic ? exp(place) : place + 1;
}

/* Where the words beside a mark begin: right of its bar and of the line at 1. */
static double words_at(const struct clopt_figure *figure, const struct clopt_figure_mark *mark)
{
    double at = isnan(mark->value) ? 1 : fmax(1, mark->value);
    return isnan(mark->high) ? at : fmax(at, fmin(mark->high, figure->high));
}

/* Makes the axis as long as the words behind the bars need it. */
static void find_axis(struct layout *layout)
{
    const struct clopt_figure *figure = layout->figure;
    double width = WIDTH - SIDE - layout->left;
    double low = transform(layout, figure->low);
    double span = transform(layout, figure->high) - low;
    double scale = 1; /* the share of the plot that values up to `high` take */
    for (size_t i = 0; i < figure->row_count; i++)
        for (size_t m = 0; m < figure->rows[i].count; m++) {
            const struct clopt_figure_mark *mark = &figure->rows[i].marks[m];
            double at = (transform(layout, words_at(figure, mark)) - low) / span;
            double room = fmax(0.2, 1 - words_width(mark->words) / width);
            scale = at > 0 ? fmin(scale, room / at) : scale;
        }
    layout->axis_low = figure->low;
    layout->axis_high = restore(layout, low + span / scale);
}

/* Counts the lines of the legend, or puts it, where `put` is set. */
static size_t legend(struct layout *layout, bool put)
{
    double x = SIDE;
    size_t line = 0;
    for (size_t s = 0; s < series_count(layout); s++) {
        struct clopt_text label = {0};
        if (!series_shown(layout, s))
            continue;
        clopt_text_append_printable(&label, series_label(layout, s));
        double width = 24 + words_width(clopt_text_string(&label));
        if (x > SIDE && x + width > WIDTH - SIDE) {
            x = SIDE;
            line++;
        }
        double y = (layout->title ? TITLE : 0) + LEGEND * ((double)line + 0.5);
        if (put) {
            double down = 1 - y / layout->height;
            if (is_published(layout, s))
                clopt_text_printf(layout->script,
                                  "set label %zu '' at screen %.6f, screen %.6f point pt %d ps 0.8 "
                                  "lc rgb '" INK "'\n",
                                  ++layout->label_count, (x + 8) / WIDTH, down,
                                  series_point(layout, s));
            else
                clopt_text_printf(layout->script,
                                  "set object rectangle from screen %.6f, screen %.6f to screen "
                                  "%.6f, screen %.6f fillcolor rgb '%s' fillstyle %s %d noborder\n",
                                  (x + 1) / WIDTH, down - 5 / layout->height, (x + 15) / WIDTH,
                                  down + 5 / layout->height, series_color(layout, s),
                                  series_pattern(s) ? "pattern" : "solid",
                                  series_pattern(s) ? series_pattern(s) : 1);
            put_text(layout, x + 20, y, LEFT, false, clopt_text_string(&label), label.length);
        }
        x += width;
        clopt_text_fini(&label);
    }
    return line + 1;
}

static void layout_init(struct layout *layout, const struct clopt_figure *figure, bool title,
                        struct clopt_text *script)
{
    double names = 0;
    *layout = (struct layout){.figure = figure, .script = script, .title = title};
    for (size_t i = 0; i < figure->row_count; i++) {
        layout->plot_height += row_height(&figure->rows[i]);
        names = fmax(names, name_width(figure->rows[i].label));
    }
    layout->legend_lines = legend(layout, false);
    layout->left = fmin(SIDE + names + 8, WIDTH - LEAST_PLOT);
    layout->top = (title ? TITLE : 0) + LEGEND * (double)layout->legend_lines + 4;
    layout->height = layout->top + layout->plot_height + AXIS + (figure->left_out ? NOTE : 0);
    find_axis(layout);
}

/* ---- commands ---- */

static void set_terminal(const struct layout *layout, enum clopt_figure_format format)
{
    double height = layout->height;
    switch (format) {
    case CLOPT_FIGURE_PNG: /* twice as large, for screens of today */
        clopt_text_printf(layout->script,
                          "set terminal pngcairo noenhanced size %d, %.0f font '" FONT
                          ",8' fontscale 2 linewidth 2 pointscale 2 background '#ffffff'\n",
                          2 * WIDTH, 2 * height);
        break;
    case CLOPT_FIGURE_PDF:
        clopt_text_printf(layout->script,
                          "set terminal pdfcairo noenhanced size %.4fin, %.4fin font '" FONT
                          ",8' fontscale 1 linewidth 0.7 background '#ffffff'\n",
                          WIDTH / 96.0, height / 96);
        break;
    default:
        clopt_text_printf(layout->script,
                          "set terminal svg noenhanced size %d, %.0f font '" FONT ",11'%s\n", WIDTH,
                          height, layout->title ? " background '#ffffff'" : "");
        break;
    }
}

/* Numbers the axis: 1, 2 and 5 of every power of ten, only the powers of a long logarithmic one, or
 * steps that are as round. */
static void set_tics(const struct layout *layout)
{
    static const double round[] = {1, 2, 5};
    static const double finer[] = {1, 1.5, 2, 3, 5, 7};
    const char *comma = "";
    double low = layout->axis_low, high = layout->axis_high;
    clopt_text_append(layout->script, "set xtics nomirror scale 0.5 (");
    if (layout->figure->logarithmic) {
        bool short_axis = high / low < 10;
        size_t used = short_axis ? 6 : high / low > 1e3 ? 1 : 3;
        for (int power = (int)floor(log10(low)); power <= (int)ceil(log10(high)); power++)
            for (size_t i = 0; i < used; i++) {
                double value = (short_axis ? finer : round)[i] * pow(10, power);
                if (value < low || value > high)
                    continue;
                clopt_text_printf(layout->script, "%s'%.6g' %.9g", comma, value, value);
                comma = ", ";
            }
    } else {
        double ten = pow(10, floor(log10((high - low) / 8)));
        size_t i = 0;
        while (i < 2 && (high - low) / (round[i] * ten) > 8)
            i++;
        double step = (high - low) / (round[i] * ten) > 8 ? 10 * ten : round[i] * ten;
        for (double n = ceil(low / step); n * step <= high; n++) {
            clopt_text_printf(layout->script, "%s'%.6g' %.9g", comma, n * step, n * step);
            comma = ", ";
        }
    }
    clopt_text_append(layout->script, ")\n");
}

static void set_axes(const struct layout *layout)
{
    clopt_text_printf(layout->script,
                      "set lmargin at screen %.6f\nset rmargin at screen %.6f\n"
                      "set tmargin at screen %.6f\nset bmargin at screen %.6f\n",
                      layout->left / WIDTH, 1.0 - (double)SIDE / WIDTH,
                      1 - layout->top / layout->height,
                      1 - (layout->top + layout->plot_height) / layout->height);
    clopt_text_printf(layout->script,
                      "set border 1 linecolor rgb '" INK "'\nunset key\n"
                      "set tics textcolor rgb '" INK "'\nunset ytics\n%s"
                      "set xrange [%.9g:%.9g]\nset yrange [%.9g:0]\n",
                      layout->figure->logarithmic ? "set logscale x\n" : "", layout->axis_low,
                      layout->axis_high, layout->plot_height);
    set_tics(layout);
    clopt_text_append(layout->script,
                      "set grid xtics linetype 1 linewidth 0.5 linecolor rgb '" GRID "'\n"
                      "set errorbars 0.8\n");
}

/* Puts the name of a row, in the middle of it. */
static void put_name(struct layout *layout, const struct clopt_figure_row *row, double y)
{
    double line = y - SLOT * ((double)name_lines(row->label) - 1) / 2;
    for (const char *rest = row->label; *rest; line += SLOT) {
        size_t part = name_line(rest);
        put_text(layout, layout->left - 8, line, RIGHT, false, rest, part);
        rest += part;
    }
}

/* Returns the middle of a mark of a row. */
static double mark_place(const struct clopt_figure_row *row, double y, size_t mark)
{
    return y + SLOT * ((double)mark - ((double)row->count - 1) / 2);
}

/* Puts a dot in the color of a device that has no bar to be seen beside its words. */
static void put_dot(struct layout *layout, size_t series, double x, double y)
{
    clopt_text_printf(layout->script,
                      "set label %zu '' at screen %.6f, screen %.6f point pt 7 ps 0.5 lc rgb "
                      "'%s'\n",
                      ++layout->label_count, x / WIDTH, 1 - y / layout->height,
                      series_color(layout, series));
}

static void put_words(struct layout *layout, const struct clopt_figure_mark *mark, double y)
{
    double low = transform(layout, layout->axis_low);
    double span = transform(layout, layout->axis_high) - low;
    double width = WIDTH - SIDE - layout->left;
    double x =
        layout->left + (transform(layout, words_at(layout->figure, mark)) - low) / span * width;
    bool published = is_published(layout, mark->series);
    bool bare =
        isnan(mark->value) || fabs(transform(layout, mark->value)) / span * width < THINNEST_BAR;
    if (bare && !published) {
        put_dot(layout, mark->series, x + 8, y);
        x += 8;
    }
    put_text(layout, x + (published ? 9 : 6), y, LEFT, mark->best, mark->words,
             strlen(mark->words));
}

static void put_rows(struct layout *layout)
{
    double end = layout->top;
    for (size_t i = 0; i < layout->figure->row_count; i++) {
        const struct clopt_figure_row *row = &layout->figure->rows[i];
        double middle = end + row_height(row) / 2;
        put_name(layout, row, middle);
        for (size_t m = 0; m < row->count; m++)
            put_words(layout, &row->marks[m], mark_place(row, middle, m));
        end += row_height(row);
    }
}

/* Which marks a block of data has. */
enum block { SOLID, FAINT, INTERVAL, PUBLISHED };

static bool belongs(const struct layout *layout, enum block block,
                    const struct clopt_figure_mark *mark)
{
    bool published = is_published(layout, mark->series);
    if (isnan(mark->value))
        return false;
    if (block == INTERVAL)
        return !isnan(mark->low) && !isnan(mark->high);
    return block == PUBLISHED ? published : !published && mark->faint == (block == FAINT);
}

/* Appends a block of numbers: speed-up, place, ends across, ends along. Returns whether it has any.
 */
static bool put_block(const struct layout *layout, enum block block, size_t series)
{
    double end = 0;
    bool any = false;
    for (size_t i = 0; i < layout->figure->row_count; i++) {
        const struct clopt_figure_row *row = &layout->figure->rows[i];
        double middle = end + row_height(row) / 2;
        end += row_height(row);
        for (size_t m = 0; m < row->count; m++) {
            const struct clopt_figure_mark *mark = &row->marks[m];
            double y = mark_place(row, middle, m);
            bool interval = block == INTERVAL;
            if (mark->series != series || !belongs(layout, block, mark))
                continue;
            if (!any)
                clopt_text_printf(layout->script, "$marks_%d_%zu << END_OF_MARKS\n", block, series);
            any = true;
            clopt_text_printf(layout->script, "%.9g %.9g %.9g %.9g %.9g %.9g\n", mark->value, y,
                              interval ? fmax(mark->low, layout->figure->low) : 1.0,
                              interval ? fmin(mark->high, layout->figure->high) : mark->value,
                              y - BAR / 2.0, y + BAR / 2.0);
        }
    }
    if (any)
        clopt_text_append(layout->script, "END_OF_MARKS\n");
    return any;
}

/* Appends how a block is drawn. */
static void put_plot(const struct layout *layout, enum block block, size_t series,
                     struct clopt_text *plots)
{
    const char *color = series_color(layout, series);
    int pattern = series_pattern(series);
    clopt_text_printf(plots, ", $marks_%d_%zu using ", block, series);
    if (block == INTERVAL)
        clopt_text_append(plots, "1:2:3:4 with xerrorbars pt -1 lw 1 lc rgb '" INK "'");
    else if (block == PUBLISHED)
        clopt_text_printf(plots,
                          "1:2 with points pt %d ps 0.8 lc rgb '" INK "', $marks_%d_%zu using "
                          "3:2:($4-$3):(0) with vectors nohead dt 3 lc rgb '" INK "'",
                          series_point(layout, series), block, series);
    else if (pattern)
        clopt_text_printf(plots, "1:2:3:4:5:6 with boxxyerror fs pattern %d lc rgb '%s'", pattern,
                          color);
    else
        clopt_text_printf(plots, "1:2:3:4:5:6 with boxxyerror fs %s noborder lc rgb '%s'",
                          block == FAINT ? "transparent solid 0.4" : "solid 1", color);
    clopt_text_append(plots, " notitle");
}

static void put_marks(const struct layout *layout)
{
    static const enum block order[] = {SOLID, FAINT, INTERVAL, PUBLISHED};
    struct clopt_text plots = {0};
    clopt_text_printf(layout->script, "$one << END_OF_MARKS\n1 0\n1 %.9g\nEND_OF_MARKS\n",
                      layout->plot_height);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        for (size_t s = 0; s < series_count(layout); s++)
            if (put_block(layout, order[i], s))
                put_plot(layout, order[i], s, &plots);
    clopt_text_append(layout->script,
                      "plot $one using 1:2 with lines lw 1.5 lc rgb '" INK "' notitle");
    clopt_text_append(layout->script, clopt_text_string(&plots));
    clopt_text_append(layout->script, "\n");
    layout->script->failed |= plots.failed;
    clopt_text_fini(&plots);
}

/* Says below the axis what it is, and what is not shown. */
static void put_captions(struct layout *layout)
{
    const struct clopt_figure *figure = layout->figure;
    struct clopt_text text = {0};
    double y = layout->top + layout->plot_height + 32;
    clopt_text_printf(
        &text, "Speed-up over the initial code, with 95%% intervals%s; bold: the best of a device",
        figure->logarithmic ? " (logarithmic)" : "");
    put_text(layout, layout->left, y, LEFT, false, clopt_text_string(&text), text.length);
    clopt_text_clear(&text);
    if (figure->left_out) {
        clopt_text_printf(&text, "The best %zu variants of each device; %zu others are left out",
                          figure->chosen, figure->left_out);
        put_text(layout, layout->left, y + NOTE, LEFT, false, clopt_text_string(&text),
                 text.length);
    }
    clopt_text_fini(&text);
}

void clopt_figure_script(const struct clopt_figure *figure, enum clopt_figure_format format,
                         const char *title, struct clopt_text *script)
{
    struct layout layout;
    layout_init(&layout, figure, title != NULL, script);
    layout.bold =
        format == CLOPT_FIGURE_SVG ? " font '" FONT ":Bold,11'" : " font '" FONT ":Bold,8'";
    clopt_text_append(script, "set encoding utf8\n");
    set_terminal(&layout, format);
    set_axes(&layout);
    if (title)
        put_text(&layout, SIDE, 0.5 * TITLE, LEFT, true, title, strlen(title));
    legend(&layout, true);
    put_rows(&layout);
    put_captions(&layout);
    put_marks(&layout);
}
