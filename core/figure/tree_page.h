/* SPDX-License-Identifier: BSD-3-Clause */
/* Regression trees of speed-ups, one below the other as text, or side by side as one figure. */
#ifndef CLOPT_FIGURE_TREE_PAGE_H
#define CLOPT_FIGURE_TREE_PAGE_H

#include <stdio.h>

#include "base/text.h"
#include "model/regression.h"

struct clopt_tree_page {
    const char *format; /* of a figure: dot, svg, png or pdf; NULL: text */
    struct clopt_text text;
    size_t count; /* of the trees */
};

/* Begins a page; refuses a format that there is not. */
enum clopt_status clopt_tree_page_init(struct clopt_tree_page *page, const char *format,
                                       struct clopt_error *error);

/* Grows a tree of speed-ups (logarithms to base 2), and appends it and what it explains; `title`
 * may be NULL where it is the only one. */
enum clopt_status clopt_tree_append(struct clopt_tree_page *page,
                                    const struct clopt_observations *observations,
                                    const char *title, struct clopt_error *error);

/* Prints the page; figures other than dot are drawn by Graphviz. */
enum clopt_status clopt_tree_page_print(const struct clopt_tree_page *page, FILE *stream,
                                        struct clopt_error *error);
void clopt_tree_page_fini(struct clopt_tree_page *page);

#endif
