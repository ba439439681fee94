/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws what simulated searches reach: medians as lines, the middle half of the runs around them.
 */
#include <math.h>
#include <string.h>

#include "base/program.h"
#include "report/simulation.h"

#define HEIGHT 380

/* Colors that also people who are color-blind can tell apart, after Okabe and Ito. */
static const char *const colors[] = {"#0072b2", "#e69f00", "#009e73", "#d55e00",
                                     "#56b4e9", "#cc79a7", "#777777"};
#define COLORS (sizeof colors / sizeof *colors)

/* The axis begins where the slowest strategy is after a tenth of the budget. */
static double find_low(const struct clopt_simulation *simulation)
{
    double low = 1;
    for (size_t i = 0; i < simulation->count; i++)
        low = fmin(low, simulation->curves[i].by_trials[simulation->budget / 10].first_quarter);
    return fmin(0.9, floor(low * 10) / 10);
}

static void append_block(struct clopt_text *script, const char *name, size_t number,
                         const struct clopt_simulated *reached, size_t count, double step)
{
    clopt_text_printf(script, "$%s_%zu << END_OF_CURVE\n", name, number);
    for (size_t i = 0; i < count; i++)
        clopt_text_printf(script, "%.9g %.9g %.9g %.9g\n", step * (double)(i + 1),
                          reached[i].first_quarter, reached[i].median, reached[i].third_quarter);
    clopt_text_append(script, "END_OF_CURVE\n");
}

static void append_panel(struct clopt_text *script, const struct clopt_simulation *simulation,
                         const char *name, const char *label, double end, double left, double right)
{
    clopt_text_printf(script,
                      "set lmargin at screen %.3f\nset rmargin at screen %.3f\n"
                      "set xlabel '%s'\nset xrange [0:%.9g]\nplot ",
                      left, right, label, end);
    for (size_t i = 0; i < simulation->count; i++)
        clopt_text_printf(
            script,
            "$%s_%zu using 1:2:4 with filledcurves fs transparent solid 0.15 noborder "
            "lc rgb '%s' notitle, ",
            name, i, colors[i % COLORS]);
    for (size_t i = 0; i < simulation->count; i++)
        clopt_text_printf(
            script, "$%s_%zu using 1:3 with lines lw 2 dt %zu lc rgb '%s' title '%s'%s", name, i,
            i / COLORS + 1, colors[i % COLORS], simulation->curves[i].strategy->name,
            i + 1 < simulation->count ? ", " : "\n");
}

static void append_title(struct clopt_text *script, const struct clopt_simulation *simulation)
{
    struct clopt_text title = {0};
    clopt_text_printf(
        &title, "%s: best time divided by best found, median and middle half of %zu runs",
        *simulation->recording->name ? simulation->recording->name : simulation->title,
        simulation->repeat);
    clopt_text_append(script, "set label 1 ");
    clopt_figure_append_quoted(script, clopt_text_string(&title), title.length);
    clopt_text_append(script, " at screen 0.015, screen 0.965 left front\n");
    script->failed |= title.failed;
    clopt_text_fini(&title);
}

static void append_script(struct clopt_text *script, const struct clopt_simulation *simulation,
                          enum clopt_figure_format format)
{
    bool timed = simulation->limit_s > 0;
    double unit_s = simulation->limit_s < 120 ? 1 : simulation->limit_s < 7200 ? 60 : 3600;
    double step = 1 / (double)simulation->budget;
    clopt_text_append(script, "set encoding utf8\n");
    clopt_figure_append_terminal(script, format, HEIGHT, true);
    for (size_t i = 0; i < simulation->count; i++) {
        append_block(script, "trials", i, simulation->curves[i].by_trials, simulation->budget, 1);
        append_block(script, "time", i, simulation->curves[i].by_seconds, simulation->budget,
                     simulation->limit_s / unit_s * step);
    }
    clopt_text_append(script, "set multiplot\n");
    append_title(script, simulation);
    clopt_text_printf(script,
                      "set tmargin at screen 0.92\nset bmargin at screen 0.14\n"
                      "set border 3\nset tics nomirror scale 0.5\nset key bottom right\n"
                      "set grid linetype 1 linewidth 0.5 linecolor rgb '#dddddd'\n"
                      "set yrange [%.9g:1]\n",
                      find_low(simulation));
    append_panel(script, simulation, "trials", "trials", (double)simulation->budget, 0.06,
                 timed ? 0.49 : 0.97);
    clopt_text_append(script, "unset label 1\nunset key\n");
    if (timed)
        append_panel(script, simulation, "time",
                     unit_s < 2    ? "recorded time in seconds"
                     : unit_s < 61 ? "recorded time in minutes"
                                   : "recorded time in hours",
                     simulation->limit_s / unit_s, 0.555, 0.97);
    clopt_text_append(script, "unset multiplot\n");
}

enum clopt_status clopt_simulation_draw(const struct clopt_simulation *simulation,
                                        const char *gnuplot, enum clopt_figure_format format,
                                        struct clopt_text *output, struct clopt_error *error)
{
    /* -d: what the user has set for figures of their own is not asked for. */
    char *const argv[] = {"gnuplot", "-d", NULL};
    struct clopt_text script = {0}, drawn = {0};
    append_script(&script, simulation, format);
    enum clopt_status status =
        script.failed ? clopt_fail_memory(error)
                      : clopt_program_run(gnuplot, argv, clopt_text_string(&script), &drawn, error);
    if (!status && format == CLOPT_FIGURE_SVG)
        clopt_figure_append_svg(output, clopt_text_string(&drawn), "figure", simulation->title);
    else if (!status)
        clopt_text_append_bytes(output, drawn.data, drawn.length);
    clopt_text_fini(&script);
    clopt_text_fini(&drawn);
    return status;
}
