/* SPDX-License-Identifier: BSD-3-Clause */
/* What a device gives for each pattern of access: a table, and curves over widths and distances. */
#include "report/report.h"

#include <math.h>

#include "text/table.h"

#define HEIGHT 420

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
    CLOPT_HELD(clopt_table) table = clopt_table_create("lrrrrrrrl");
    if (!table)
        return clopt_fail_memory(error);
    add_heading(table, "GB/s by width", clopt_access_points(CLOPT_ACCESS_SINGLE));
    for (enum clopt_access_kind kind = 0; kind < CLOPT_ACCESS_KINDS; kind++)
        if (kind != CLOPT_ACCESS_STRIDED)
            add_cells(table, rates, kind);
    add_heading(table, "by distance", CLOPT_ACCESS_POINTS);
    add_cells(table, rates, CLOPT_ACCESS_STRIDED);
    return clopt_table_print(table, stream, 2, error);
}

/* ---- the chart ---- */

/* Adds a panel of the kinds that are measured over widths, or of the other one. */
static void add_panel(struct clopt_chart *chart, const struct clopt_access_rates *rates,
                      bool widths)
{
    clopt_chart_panel(chart, NULL);
    clopt_chart_x(chart, widths ? "vector width" : "distance of neighbours in elements", true, 0.9,
                  widths ? 18 : 72);
    clopt_chart_y(chart, widths ? "GB/s" : NULL, true, 0, 0);
    for (unsigned p = 0; p < clopt_access_points(widths ? 0 : CLOPT_ACCESS_STRIDED); p++) {
        char label[16];
        snprintf(label, sizeof label, "%u", 1u << p);
        clopt_chart_x_tic(chart, 1u << p, label);
    }
    for (enum clopt_access_kind kind = 0; kind < CLOPT_ACCESS_KINDS; kind++) {
        if ((kind != CLOPT_ACCESS_STRIDED) != widths)
            continue;
        clopt_chart_series(chart, CLOPT_SERIES_LINE, clopt_chart_color(kind),
                           clopt_access_kind_name(kind));
        for (unsigned p = 0; p < clopt_access_points(kind); p++)
            if (!isnan(rates->gbytes_per_s[kind][p]))
                clopt_chart_point(
                    chart, (struct clopt_point){.x = 1u << p, .y = rates->gbytes_per_s[kind][p]});
    }
}

void clopt_access_draw(const struct clopt_access_rates *rates, const char *platform,
                       const char *device, struct clopt_document *document)
{
    struct clopt_chart chart;
    CLOPT_OWNED(clopt_text) title = {0};
    clopt_text_printf(&title, "%s: bandwidth by pattern of access", device);
    clopt_chart_begin(&chart, HEIGHT, clopt_text_string(&title), "access", platform, device, NULL);
    chart.columns = 2;
    add_panel(&chart, rates, true);
    add_panel(&chart, rates, false);
    chart.failed |= title.failed;
    clopt_document_chart(document, &chart);
}
