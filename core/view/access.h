/* SPDX-License-Identifier: BSD-3-Clause */
/* What devices give for the patterns in which a kernel accesses memory, and for other layouts. */
#ifndef CLOPT_VIEW_ACCESS_H
#define CLOPT_VIEW_ACCESS_H

#include "base/text.h"
#include "document/document.h"
#include "results/results.h"

/* Appends a table: a row an array and pattern, with what each device gives for it as it is, by
 * vectors, and in the other layout that there is for it. Without rates there is none. */
void clopt_access_tabulate(const struct clopt_results *results,
                           const struct clopt_results_table *table,
                           struct clopt_document *document);

/* Says of which arrays another layout would give a device clearly more; nothing where of none. */
void clopt_access_advise(struct clopt_text *text, const struct clopt_results *results,
                         const struct clopt_results_table *table, size_t device);

#endif
