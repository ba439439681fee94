/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws what a parameter does to the best speed-up: the best of each kernel, and a panel a kernel
 * with the speed-up, and with the local size, of the best variant of each value. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/folder.h"
#include "figure/figure.h"
#include "figure/folder.h"
#include "report/effect.h"

#define COLUMNS      4
#define PANEL_HEIGHT 170
#define TITLE_HEIGHT 70
#define BARS_HEIGHT  420

/* Colors that also people who are color-blind can tell apart, after Okabe and Ito. */
static const char *const colors[] = {"#0072b2", "#e69f00", "#009e73", "#d55e00",
                                     "#56b4e9", "#cc79a7", "#777777"};
#define COLORS (sizeof colors / sizeof *colors)

/* What a panel shows of a value. */
enum kind { SPEEDUPS, SIZES };

struct drawing {
    const struct clopt_effects *effects;
    struct clopt_text script;
    enum clopt_figure_format format;
    const char **labels; /* of the kernels, each once */
    size_t label_count;
};

static void append_quoted(struct drawing *drawing, const char *text)
{
    clopt_figure_append_quoted(&drawing->script, text, strlen(text));
}

/* Names the kernels, each once: those of a device are together. */
static enum clopt_status list_labels(struct drawing *drawing, struct clopt_error *error)
{
    const struct clopt_effects *effects = drawing->effects;
    drawing->labels = calloc(effects->count + 1, sizeof *drawing->labels);
    if (!drawing->labels)
        return clopt_fail_memory(error);
    for (size_t i = 0; i < effects->count; i++) {
        size_t k = 0;
        while (k < drawing->label_count && strcmp(drawing->labels[k], effects->items[i].label) != 0)
            k++;
        if (k == drawing->label_count)
            drawing->labels[drawing->label_count++] = effects->items[i].label;
    }
    return CLOPT_OK;
}

static const struct clopt_effect *find_effect(const struct drawing *drawing, size_t label,
                                              size_t device)
{
    for (size_t i = 0; i < drawing->effects->count; i++)
        if (drawing->effects->items[i].device == device &&
            strcmp(drawing->effects->items[i].label, drawing->labels[label]) == 0)
            return &drawing->effects->items[i];
    return NULL;
}

static void begin(struct drawing *drawing, double height)
{
    clopt_text_append(&drawing->script, "set encoding utf8\n");
    clopt_figure_append_terminal(&drawing->script, drawing->format, height, true);
    clopt_text_append(&drawing->script,
                      "set border 3\nset tics nomirror scale 0.5\n"
                      "set grid y linetype 1 linewidth 0.5 linecolor rgb '#dddddd'\n");
}

/* ---- the best of each kernel ---- */

static void append_bars(struct drawing *drawing, size_t device)
{
    const struct clopt_effects *effects = drawing->effects;
    double width = 0.8 / (double)effects->device_count;
    clopt_text_printf(&drawing->script, "$best_%zu << END_OF_DATA\n", device);
    for (size_t k = 0; k < drawing->label_count; k++) {
        const struct clopt_effect *effect = find_effect(drawing, k, device);
        if (!effect || effect->best == CLOPT_NO_ROW)
            continue;
        const struct clopt_interval *best = &effect->points[effect->best].speedup;
        double x = (double)k + ((double)device + 0.5) * width - 0.4;
        clopt_text_printf(&drawing->script, "%.4f %.6g %.6g %.6g %.4f %.4f %.6g\n", x, best->median,
                          best->low, best->high, x - width / 2, x + width / 2,
                          effect->initial.median);
    }
    clopt_text_append(&drawing->script, "END_OF_DATA\n");
}

static void draw_best(struct drawing *drawing)
{
    const struct clopt_effects *effects = drawing->effects;
    struct clopt_text *script = &drawing->script;
    begin(drawing, BARS_HEIGHT);
    for (size_t d = 0; d < effects->device_count; d++)
        append_bars(drawing, d);
    clopt_text_append(script, "set title ");
    append_quoted(drawing, effects->request->strict
                               ? "Best speed-up over the initial code at its best local size"
                               : "Best speed-up over the initial code");
    clopt_text_append(script, "\nset xtics rotate by -40 (");
    for (size_t k = 0; k < drawing->label_count; k++) {
        append_quoted(drawing, drawing->labels[k]);
        clopt_text_printf(script, " %zu%s", k, k + 1 < drawing->label_count ? ", " : ")\n");
    }
    clopt_text_printf(script,
                      "set xrange [-0.6:%zu-0.4]\nset logscale y 2\nset key top left\n"
                      "set style fill solid\nplot 1 with lines lc rgb '#222222' notitle",
                      drawing->label_count);
    for (size_t d = 0; d < effects->device_count; d++) {
        clopt_text_printf(script,
                          ", $best_%zu using 1:2:5:6:(1):2 with boxxyerror lc rgb '%s' title ", d,
                          colors[d % COLORS]);
        append_quoted(drawing, clopt_effects_device(effects, d));
        clopt_text_printf(script,
                          ", $best_%zu using 1:3:(0):($4-$3) with vectors nohead lc rgb '#222222' "
                          "notitle, $best_%zu using 1:7 with points pt 6 lc rgb '#222222' %s",
                          d, d, d ? "notitle" : "title 'initial code'");
    }
    clopt_text_append(script, "\n");
}

/* ---- a panel a kernel ---- */

/* Returns how many work-items a local size is, as in 16x8; NaN: it is not known. */
static double count_items(const struct clopt_results_row *row)
{
    char *size = clopt_effect_value(row->name, "local_size"), *at = size;
    double items = size ? 1 : NAN;
    while (at && *at) {
        items *= strtod(at, &at);
        at += *at != '\0';
    }
    free(size);
    return items;
}

static double find_y(const struct clopt_effect *effect, size_t value, enum kind kind)
{
    const struct clopt_effect_point *point = &effect->points[value];
    return !point->row ? NAN : kind == SPEEDUPS ? point->speedup.median : count_items(point->row);
}

/* Whether a device has a line in a panel: gnuplot fails over one without a point. */
static bool has_line(const struct drawing *drawing, size_t label, size_t device, enum kind kind)
{
    const struct clopt_effect *effect = find_effect(drawing, label, device);
    for (size_t v = 0; effect && v < drawing->effects->value_count; v++)
        if (!isnan(find_y(effect, v, kind)))
            return true;
    return false;
}

static void append_line(struct drawing *drawing, size_t label, size_t device, enum kind kind)
{
    const struct clopt_effect *effect = find_effect(drawing, label, device);
    clopt_text_printf(&drawing->script, "$line_%zu_%zu << END_OF_DATA\n", label, device);
    for (size_t v = 0; v < drawing->effects->value_count; v++) {
        const struct clopt_interval *speedup = &effect->points[v].speedup;
        double y = find_y(effect, v, kind);
        if (!isnan(y))
            clopt_text_printf(&drawing->script, "%zu %.6g %.6g %.6g\n", v, y,
                              kind == SPEEDUPS ? speedup->low : y,
                              kind == SPEEDUPS ? speedup->high : y);
    }
    clopt_text_append(&drawing->script, "END_OF_DATA\n");
}

/* Appends what a panel plots, and tells whether there is any. */
static bool append_lines(struct drawing *drawing, size_t label, enum kind kind)
{
    bool any = false;
    for (size_t d = 0; d < drawing->effects->device_count; d++)
        if (has_line(drawing, label, d, kind)) {
            append_line(drawing, label, d, kind);
            any = true;
        }
    return any;
}

static void plot_lines(struct drawing *drawing, size_t label, enum kind kind)
{
    struct clopt_text *script = &drawing->script;
    const char *before = "plot ";
    clopt_text_append(script, "set title ");
    append_quoted(drawing, drawing->labels[label]);
    clopt_text_append(script, "\n");
    for (size_t d = 0; d < drawing->effects->device_count; d++) {
        if (!has_line(drawing, label, d, kind))
            continue;
        clopt_text_printf(script,
                          "%s$line_%zu_%zu using 1:2:3:4 with yerrorlines pt 7 ps 0.4 lc rgb '%s' "
                          "notitle",
                          before, label, d, colors[d % COLORS]);
        before = ", ";
    }
    if (*before == 'p')
        clopt_text_append(script, "set multiplot next");
    else if (kind == SPEEDUPS)
        clopt_text_append(script, ", 1 with lines lc rgb '#222222' notitle");
    clopt_text_append(script, "\n");
}

/* Plots nothing but the names of the devices, in a panel of their own. */
static void plot_key(struct drawing *drawing)
{
    struct clopt_text *script = &drawing->script;
    clopt_text_append(script,
                      "set title ' '\nset key center left\nunset border\nunset tics\nunset grid\n"
                      "unset logscale\nset yrange [0:1]\nplot ");
    for (size_t d = 0; d < drawing->effects->device_count; d++) {
        clopt_text_printf(script, "%s-1 with linespoints pt 7 ps 0.4 lc rgb '%s' title ",
                          d ? ", " : "", colors[d % COLORS]);
        append_quoted(drawing, clopt_effects_device(drawing->effects, d));
    }
    clopt_text_append(script, "\n");
}

/* Returns whether there is anything to see. */
static bool draw_panels(struct drawing *drawing, enum kind kind)
{
    const struct clopt_effects *effects = drawing->effects;
    struct clopt_text *script = &drawing->script;
    size_t rows = drawing->label_count / COLUMNS + 1; /* one panel is the key */
    bool any = false;
    begin(drawing, (double)rows * PANEL_HEIGHT + TITLE_HEIGHT);
    for (size_t k = 0; k < drawing->label_count; k++)
        any = append_lines(drawing, k, kind) || any;
    clopt_text_printf(script, "set multiplot layout %zu,%d title ", rows, COLUMNS);
    struct clopt_text title = {0};
    clopt_text_printf(
        &title, kind == SPEEDUPS ? "Best speed-up by %s" : "Best local size by %s, work-items",
        effects->request->parameter);
    append_quoted(drawing, clopt_text_string(&title));
    script->failed |= title.failed;
    clopt_text_fini(&title);
    clopt_text_append(script, "\nset logscale y 2\nset xtics (");
    for (size_t v = 0; v < effects->value_count; v++) {
        append_quoted(drawing, effects->values[v]);
        clopt_text_printf(script, " %zu%s", v, v + 1 < effects->value_count ? ", " : ")\n");
    }
    clopt_text_printf(
        script, "set xrange [-0.3:%zu-0.7]\nset offsets graph 0, graph 0, graph 0.15, graph 0.15\n",
        effects->value_count);
    for (size_t k = 0; k < drawing->label_count; k++)
        plot_lines(drawing, k, kind);
    plot_key(drawing);
    clopt_text_append(script, "unset multiplot\n");
    return any;
}

/* ---- files ---- */

static enum clopt_status write_file(struct drawing *drawing, struct clopt_report_folder *folder,
                                    const char *name, struct clopt_error *error)
{
    const struct clopt_report_effects *request = drawing->effects->request;
    const char *parts[] = {request->parameter, name};
    return clopt_report_folder_draw(folder, parts, 2, request->gnuplot, request->format,
                                    &drawing->script, error);
}

enum clopt_status clopt_effects_draw(const struct clopt_effects *effects, struct clopt_error *error)
{
    const struct clopt_report_effects *request = effects->request;
    struct drawing drawing = {.effects = effects};
    struct clopt_report_folder folder = {.path = request->folder, .stream = request->stream};
    enum clopt_status status = clopt_figure_format_find(request->format, &drawing.format, error);
    if (!status)
        status = clopt_folder_create(request->folder, error);
    if (!status)
        status = list_labels(&drawing, error);
    if (!status) {
        draw_best(&drawing);
        status = write_file(&drawing, &folder, "best", error);
    }
    if (!status) {
        draw_panels(&drawing, SPEEDUPS);
        status = write_file(&drawing, &folder, "values", error);
    }
    if (!status && draw_panels(&drawing, SIZES))
        status = write_file(&drawing, &folder, "local-sizes", error);
    clopt_report_folder_fini(&folder);
    clopt_text_fini(&drawing.script);
    free(drawing.labels);
    return status;
}
