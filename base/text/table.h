/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints rows of cells as an aligned table. */
#pragma once

#include <clopt/error.h>

struct clopt_table; /* columns are as wide as their widest cell, counted in UTF-8 characters,
                     * without colours */

/* `alignment` has one letter a column: l, r or c. */
struct clopt_table *clopt_table_create(const char *alignment);
void clopt_table_destroy(struct clopt_table *table);
CLOPT_HOLDER(clopt_table, clopt_table_destroy);

/* Adds cells from left to right, made printable; a row ends with clopt_table_end_row(), shorter
 * rows are filled. */
void clopt_table_cell(struct clopt_table *table, const char *format, ...) CLOPT_PRINTF(2, 3);

/* The same for text that is printable, and may have colours. */
void clopt_table_coloured_cell(struct clopt_table *table, const char *format, ...)
    CLOPT_PRINTF(2, 3);
void clopt_table_end_row(struct clopt_table *table);

/* Adds a row of cells, which the format has tabs between. */
void clopt_table_row(struct clopt_table *table, const char *format, ...) CLOPT_PRINTF(2, 3);

/* Adds a line across all columns: below a heading, say. */
void clopt_table_rule(struct clopt_table *table);

/* Lets the last column be running text: it is broken at its spaces where a line would be wider than
 * CLOPT_LINE_WIDTH, and is below the other cells where these leave it too little room. */
void clopt_table_wrap(struct clopt_table *table);

/* Prints it, `indent` spaces to the right, two spaces between columns, no blanks at line ends. */
enum clopt_status clopt_table_print(const struct clopt_table *table, FILE *stream, unsigned indent,
                                    struct clopt_error *error);
