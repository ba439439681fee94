/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbered notes below a table; equal ones share a number. */
#ifndef CLOPT_REPORT_FOOTNOTES_H
#define CLOPT_REPORT_FOOTNOTES_H

#include <stdio.h>

#include "report/results.h"

struct clopt_footnotes {
    char **texts;
    size_t count;
};

/* Returns the number of a note, from 1; 0 when memory runs out. */
size_t clopt_footnotes_number(struct clopt_footnotes *notes, const char *text);
void clopt_footnotes_print(const struct clopt_footnotes *notes, FILE *stream);
void clopt_footnotes_fini(struct clopt_footnotes *notes);

/* Whether a result has a time to show. */
bool clopt_result_shown(const struct clopt_result *result, enum clopt_scope scope);

/* Adds what must be said of a result, and writes its marks, "[1][3]", or nothing. */
void clopt_footnotes_mark(struct clopt_footnotes *notes, const struct clopt_result *result,
                          enum clopt_scope scope, char *marks, size_t size);

#endif
