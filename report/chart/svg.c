/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a figure of gnuplot's a part of a page. */
#include "chart/chart.h"

/* Whether one of gnuplot's names of a part begins here; returns how long what precedes it is. */
static size_t before_name(const char *at)
{
    static const char *const begins[] = {" id='", " id=\"", "href='#", "href=\"#", "url(#"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(at, begins[i], strlen(begins[i])) == 0)
            return strlen(begins[i]);
    return 0;
}

/* Appends a text, up to the next tag. */
static const char *append_text(struct clopt_text *page, const char *at)
{
    for (; *at && *at != '<'; at++)
        if (*at == '>')
            clopt_text_append(page, "&gt;");
        else
            clopt_text_append_char(page, *at);
    return at;
}

/* Appends a color, which gnuplot writes in several ways, as #rrggbb, so that the page's style can
 * tell which it is. Returns how long gnuplot's way is; 0: there is none here. */
static size_t append_color(struct clopt_text *page, const char *at)
{
    unsigned red, green, blue;
    int length = 0;
    if (sscanf(at, "rgb(%3u ,%3u ,%3u )%n", &red, &green, &blue, &length) < 3 || length == 0)
        return 0;
    clopt_text_printf(page, "#%02x%02x%02x", red, green, blue);
    return (size_t)length;
}

/* Appends the next part of a tag as it has to be in a page; returns how much of gnuplot's it is. */
static size_t append_part(struct clopt_text *page, const char *at, const char *name)
{
    static const char bold[] =
        ":Bold\""; /* after the name of a font: SVG has its own word for it */
    size_t length = append_color(page, at);
    if (length)
        return length;
    if (strncmp(at, bold, strlen(bold)) == 0) {
        clopt_text_append(page, "\" font-weight=\"bold\"");
        return strlen(bold);
    }
    length = before_name(at);
    clopt_text_append_bytes(page, at, length ? length : 1);
    if (length)
        clopt_text_printf(page, "%s-", name);
    return length ? length : 1;
}

/* Appends a tag with the names in it made those of this figure. */
static const char *append_tag(struct clopt_text *page, const char *at, const char *name)
{
    while (*at && *at != '>')
        at += append_part(page, at, name);
    clopt_text_append_char(page, '>');
    return *at ? at + 1 : at;
}

/* Returns where an element ends that is not wanted: a name or a remark of gnuplot's. NULL: none. */
static const char *skip_element(const char *at)
{
    static const char *const unwanted[] = {"title", "desc"};
    for (size_t i = 0; i < sizeof unwanted / sizeof *unwanted; i++) {
        char end[16];
        size_t length = strlen(unwanted[i]);
        snprintf(end, sizeof end, "</%s>", unwanted[i]);
        if (strncmp(at + 1, unwanted[i], length) != 0 || at[1 + length] != '>')
            continue;
        const char *after = strstr(at, end);
        return after ? after + strlen(end) : NULL;
    }
    return NULL;
}

void clopt_chart_append_svg(struct clopt_text *page, const char *svg, const char *name,
                            const char *title)
{
    static const char root[] = "<svg";
    const char *at = strstr(svg, root);
    if (!at)
        return;
    clopt_text_printf(page, "%s role=\"img\" aria-label=\"", root);
    clopt_html_append(page, title);
    clopt_text_append(page, "\"");
    at += strlen(root);
    while (*at) { /* in texts, gnuplot writes &lt; but > as it is */
        at = append_tag(page, at, name);
        at = append_text(page, at);
        for (const char *after; *at && (after = skip_element(at));)
            at = append_text(page, after);
    }
}

/* ---- texts ---- */

void clopt_html_append_char(struct clopt_text *page, char character)
{
    static const char special[] = "<>&\"'";
    static const char *const entities[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&#39;"};
    for (size_t i = 0; special[i]; i++)
        if (character == special[i]) {
            clopt_text_append(page, entities[i]);
            return;
        }
    clopt_text_append_char(page, character);
}

void clopt_html_append(struct clopt_text *page, const char *string)
{
    CLOPT_OWNED(clopt_text) clean = {0};
    clopt_text_append_printable(&clean, string);
    for (const char *c = clopt_text_string(&clean); *c; c++)
        clopt_html_append_char(page, *c);
}
