/* SPDX-License-Identifier: BSD-3-Clause */
/* What must be said beside results that are shown: in notes, and in comments of cells. */
#ifndef CLOPT_VIEW_MARKS_H
#define CLOPT_VIEW_MARKS_H

#include "document/document.h"
#include "view/view.h"

#define CLOPT_NOTE_ABANDONED "abandoned: clearly slower than the best, so too few samples for 95%"

/* A variant whose name has more characters is not named beside the number of another. */
#define CLOPT_LONGEST_ALIAS 24

/* Does what clopt_result_missing() does, and appends the mark of a note, "[2]", where there is more
 * to say. */
const char *clopt_mark_missing(struct clopt_notes *notes, const struct clopt_result *result,
                               char *marks, size_t size);

/* Adds what must be said of a time that is shown, and appends its marks, "[1][3]", or nothing. */
void clopt_mark_time(struct clopt_notes *notes, const struct clopt_result *result,
                     enum clopt_scope scope, char *marks, size_t size);

/* Adds what must be said of the ratio of a result to `other`, where there is something. */
void clopt_mark_ratio(struct clopt_notes *notes, const struct clopt_result *result,
                      const struct clopt_interval *ratio, const char *other, char *marks,
                      size_t size);

/* Says in a comment which other variant is the same code, in a note where its name is long. */
void clopt_mark_alias(struct clopt_cell *cell, const struct clopt_view_row *row,
                      const struct clopt_result *result, struct clopt_notes *notes, char *comment,
                      size_t comment_size);

/* Writes a speed-up with as many digits as it is worth; returns how many are after its point. */
int clopt_speedup_print(char *text, size_t size, double speedup);

#endif
