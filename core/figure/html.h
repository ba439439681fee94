/* SPDX-License-Identifier: BSD-3-Clause */
/* What all parts of a page share: its style, and texts that are nothing but texts. */
#ifndef CLOPT_FIGURE_HTML_H
#define CLOPT_FIGURE_HTML_H

#include "base/text.h"

extern const char clopt_html_style[];

/* Appends a character that nothing in a page can mistake for its own. */
void clopt_html_append_char(struct clopt_text *page, char character);

/* Does so with a text, which may also be the value of an attribute. */
void clopt_html_append(struct clopt_text *page, const char *string);

#endif
