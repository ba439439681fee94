/* SPDX-License-Identifier: BSD-3-Clause */
/* Regression trees of speed-ups in a document: texts, and one graph of all. */
#ifndef CLOPT_REPORT_TREE_H
#define CLOPT_REPORT_TREE_H

#include "document/document.h"
#include "model/regression.h"

struct clopt_tree_page {
    struct clopt_document *document;
    struct clopt_text graph;
    size_t count; /* of the trees */
};

/* Grows a tree of speed-ups (logarithms to base 2), and adds it and what it explains; `title` may
 * be NULL where it is the only one. */
enum clopt_status clopt_tree_append(struct clopt_tree_page *page,
                                    const struct clopt_observations *observations,
                                    const char *title, struct clopt_error *error);

/* Adds the graph of all trees, and ends the page. */
void clopt_tree_page_finish(struct clopt_tree_page *page);

#endif
