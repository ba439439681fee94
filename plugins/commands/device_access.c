/* SPDX-License-Identifier: BSD-3-Clause */
/* What a device gives for each pattern of access: for `clopt devices --patterns`. */
#include "commands/device_access.h"

#include <math.h>

#include "text/table.h"

#define HEIGHT 420

/* ---- the table ---- */

/* Adds a row for a kind: what it is called, a number a point and what it means. */
static void add_cells(struct clopt_table *table, const struct clopt_access_rates *rates,
                      enum clopt_access_kind kind)
{
    clopt_table_cell(table, "%s", clopt_access_kind_name(kind));
    for (unsigned p = 0; p < CLOPT_ACCESS_POINTS; p++)
        if (p >= clopt_access_points(kind))
            clopt_table_cell(table, "%s", "");
        else if (isnan(rates->gbytes_per_s[kind][p]))
            clopt_table_cell(table, "--");
        else
            clopt_table_cell(table, "%.3g", rates->gbytes_per_s[kind][p]);
    clopt_table_cell(table, "%s", clopt_access_kind_words(kind));
    clopt_table_end_row(table);
}

static void add_heading(struct clopt_table *table, const char *title, unsigned points)
{
    clopt_table_cell(table, "%s", title);
    for (unsigned p = 0; p < CLOPT_ACCESS_POINTS; p++)
        clopt_table_cell(table, "%.0u", p < points ? 1u << p : 0);
    clopt_table_end_row(table);
}

/* ---- what vectors give ---- */

/* Adds what vectors of a kind give over none: of 4 elements, and of the best width. With KINDS the
 * cells stay empty. */
static void add_gains(struct clopt_table *table, const struct clopt_access_rates *rates,
                      enum clopt_access_kind kind)
{
    const double *own = kind == CLOPT_ACCESS_KINDS ? NULL : rates->gbytes_per_s[kind];
    unsigned best = 1;
    for (unsigned p = 2; own && p < clopt_access_points(kind); p++)
        best = own[p] > own[best] || isnan(own[best]) ? p : best;
    if (!own || isnan(own[best] / *own)) {
        clopt_table_cell(table, "%s", own ? "--" : "");
        clopt_table_cell(table, "%s", own ? "--" : "");
        return;
    }
    clopt_table_cell(table, isnan(own[2]) ? "--" : "%.2f", own[2] / *own);
    clopt_table_cell(table, "%.2f (%u)", own[best] / *own, 1u << best);
}

/* Adds the table: a row a pattern, vectors across work-items beside those within one. */
static enum clopt_status print_gains(const struct clopt_access_rates *rates, FILE *stream,
                                     struct clopt_error *error)
{
    static const enum clopt_access_kind none = CLOPT_ACCESS_KINDS;
    static const struct {
        enum clopt_access_kind across, within;
    } pairs[] = {{CLOPT_ACCESS_SINGLE, none},
                 {CLOPT_ACCESS_ROW, CLOPT_ACCESS_ROW_WITHIN},
                 {CLOPT_ACCESS_COLUMN, CLOPT_ACCESS_COLUMN_WITHIN},
                 {CLOPT_ACCESS_BLOCK, none},
                 {CLOPT_ACCESS_NEIGHBOURS, none},
                 {none, CLOPT_ACCESS_APART}};
    CLOPT_HELD(clopt_table) table = clopt_table_create("lrrrr");
    clopt_table_row(table, "gain by vectors\tacross, 4\tbest (width)\twithin, 4\tbest (width)");
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        clopt_table_cell(
            table, "%s",
            clopt_access_kind_name(pairs[i].across == none ? pairs[i].within : pairs[i].across));
        add_gains(table, rates, pairs[i].across);
        add_gains(table, rates, pairs[i].within);
        clopt_table_end_row(table);
    }
    return clopt_table_print(table, stream, 2, error);
}

enum clopt_status clopt_access_print(const struct clopt_access_rates *rates, FILE *stream,
                                     struct clopt_error *error)
{
    CLOPT_HELD(clopt_table) table = clopt_table_create("lrrrrrrrl");
    add_heading(table, "GB/s by width", clopt_access_points(CLOPT_ACCESS_SINGLE));
    for (enum clopt_access_kind kind = 0; kind < CLOPT_ACCESS_KINDS; kind++)
        if (kind != CLOPT_ACCESS_STRIDED)
            add_cells(table, rates, kind);
    add_heading(table, "by distance", CLOPT_ACCESS_POINTS);
    add_cells(table, rates, CLOPT_ACCESS_STRIDED);
    CLOPT_TRY(clopt_table_print(table, stream, 2, error));
    return print_gains(rates, stream, error);
}

/* ---- the chart ---- */

/* Adds a panel of the kinds that are measured over widths, or of the other one. */
static void add_panel(struct clopt_chart *chart, const struct clopt_access_rates *rates,
                      bool widths)
{
    clopt_chart_panel(chart, NULL);
    clopt_chart_axis(chart, CLOPT_LOG_X, 0.9, widths ? 18 : 72,
                     widths ? "vector width" : "distance of neighbours in elements");
    clopt_chart_axis(chart, CLOPT_LOG_Y, 0, 0, widths ? "GB/s" : NULL);
    for (unsigned p = 0; p < clopt_access_points(widths ? 0 : CLOPT_ACCESS_STRIDED); p++)
        clopt_chart_tic(chart, CLOPT_X, 1u << p, "%u", 1u << p);
    for (enum clopt_access_kind kind = 0; kind < CLOPT_ACCESS_KINDS; kind++) {
        if ((kind != CLOPT_ACCESS_STRIDED) != widths || kind == CLOPT_ACCESS_ROW_WITHIN ||
            kind == CLOPT_ACCESS_COLUMN_WITHIN) /* more than there are colors */
            continue;
        clopt_chart_series(chart, CLOPT_SERIES_LINE, clopt_chart_color(kind),
                           clopt_access_kind_name(kind));
        for (unsigned p = 0; p < clopt_access_points(kind); p++)
            if (!isnan(rates->gbytes_per_s[kind][p]))
                clopt_chart_xy(chart, 1u << p, rates->gbytes_per_s[kind][p]);
    }
}

void clopt_access_draw(const struct clopt_access_rates *rates, const char *platform,
                       const char *device, struct clopt_document *document)
{
    struct clopt_chart chart;
    clopt_chart_begin(&chart, HEIGHT, "access", platform, device, NULL);
    clopt_chart_title(&chart, "%s: bandwidth by pattern of access", device);
    chart.columns = 2;
    add_panel(&chart, rates, true);
    add_panel(&chart, rates, false);
    clopt_document_chart(document, &chart);
}
