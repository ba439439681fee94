/* SPDX-License-Identifier: BSD-3-Clause */
/* A table before it is written: columns, rows of cells, and what belongs to each. */
#ifndef CLOPT_VIEW_GRID_H
#define CLOPT_VIEW_GRID_H

#include "view/footnotes.h"
#include "view/view.h"

/* A variant whose name has more characters is not named beside the number of another. */
#define CLOPT_LONGEST_ALIAS 24

enum clopt_column_kind {
    CLOPT_COLUMN_NAME,  /* a text, of variants mostly: may be broken after its + and commas */
    CLOPT_COLUMN_COUNT, /* a number alone */
    CLOPT_COLUMN_VALUE, /* a number, and a comment beside it */
};

enum clopt_column_role {
    CLOPT_COLUMN_DATA,
    CLOPT_COLUMN_KEY,      /* says what a row is about: repeated where a table is broken */
    CLOPT_COLUMN_OPTIONAL, /* left out where all of its cells are empty */
};

struct clopt_column {
    char *label;
    enum clopt_column_kind kind;
    enum clopt_column_role role;
};

struct clopt_cell {
    char *text;     /* NULL: nothing at all */
    char *comment;  /* never NULL where there is a text */
    char marks[64]; /* of footnotes, "[1][3]" */
    int decimals;   /* after the point of the number; -1: it is none */
    size_t link;    /* number of the view that it leads to; 0: none */
    bool best;
    bool equal; /* no difference from 1 */
};

/* All zero is an empty table. Columns come before rows. `failed`: memory ran out. */
struct clopt_grid {
    char *heading;
    struct clopt_column *columns;
    size_t column_count;
    struct clopt_cell *cells; /* row by row */
    size_t row_count;
    size_t left_out; /* rows that were not asked for */
    bool failed;
};

void clopt_grid_set_heading(struct clopt_grid *grid, const char *format, ...) CLOPT_PRINTF(2, 3);
void clopt_grid_add_column(struct clopt_grid *grid, enum clopt_column_kind kind,
                           enum clopt_column_role role, const char *label);

/* Adds an empty row and returns its first cell; NULL when memory runs out. Earlier rows move. */
struct clopt_cell *clopt_grid_add_row(struct clopt_grid *grid);

/* Fills a cell with a text, which has `decimals` if it is a number, and what belongs to it. */
void clopt_grid_fill(struct clopt_grid *grid, struct clopt_cell *cell, const char *text,
                     int decimals, const char *comment);

struct clopt_cell *clopt_grid_cell(const struct clopt_grid *grid, size_t row, size_t column);

/* Drops optional columns with nothing in them. Says whether memory ran out meanwhile. */
enum clopt_status clopt_grid_finish(struct clopt_grid *grid, struct clopt_error *error);
void clopt_grid_fini(struct clopt_grid *grid);

/* Returns how many characters wide a column is: that of a value with two spaces before its comment.
 */
size_t clopt_grid_width(const struct clopt_grid *grid, size_t column);

/* A table that is too wide is written in blocks, each with the columns that say what rows are
 * about, and as many others as there is room for: one, at least. These find the first of the
 * others, and where a block ends that begins with column `first`, and say whether a column is in
 * that block. */
size_t clopt_grid_first(const struct clopt_grid *grid);
size_t clopt_grid_block_end(const struct clopt_grid *grid, const size_t *widths, size_t first,
                            size_t room);
bool clopt_grid_in_block(const struct clopt_grid *grid, size_t column, size_t first, size_t end);

/* Brings the decimal points of each column into line, by blanks after its numbers. */
enum clopt_status clopt_grid_align(struct clopt_grid *grid, struct clopt_error *error);

/* ---- tables of a view ---- */

/* Which of them. */
enum clopt_table_kind { CLOPT_TABLE_TIMES, CLOPT_TABLE_SPEEDUPS, CLOPT_TABLE_BOTH };

/* Fills a table with the variants of a view, or with the `top` best of each device and the initial
 * code (0: all), and adds the notes on them. */
enum clopt_status clopt_view_tabulate(const struct clopt_view *view, enum clopt_table_kind kind,
                                      size_t top, struct clopt_grid *grid,
                                      struct clopt_footnotes *notes, struct clopt_error *error);

/* Says in a comment which other variant is the same code, in a note where its name is long. */
void clopt_cell_mention_alias(struct clopt_cell *cell, const struct clopt_view_row *row,
                              const struct clopt_result *result, struct clopt_footnotes *notes,
                              char *comment, size_t comment_size);

/* Writes a speed-up with as many digits as it is worth; returns how many are after its point. */
int clopt_speedup_print(char *text, size_t size, double speedup);

#endif
