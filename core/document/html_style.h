/* SPDX-License-Identifier: BSD-3-Clause */
/* The style of a page, and its script, without which all of it can be read. */
#ifndef CLOPT_DOCUMENT_HTML_STYLE_H
#define CLOPT_DOCUMENT_HTML_STYLE_H

extern const char clopt_html_style[];
extern const char clopt_html_script[];

#endif
