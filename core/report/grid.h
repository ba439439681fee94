/* SPDX-License-Identifier: BSD-3-Clause */
/* What stands in the cells of a table of variants and devices, whatever form it is printed in. */
#ifndef CLOPT_REPORT_GRID_H
#define CLOPT_REPORT_GRID_H

#include "base/text.h"
#include "report/footnotes.h"
#include "report/view.h"

/* A variant whose name has more characters is not named beside the number of another. */
#define CLOPT_LONGEST_ALIAS 24

/* What a result is shown as. */
struct clopt_cell {
    char *number; /* NULL: nothing at all */
    char *comment;
    char marks[64]; /* of footnotes, "[1][3]" */
    int decimals;   /* behind the point of the number; -1: it is none */
    bool best;
};

/* All cells of a table, row by row. */
struct clopt_grid {
    const struct clopt_view *view;
    const char *heading; /* NULL: that of times or of speed-ups */
    const char *unit;    /* of times; NULL: speed-ups */
    const char *summary; /* heads a column about all devices; NULL: none */
    size_t columns;      /* the devices, then the summary, or those with published times */
    struct clopt_cell *cells;
    bool *rows_shown;
    bool shown; /* some row is */
    bool lines; /* a column tells how many lines of the source were changed */
};

/* Makes room for a grid of the devices and a column that is headed `summary`, which is borrowed. */
enum clopt_status clopt_grid_init(struct clopt_grid *grid, const struct clopt_view *view,
                                  const char *summary, struct clopt_error *error);

/* Fill a grid with the rows of a view, and add the notes on them. */
enum clopt_status clopt_grid_fill_times(struct clopt_grid *grid, const struct clopt_view *view,
                                        struct clopt_footnotes *notes, struct clopt_error *error);
enum clopt_status clopt_grid_fill_speedups(struct clopt_grid *grid, const struct clopt_view *view,
                                           struct clopt_footnotes *notes,
                                           struct clopt_error *error);
void clopt_grid_fini(struct clopt_grid *grid);

struct clopt_cell *clopt_grid_cell(const struct clopt_grid *grid, size_t row, size_t column);

/* Fills a cell with a number and what belongs to it, apart from its marks; false when memory runs
 * out. */
bool clopt_cell_fill(struct clopt_cell *cell, const char *number, int decimals,
                     const char *comment);

/* Says in a comment which other variant is the same code, in a note where its name is long. */
void clopt_cell_mention_alias(struct clopt_cell *cell, const struct clopt_view_row *row,
                              const struct clopt_result *result, struct clopt_footnotes *notes,
                              char *comment, size_t comment_size);

const char *clopt_grid_label(const struct clopt_grid *grid, size_t column);

/* Returns the first column from number `column` on that is shown; `columns` where none is. Those of
 * devices always are. */
size_t clopt_grid_next_column(const struct clopt_grid *grid, size_t column);

/* Writes a speed-up with as many digits as it is worth; returns how many stand behind its point. */
int clopt_speedup_print(char *text, size_t size, double speedup);

/* Returns how many lines of the source the variant of a row changes. */
int clopt_grid_lines(const struct clopt_grid *grid, size_t row);

/* Appends the heading: what is shown, and in which unit. */
void clopt_grid_heading(const struct clopt_grid *grid, struct clopt_text *heading);

/* Brings the decimal points of each column into line, by blanks behind its numbers. */
enum clopt_status clopt_grid_align(struct clopt_grid *grid, struct clopt_error *error);

#endif
