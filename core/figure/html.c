/* SPDX-License-Identifier: BSD-3-Clause */
/* The style of a page, and its texts. */
#include "figure/html.h"

/* Readable in the dark, on a phone (what is wide is scrolled by itself, below names that stay and
 * a shadow that says so), and on paper, where nothing is folded. Figures are drawn in two inks,
 * which become others in the dark. */
const char clopt_html_style[] =
    ":root{color-scheme:light dark;--ground:#fff;--ink:#222;--soft:#666;--line:#ddd;"
    "--shade:rgba(0,0,0,.28);--warn:#8a4b00;--link:#0058a3}\n"
    "@media (prefers-color-scheme:dark){:root{--ground:#161616;--ink:#ddd;--soft:#999;"
    "--line:#3a3a3a;--shade:rgba(255,255,255,.3);--warn:#f0b060;--link:#7ab8f5}}\n"
    "body{margin:0 auto;max-width:68rem;padding:1rem;background:var(--ground);color:var(--ink);"
    "font:16px/1.45 system-ui,sans-serif}\n"
    "h1{font-size:1.6rem}h2{font-size:1.3rem;margin-top:3rem;border-top:2px solid var(--line);"
    "padding-top:1rem}h3{font-size:1.1rem;margin-top:2.5rem;border-top:1px solid var(--line);"
    "padding-top:1rem}\n"
    "a{color:var(--link)}h1,h2,h3,p,li{overflow-wrap:anywhere}.soft{color:var(--soft)}"
    ".warning{color:var(--warn);font-weight:bold}\n"
    ".wide{overflow-x:auto;margin:1rem 0;background:"
    "linear-gradient(to left,var(--ground) 2rem,transparent) right/3rem 100% no-repeat local,"
    "linear-gradient(to left,var(--shade),transparent) right/1rem 100% no-repeat scroll}"
    "figure{margin:1rem 0}\n"
    "svg{display:block;min-width:44rem;max-width:100%;height:auto}\n"
    "svg [fill=\"#222222\"],svg [fill=\"black\"]{fill:var(--ink)}\n"
    "svg [stroke=\"#222222\"],svg [stroke=\"black\"]{stroke:var(--ink)}\n"
    "svg [color=\"#222222\"],svg [color=\"black\"]{color:var(--ink)}\n"
    "svg [stroke=\"#dddddd\"]{stroke:var(--line)}\n"
    "details{margin:1rem 0}summary{cursor:pointer;color:var(--link)}"
    "pre{overflow-x:auto;font-size:.85rem}\n"
    "table{border-collapse:collapse;font-size:.9rem}caption{text-align:left;font-weight:bold;"
    "padding:.3rem 0}\n"
    "th,td{padding:.15rem .5rem;text-align:left;vertical-align:top;"
    "border-bottom:1px solid var(--line)}\n"
    "thead th{vertical-align:bottom}tbody th{font-weight:normal;min-width:9rem}"
    "tbody th,td.name{overflow-wrap:break-word;max-width:24rem;white-space:normal}\n"
    "td.number{text-align:right;padding-right:0;white-space:pre;"
    "font-family:ui-monospace,monospace}td{white-space:nowrap}td.equal{color:var(--soft)}\n"
    "@media (max-width:40rem){th:first-child{position:sticky;left:0;background:var(--ground)}"
    "tbody th{min-width:7rem}tbody th,td.name{max-width:12.5rem}}\n"
    "@media print{@page{margin:1.2cm}body{max-width:none;padding:0;font-size:9pt}"
    "table{font-size:7pt}td{white-space:normal}td,th{padding:.1rem .3rem}tbody th{min-width:9rem}"
    ".wide{overflow:visible;background:none}details::details-content{content-visibility:visible;"
    "height:auto}summary{list-style:none;color:inherit;font-weight:bold}"
    "figure,tr{break-inside:avoid}h2,h3,caption{break-after:avoid}svg{min-width:0}}\n";

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
    struct clopt_text clean = {0};
    clopt_text_append_printable(&clean, string);
    for (const char *c = clopt_text_string(&clean); *c; c++)
        clopt_html_append_char(page, *c);
    page->failed |= clean.failed;
    clopt_text_fini(&clean);
}
