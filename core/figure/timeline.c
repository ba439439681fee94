/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws what each worker of a run did when: a row a worker, a color a stage. */
#include "figure/timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/program.h"
#include "figure/figure_layout.h"

#define COLUMNS 1600 /* of a row: half a pixel each; what is shorter is not seen */
#define LEFT    70
#define TOP     50
#define BELOW   40
#define ENTRY   70 /* of the legend */

/* Colors that also people who are color-blind can tell apart, after Okabe and Ito. */
static const struct {
    const char *name;
    const char *color;
} kinds[] = {{"start", "#aaaaaa"},  {"open", "#e69f00"},   {"peaks", "#f0e442"},
             {"setup", "#cc79a7"},  {"make", "#000000"},   {"build", "#0072b2"},
             {"launch", "#d55e00"}, {"verify", "#56b4e9"}, {"sample", "#009e73"},
             {"count", "#882255"},  {"paused", "#dddddd"}, {"end", "#666666"},
             {"other", "#777777"}};
#define KINDS (sizeof kinds / sizeof *kinds)
#define IDLE  KINDS

static size_t find_kind(const char *name)
{
    size_t kind = 0;
    while (kind < KINDS - 1 && strcmp(kinds[kind].name, name) != 0)
        kind++;
    return kind;
}

/* How long a worker did what in each column, the rest of the time nothing. */
struct row {
    double seconds[COLUMNS][KINDS];
};

static void add(struct row *row, const struct clopt_results_activity *activity, double column_s)
{
    size_t kind = find_kind(activity->stage);
    double from = fmax(activity->began_s / column_s, 0);
    double to = fmin(activity->ended_s / column_s, COLUMNS);
    for (size_t c = (size_t)from; c < COLUMNS && (double)c < to; c++)
        row->seconds[c][kind] += fmin(to, (double)(c + 1)) - fmax(from, (double)c);
}

/* Returns what a worker did most of the time of a column. */
static size_t choose(const struct row *row, size_t column)
{
    size_t most = IDLE;
    double idle = 1;
    for (size_t k = 0; k < KINDS; k++)
        idle -= row->seconds[column][k];
    for (size_t k = 0; k < KINDS; k++)
        if (row->seconds[column][k] > (most == IDLE ? idle : row->seconds[column][most]))
            most = k;
    return most;
}

/* Appends a row's rectangles to the blocks of their kinds. */
static void append_row(struct clopt_text *blocks, const struct row *row, size_t worker,
                       double column)
{
    size_t began = 0;
    for (size_t c = 1; c <= COLUMNS; c++) {
        size_t kind = choose(row, began);
        if (c < COLUMNS && choose(row, c) == kind)
            continue;
        if (kind != IDLE)
            clopt_text_printf(&blocks[kind], "%.9g %zu %.9g %.9g %.9g %.9g\n",
                              (double)began * column, worker, (double)began * column,
                              (double)c * column, (double)worker - 0.4, (double)worker + 0.4);
        began = c;
    }
}

/* In what the axis is divided: seconds, minutes or hours. */
static double unit_of(double end_s)
{
    return end_s < 300 ? 1 : end_s < 18000 ? 60 : 3600;
}

/* Makes the blocks of all rows; activities are ordered by worker. */
static enum clopt_status make_blocks(const struct clopt_results *results, double end_s,
                                     struct clopt_text *blocks, struct clopt_error *error)
{
    double column_s = end_s / COLUMNS;
    struct row *row = calloc(1, sizeof *row);
    if (!row)
        return clopt_fail_memory(error);
    for (size_t i = 0; i < results->activity_count; i++) {
        const struct clopt_results_activity *activity = &results->activities[i];
        add(row, activity, column_s);
        if (i + 1 < results->activity_count && activity[1].worker == activity->worker)
            continue;
        append_row(blocks, row, activity->worker + 1, column_s / unit_of(end_s));
        memset(row, 0, sizeof *row);
    }
    free(row);
    return CLOPT_OK;
}

/* Appends what is above the rows: a title, and which color is which. */
static void append_legend(struct clopt_text *script, const struct clopt_text *blocks,
                          const char *title, double height)
{
    double x = LEFT, y = 1 - 36 / height;
    if (title) {
        clopt_text_append(script, "set label ");
        clopt_figure_append_quoted(script, title, strlen(title));
        clopt_text_printf(script, " at screen %.6f, screen %.6f left front\n",
                          (double)CLOPT_FIGURE_SIDE / CLOPT_FIGURE_WIDTH, 1 - 13 / height);
    }
    for (size_t k = 0; k < KINDS; k++) {
        if (!blocks[k].length)
            continue;
        clopt_text_printf(script,
                          "set object rectangle from screen %.6f, screen %.6f to screen %.6f, "
                          "screen %.6f fillcolor rgb '%s' fillstyle solid 1 noborder\n"
                          "set label '%s' at screen %.6f, screen %.6f left front\n",
                          x / CLOPT_FIGURE_WIDTH, y - 5 / height, (x + 12) / CLOPT_FIGURE_WIDTH,
                          y + 5 / height, kinds[k].color, kinds[k].name,
                          (x + 16) / CLOPT_FIGURE_WIDTH, y);
        x += ENTRY;
    }
}

static void append_plot(struct clopt_text *script, const struct clopt_text *blocks)
{
    const char *before = "plot ";
    for (size_t k = 0; k < KINDS; k++) {
        if (!blocks[k].length)
            continue;
        clopt_text_printf(script,
                          "%s$kind_%zu using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder lc "
                          "rgb '%s' notitle",
                          before, k, kinds[k].color);
        before = ", ";
    }
    clopt_text_append(script, "\n");
}

static void append_script(struct clopt_text *script, const struct clopt_text *blocks,
                          size_t workers, double end_s, enum clopt_figure_format format,
                          const char *title)
{
    double height = TOP + CLOPT_FIGURE_SLOT * (double)workers + BELOW;
    double unit_s = unit_of(end_s);
    clopt_text_append(script, "set encoding utf8\n");
    clopt_figure_append_terminal(script, format, height, title != NULL);
    for (size_t k = 0; k < KINDS; k++)
        if (blocks[k].length)
            clopt_text_printf(script, "$kind_%zu << END_OF_KIND\n%sEND_OF_KIND\n", k,
                              clopt_text_string(&blocks[k]));
    append_legend(script, blocks, title, height);
    clopt_text_printf(script,
                      "set lmargin at screen %.6f\nset rmargin at screen %.6f\n"
                      "set tmargin at screen %.6f\nset bmargin at screen %.6f\n"
                      "set border 1\nunset key\nset xrange [0:%.9g]\nset yrange [%zu.5:0.5]\n"
                      "set xtics nomirror scale 0.5\n"
                      "set label '%s since the run began' at screen 0.5, screen %.6f center\n"
                      "set ytics 1,1 scale 0\nset format y 'worker %%.0f'\n"
                      "set grid xtics linetype 1 linewidth 0.5 linecolor rgb '#dddddd'\n",
                      (double)LEFT / CLOPT_FIGURE_WIDTH,
                      1 - (double)CLOPT_FIGURE_SIDE / CLOPT_FIGURE_WIDTH, 1 - TOP / height,
                      BELOW / height, end_s / unit_s, workers,
                      unit_s < 2    ? "seconds"
                      : unit_s < 61 ? "minutes"
                                    : "hours",
                      12 / height);
    append_plot(script, blocks);
}

enum clopt_status clopt_timeline_draw(const struct clopt_results *results, const char *gnuplot,
                                      enum clopt_figure_format format, const char *title,
                                      struct clopt_text *output, struct clopt_error *error)
{
    /* -d: what the user has set for figures of their own is not asked for. */
    char *const argv[] = {"gnuplot", "-d", NULL};
    struct clopt_text script = {0}, blocks[KINDS] = {{0}};
    size_t workers = 0;
    double end_s = 0;
    for (size_t i = 0; i < results->activity_count; i++) {
        workers = results->activities[i].worker + 1;
        end_s = fmax(end_s, results->activities[i].ended_s);
    }
    if (!(end_s > 0))
        return CLOPT_OK;
    enum clopt_status status = make_blocks(results, end_s, blocks, error);
    append_script(&script, blocks, workers, end_s, format, title);
    for (size_t k = 0; k < KINDS; k++) {
        script.failed |= blocks[k].failed;
        clopt_text_fini(&blocks[k]);
    }
    if (!status)
        status = script.failed
                     ? clopt_fail_memory(error)
                     : clopt_program_run(gnuplot, argv, clopt_text_string(&script), output, error);
    clopt_text_fini(&script);
    return status;
}
