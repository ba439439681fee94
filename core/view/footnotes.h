/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbered notes below a table; equal ones share a number. */
#ifndef CLOPT_VIEW_FOOTNOTES_H
#define CLOPT_VIEW_FOOTNOTES_H

#include <stdio.h>

#include "view/view.h"

struct clopt_footnotes {
    char **texts;
    size_t count;
    size_t *slots; /* a hash table of numbers; 0: free */
    size_t slot_count;
    bool failed; /* memory ran out: some notes are missing */
};

#define CLOPT_NOTE_ABANDONED "abandoned: clearly slower than the best, so too few samples for 95%"

/* Adds a note, and appends its mark. */
void clopt_footnotes_add(struct clopt_footnotes *notes, const char *note, char *marks, size_t size);

void clopt_footnotes_fini(struct clopt_footnotes *notes);

/* Does what clopt_result_missing() does, and appends the mark of a note, "[2]", where there is more
 * to say. */
const char *clopt_footnotes_mark_missing(struct clopt_footnotes *notes,
                                         const struct clopt_result *result, char *marks,
                                         size_t size);

/* Adds what must be said of a time that is shown, and appends its marks, "[1][3]", or nothing. */
void clopt_footnotes_mark_time(struct clopt_footnotes *notes, const struct clopt_result *result,
                               enum clopt_scope scope, char *marks, size_t size);

/* Adds what must be said of the ratio of a result to `other`, where there is something. */
void clopt_footnotes_mark_ratio(struct clopt_footnotes *notes, const struct clopt_result *result,
                                const struct clopt_interval *ratio, const char *other, char *marks,
                                size_t size);

#endif
