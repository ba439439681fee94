/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables and charts of the variants of a view. */
#ifndef CLOPT_VIEW_TABLES_H
#define CLOPT_VIEW_TABLES_H

#include "document/document.h"
#include "view/view.h"

/* Appends a table of times, one of speed-ups, or one of both where there is a single device: all
 * variants, or the `top` best of each device and the initial code. */
void clopt_view_tabulate(const struct clopt_view *view, size_t top, struct clopt_document *document,
                         struct clopt_notes *notes);

/* Appends a chart of the speed-ups of the variants, the `top` of each device or as many as there is
 * room for (0), or one of the samples of the best. False: there is nothing to draw. */
bool clopt_view_draw(const struct clopt_view *view, bool samples, size_t top,
                     struct clopt_document *document);

/* Appends a chart of what each worker did when, where that is known. */
void clopt_timeline_draw(const struct clopt_results *results, struct clopt_document *document);

#endif
