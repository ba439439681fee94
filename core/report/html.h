/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts, tables and the style of a page. */
#ifndef CLOPT_REPORT_HTML_H
#define CLOPT_REPORT_HTML_H

#include "base/text.h"
#include "report/grid.h"

extern const char clopt_html_style[];

/* Appends a text that nothing in a page can mistake for its own. */
void clopt_html_append(struct clopt_text *page, const char *string);

/* Appends the name of a variant, which may be broken behind its + and commas. */
void clopt_html_append_name(struct clopt_text *page, const char *name);

/* Appends an element with a text: <p>text</p>, <p class="what">text</p>. */
void clopt_html_element(struct clopt_text *page, const char *element, const char *what,
                        const char *string);

/* Appends a table with its heading, all devices side by side; nothing where no row is shown. Marks
 * lead to the notes: number 1 has the id `notes`-1. */
enum clopt_status clopt_html_table(struct clopt_text *page, struct clopt_grid *grid,
                                   const char *notes, struct clopt_error *error);

/* Appends the notes themselves. */
void clopt_html_notes(struct clopt_text *page, const struct clopt_footnotes *notes,
                      const char *name);

#endif
