/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows how fast a device accesses memory in each pattern. */
#include "figure/access_figure.h"

#include <math.h>
#include <string.h>

#include "base/program.h"
#include "base/table.h"
#include "figure/figure.h"

#define HEIGHT 400

/* Colors that also people who are color-blind can tell apart, after Okabe and Ito. */
static const char *const colors[CLOPT_ACCESS_KINDS] = {"#0072b2", "#e69f00", "#009e73", "#d55e00",
                                                       "#56b4e9", "#cc79a7", "#777777", "#000000"};

/* ---- the table ---- */

static void add_cells(struct clopt_table *table, const struct clopt_access_rates *rates,
                      enum clopt_access_kind kind)
{
    clopt_table_cell(table, "%s", clopt_access_kind_name(kind));
    for (unsigned p = 0; p < clopt_access_points(kind); p++)
        if (isnan(rates->gbytes_per_s[kind][p]))
            clopt_table_cell(table, "--");
        else
            clopt_table_cell(table, "%.3g", rates->gbytes_per_s[kind][p]);
    for (unsigned p = clopt_access_points(kind); p < CLOPT_ACCESS_POINTS; p++)
        clopt_table_cell(table, "%s", "");
    clopt_table_cell(table, "%s", clopt_access_kind_words(kind));
    clopt_table_end_row(table);
}

static void add_heading(struct clopt_table *table, const char *title, unsigned points)
{
    clopt_table_cell(table, "%s", title);
    for (unsigned p = 0; p < CLOPT_ACCESS_POINTS; p++)
        if (p < points)
            clopt_table_cell(table, "%u", 1u << p);
        else
            clopt_table_cell(table, "%s", "");
    clopt_table_end_row(table);
}

enum clopt_status clopt_access_print(const struct clopt_access_rates *rates, FILE *stream,
                                     struct clopt_error *error)
{
    struct clopt_table *table = clopt_table_create("lrrrrrrrl");
    if (!table)
        return clopt_fail_memory(error);
    add_heading(table, "GB/s by width", clopt_access_points(CLOPT_ACCESS_SINGLE));
    for (enum clopt_access_kind kind = 0; kind < CLOPT_ACCESS_KINDS; kind++)
        if (kind != CLOPT_ACCESS_STRIDED)
            add_cells(table, rates, kind);
    add_heading(table, "by distance", CLOPT_ACCESS_POINTS);
    add_cells(table, rates, CLOPT_ACCESS_STRIDED);
    enum clopt_status status = clopt_table_print(table, stream, 2, error);
    clopt_table_destroy(table);
    return status;
}

/* ---- the figure ---- */

static void append_block(struct clopt_text *script, const struct clopt_access_rates *rates,
                         enum clopt_access_kind kind)
{
    clopt_text_printf(script, "$%s << END_OF_CURVE\n", clopt_access_kind_name(kind));
    for (unsigned p = 0; p < clopt_access_points(kind); p++)
        if (!isnan(rates->gbytes_per_s[kind][p]))
            clopt_text_printf(script, "%u %.9g\n", 1u << p, rates->gbytes_per_s[kind][p]);
    clopt_text_append(script, "END_OF_CURVE\n");
}

static bool is_known(const struct clopt_access_rates *rates, enum clopt_access_kind kind)
{
    for (unsigned p = 0; p < clopt_access_points(kind); p++)
        if (!isnan(rates->gbytes_per_s[kind][p]))
            return true;
    return false;
}

/* Appends a panel of the kinds that are measured over widths, or of the other one. */
static void append_panel(struct clopt_text *script, const struct clopt_access_rates *rates,
                         bool widths)
{
    const char *before = "plot ";
    clopt_text_printf(script,
                      "set lmargin at screen %s\nset rmargin at screen %s\nset xrange [0.9:%g]\n"
                      "set xlabel '%s'\n",
                      widths ? "0.07" : "0.70", widths ? "0.62" : "0.97", widths ? 18.0 : 72.0,
                      widths ? "vector width" : "distance of neighbours in elements");
    for (enum clopt_access_kind kind = 0; kind < CLOPT_ACCESS_KINDS; kind++) {
        if ((kind != CLOPT_ACCESS_STRIDED) != widths || !is_known(rates, kind))
            continue;
        clopt_text_printf(script,
                          "%s$%s using 1:2 with linespoints lw 2 pt 7 ps 0.6 lc rgb '%s' "
                          "title '%s'",
                          before, clopt_access_kind_name(kind), colors[kind],
                          clopt_access_kind_name(kind));
        before = ", ";
    }
    clopt_text_append(script, "\n");
}

static void append_script(struct clopt_text *script, const struct clopt_access_rates *rates,
                          const char *title)
{
    clopt_text_append(script, "set encoding utf8\n");
    clopt_figure_append_terminal(script, CLOPT_FIGURE_SVG, HEIGHT, true);
    for (enum clopt_access_kind kind = 0; kind < CLOPT_ACCESS_KINDS; kind++)
        append_block(script, rates, kind);
    clopt_text_append(script, "set multiplot\nset label 1 ");
    clopt_figure_append_quoted(script, title, strlen(title));
    clopt_text_append(script,
                      " at screen 0.015, screen 0.965 left front\n"
                      "set tmargin at screen 0.91\nset bmargin at screen 0.27\nset border 3\n"
                      "set tics nomirror scale 0.5\nset logscale x 2\nset logscale y 10\n"
                      "set grid linetype 1 linewidth 0.5 linecolor rgb '#dddddd'\n"
                      "set key at screen 0.5, screen 0.13 center top horizontal maxrows 2\n"
                      "set ylabel 'GB/s' offset 2\n");
    append_panel(script, rates, true);
    clopt_text_append(script, "unset label 1\nunset ylabel\nset key at screen 0.97, screen 0.13 "
                              "right top\n");
    if (is_known(rates, CLOPT_ACCESS_STRIDED))
        append_panel(script, rates, false);
    clopt_text_append(script, "unset multiplot\n");
}

enum clopt_status clopt_access_draw(const struct clopt_access_rates *rates, const char *platform,
                                    const char *device, const char *gnuplot,
                                    struct clopt_report_folder *folder, struct clopt_error *error)
{
    char *const argv[] = {"gnuplot", "-d", NULL}; /* without what the user has set for others */
    const char *const parts[] = {"access", platform, device};
    struct clopt_text script = {0}, drawn = {0}, svg = {0}, title = {0};
    clopt_text_printf(&title, "%s: bandwidth by pattern of access", device);
    append_script(&script, rates, clopt_text_string(&title));
    enum clopt_status status =
        script.failed || title.failed
            ? clopt_fail_memory(error)
            : clopt_program_run(gnuplot, argv, clopt_text_string(&script), &drawn, error);
    if (!status) {
        clopt_figure_append_svg(&svg, clopt_text_string(&drawn), "figure",
                                clopt_text_string(&title));
        status = clopt_report_folder_write(folder, parts, 3, "svg", &svg, error);
    }
    clopt_text_fini(&title);
    clopt_text_fini(&script);
    clopt_text_fini(&drawn);
    clopt_text_fini(&svg);
    return status;
}
