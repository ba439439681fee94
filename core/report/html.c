/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes texts and tables for a page. */
#include "report/html.h"

#include <stdlib.h>
#include <string.h>

/* Readable in the dark, on a phone (what is wide is scrolled by itself), and on paper. Figures are
 * drawn in two inks, which become others in the dark. */
const char clopt_html_style[] =
    ":root{color-scheme:light dark;--ground:#fff;--ink:#222;--soft:#666;--line:#ddd;"
    "--warn:#8a4b00;--link:#0058a3}\n"
    "@media (prefers-color-scheme:dark){:root{--ground:#161616;--ink:#ddd;--soft:#999;"
    "--line:#3a3a3a;--warn:#f0b060;--link:#7ab8f5}}\n"
    "body{margin:0 auto;max-width:68rem;padding:1rem;background:var(--ground);color:var(--ink);"
    "font:16px/1.45 system-ui,sans-serif}\n"
    "h1{font-size:1.6rem}h2{font-size:1.3rem;margin-top:3rem;border-top:2px solid var(--line);"
    "padding-top:1rem}h3{font-size:1.1rem;margin-top:2rem}\n"
    "a{color:var(--link)}p,li{overflow-wrap:anywhere}.soft{color:var(--soft)}"
    ".warning{color:var(--warn);font-weight:bold}\n"
    ".wide{overflow-x:auto;margin:1rem 0}figure{margin:1rem 0}\n"
    "svg{display:block;min-width:44rem;max-width:100%;height:auto}\n"
    "svg [fill=\"#222222\"],svg [fill=\"black\"]{fill:var(--ink)}\n"
    "svg [stroke=\"#222222\"],svg [stroke=\"black\"]{stroke:var(--ink)}\n"
    "svg [color=\"#222222\"],svg [color=\"black\"]{color:var(--ink)}\n"
    "svg [stroke=\"#dddddd\"]{stroke:var(--line)}\n"
    "table{border-collapse:collapse;font-size:.9rem}caption{text-align:left;font-weight:bold;"
    "padding:.3rem 0}\n"
    "th,td{padding:.15rem .5rem;text-align:left;vertical-align:top;"
    "border-bottom:1px solid var(--line)}\n"
    "tbody th{font-weight:normal;overflow-wrap:break-word;min-width:12rem;max-width:24rem}\n"
    "td.number{text-align:right;padding-right:0;white-space:pre;"
    "font-family:ui-monospace,monospace}td{white-space:nowrap}\n"
    "@media print{@page{margin:1.2cm}body{max-width:none;padding:0;font-size:9pt}"
    "table{font-size:7pt}td{white-space:normal}td,th{padding:.1rem .3rem}tbody th{min-width:9rem}"
    ".wide{overflow:visible}"
    "figure,tr{break-inside:avoid}h2,h3,caption{break-after:avoid}svg{min-width:0}nav{display:none}"
    "}"
    "\n";

void clopt_html_append(struct clopt_text *page, const char *string)
{
    struct clopt_text clean = {0};
    clopt_text_append_printable(&clean, string);
    for (const char *c = clopt_text_string(&clean); *c; c++)
        switch (*c) {
        case '<':
            clopt_text_append(page, "&lt;");
            break;
        case '>':
            clopt_text_append(page, "&gt;");
            break;
        case '&':
            clopt_text_append(page, "&amp;");
            break;
        case '"':
            clopt_text_append(page, "&quot;");
            break;
        case '\'':
            clopt_text_append(page, "&#39;");
            break;
        default:
            clopt_text_append_char(page, *c);
            break;
        }
    page->failed |= clean.failed;
    clopt_text_fini(&clean);
}

void clopt_html_append_name(struct clopt_text *page, const char *name)
{
    while (*name) {
        struct clopt_text part = {0};
        size_t length = strcspn(name, "+,");
        length += name[length] != '\0';
        clopt_text_append_bytes(&part, name, length);
        clopt_html_append(page, clopt_text_string(&part));
        clopt_text_append(page, name[length] ? "<wbr/>" : "");
        page->failed |= part.failed;
        clopt_text_fini(&part);
        name += length;
    }
}

void clopt_html_element(struct clopt_text *page, const char *element, const char *what,
                        const char *string)
{
    clopt_text_printf(page, "<%s", element);
    if (what)
        clopt_text_printf(page, " class=\"%s\"", what);
    clopt_text_append(page, ">");
    clopt_html_append(page, string);
    clopt_text_printf(page, "</%s>\n", element);
}

/* Appends the marks of notes, "[1][3]", as links. */
static void append_marks(struct clopt_text *page, const char *marks, const char *notes)
{
    for (const char *at = marks; (at = strchr(at, '['));) {
        unsigned long number = strtoul(++at, NULL, 10);
        clopt_text_printf(page, " <a href=\"#%s-%lu\">[%lu]</a>", notes, number, number);
    }
}

/* Appends the two cells of a device. */
static void append_cell(struct clopt_text *page, const struct clopt_cell *cell, const char *notes)
{
    const char *before = cell->best ? "<strong>" : "";
    const char *after = cell->best ? "</strong>" : "";
    clopt_text_printf(page, "<td class=\"number\">%s", before);
    clopt_html_append(page, cell->number ? cell->number : "");
    clopt_text_printf(page, "%s</td><td>%s", after, before);
    clopt_html_append(page, cell->comment ? cell->comment : "");
    clopt_text_append(page, after);
    append_marks(page, cell->marks, notes);
    clopt_text_append(page, "</td>");
}

static void append_heads(struct clopt_text *page, const struct clopt_grid *grid)
{
    clopt_text_append(page, "<thead><tr><th scope=\"col\">Variant</th>");
    if (grid->lines)
        clopt_text_append(page, "<th scope=\"col\">Lines</th>");
    for (size_t d = clopt_grid_next_column(grid, 0); d < grid->columns;
         d = clopt_grid_next_column(grid, d + 1)) {
        clopt_text_append(page, "<th scope=\"col\" colspan=\"2\">");
        clopt_html_append(page, clopt_grid_label(grid, d));
        clopt_text_append(page, "</th>");
    }
    clopt_text_append(page, "</tr></thead>\n");
}

static void append_row(struct clopt_text *page, const struct clopt_grid *grid, size_t row,
                       const char *notes)
{
    clopt_text_append(page, "<tr><th scope=\"row\">");
    clopt_html_append_name(page, grid->view->rows[row].label);
    clopt_text_append(page, "</th>");
    if (grid->lines)
        clopt_text_printf(page, "<td class=\"number\">%d</td>", clopt_grid_lines(grid, row));
    for (size_t d = clopt_grid_next_column(grid, 0); d < grid->columns;
         d = clopt_grid_next_column(grid, d + 1))
        append_cell(page, clopt_grid_cell(grid, row, d), notes);
    clopt_text_append(page, "</tr>\n");
}

enum clopt_status clopt_html_table(struct clopt_text *page, struct clopt_grid *grid,
                                   const char *notes, struct clopt_error *error)
{
    if (!grid->shown)
        return CLOPT_OK;
    enum clopt_status status = clopt_grid_align(grid, error);
    if (status)
        return status;
    clopt_text_append(page, "<div class=\"wide\"><table>\n");
    struct clopt_text heading = {0};
    clopt_grid_heading(grid, &heading);
    clopt_html_element(page, "caption", NULL, clopt_text_string(&heading));
    clopt_text_fini(&heading);
    append_heads(page, grid);
    clopt_text_append(page, "<tbody>\n");
    for (size_t i = 0; i < grid->view->row_count; i++)
        if (grid->rows_shown[i])
            append_row(page, grid, i, notes);
    clopt_text_append(page, "</tbody>\n</table></div>\n");
    return CLOPT_OK;
}

void clopt_html_notes(struct clopt_text *page, const struct clopt_footnotes *notes,
                      const char *name)
{
    if (notes->count == 0)
        return;
    clopt_text_append(page, "<h3>Notes</h3>\n<ol>\n");
    for (size_t i = 0; i < notes->count; i++) {
        clopt_text_printf(page, "<li id=\"%s-%zu\">", name, i + 1);
        clopt_html_append(page, notes->texts[i]);
        clopt_text_append(page, "</li>\n");
    }
    clopt_text_append(page, "</ol>\n");
}
