/* SPDX-License-Identifier: BSD-3-Clause */
/* A table before it is written: columns, rows of typed cells, and what belongs to each. */
#pragma once

#include <jansson.h>

#include "number/ratio.h"

enum clopt_column_kind {
    CLOPT_COLUMN_NAME,  /* a text, of variants mostly: may be broken after its + and commas */
    CLOPT_COLUMN_COUNT, /* a number alone */
    CLOPT_COLUMN_VALUE, /* a number, and a comment beside it */
};

struct clopt_column {
    char *label;
    enum clopt_column_kind kind;
    bool key;      /* says what a row is about: repeated where a table is broken */
    bool optional; /* left out where all of its cells are empty */
    int decimals;  /* of its numbers, at most; once the table is finished */
};

struct clopt_cell {
    char *text;     /* NULL: nothing at all */
    char *comment;  /* never NULL where there is a text */
    char *whole;    /* what the text is short for; NULL: nothing */
    char marks[64]; /* of footnotes, "[1][3]" */
    double number;  /* NaN: it is a text */
    double low;     /* its interval; NaN: none */
    double high;
    int decimals; /* after the point of the number; -1: it is none */
    size_t color; /* of its bar, as clopt_document_color() has it; 0: none */
    size_t link;  /* number of the view that it leads to; 0: none */
    bool best;
    bool equal; /* no difference from 1 */
};

/* All zero is an empty table. Columns come before rows. */
struct clopt_grid {
    char *heading;
    struct clopt_column *columns;
    size_t column_count;
    struct clopt_cell *cells; /* row by row */
    size_t row_count;
    size_t at;       /* the cell that is filled next */
    size_t left_out; /* rows that were not asked for */
    bool heat;       /* its numbers are of one kind: the larger, the darker */
    bool bars;       /* those of its first column of values are bars on a page */
    bool stacked;    /* on a narrow page, a row is several lines */
};

void clopt_grid_set_heading(struct clopt_grid *grid, const char *format, ...) CLOPT_PRINTF(2, 3);

/* Add a column of names, or columns that commas separate; a # before the label: of counts; a =: of
 * values. A * or ? before that, or both: it is a key, and optional. */
void clopt_grid_add_column(struct clopt_grid *grid, const char *format, ...) CLOPT_PRINTF(2, 3);
void clopt_grid_add_columns(struct clopt_grid *grid, const char *labels);

/* Adds a row, whose first cell is filled and returned. Earlier rows move. */
struct clopt_cell *clopt_grid_add_row(struct clopt_grid *grid, const char *format, ...)
    CLOPT_PRINTF(2, 3);

/* Fill the next cell of the last row, and return it for more to be said: a text, where one is
 * wanted, a number ("--"
 * where it is NaN) with so many digits, none after its point (0) or in a format of its own, and
 * one with its interval, divided by `unit`, where it is no NaN.
 * clopt_grid_skip() leaves cells empty. */
struct clopt_cell *clopt_grid_put(struct clopt_grid *grid, const char *format, ...)
    CLOPT_PRINTF(2, 3);
struct clopt_cell *clopt_grid_put_if(struct clopt_grid *grid, bool filled, const char *text);
struct clopt_cell *clopt_grid_put_number(struct clopt_grid *grid, double number, int digits);
struct clopt_cell *clopt_grid_printf(struct clopt_grid *grid, double number, const char *format,
                                     ...) CLOPT_PRINTF(3, 4);
struct clopt_cell *clopt_grid_put_interval(struct clopt_grid *grid,
                                           const struct clopt_interval *interval, int digits,
                                           double unit);
struct clopt_cell *clopt_grid_skip(struct clopt_grid *grid, size_t cells);

/* Appends to what is beside the text of a cell. */
void clopt_cell_remark(struct clopt_cell *cell, const char *format, ...) CLOPT_PRINTF(2, 3);

/* Tells the number of a cell whose text was filled otherwise. */
void clopt_cell_set_number(struct clopt_cell *cell, const struct clopt_interval *interval,
                           double unit);

struct clopt_cell *clopt_grid_cell(const struct clopt_grid *grid, size_t row, size_t column);

/* Drops optional columns with nothing in them. */
void clopt_grid_finish(struct clopt_grid *grid);
void clopt_grid_fini(struct clopt_grid *grid);

/* Returns how many characters wide a column is: a value with two spaces before its comment. */
size_t clopt_grid_width(const struct clopt_grid *grid, size_t column);

/* A table that is too wide is written in blocks, each with the columns that say what rows are
 * about, and as many others as there is room for: one, at least. These find the first of the
 * others, and where a block ends that begins with column `first`, and say whether a column is in
 * that block. */
size_t clopt_grid_first(const struct clopt_grid *grid);
size_t clopt_grid_block_end(const struct clopt_grid *grid, const size_t *widths, size_t first,
                            size_t room);
bool clopt_grid_in_block(const struct clopt_grid *grid, size_t column, size_t first, size_t end);

/* Returns how many blanks after a number bring its decimal point into line with those of others. */
size_t clopt_grid_blanks(const struct clopt_grid *grid, const struct clopt_cell *cell,
                         size_t column);

/* Returns how many bytes of a variant's name are on its first line of `width` characters: up to the
 * last kernel of several that fits, or else the last + or comma, or to the first where none is. */
size_t clopt_name_part(const char *name, size_t width);

/* ---- numbered notes below tables; equal ones share a number ---- */

struct clopt_notes {
    char **texts;
    size_t count;
    json_t *numbers; /* by the texts */
};

/* Adds a note, and appends its mark, "[2]", to those of a cell. */
void clopt_notes_add(struct clopt_notes *notes, struct clopt_cell *cell, const char *format, ...)
    CLOPT_PRINTF(3, 4);

/* Returns a note with a 0 for each number: those that differ in numbers alone are of one kind. The
 * caller frees it. */
char *clopt_note_kind(const char *note);

void clopt_notes_fini(struct clopt_notes *notes);
