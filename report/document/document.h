/* SPDX-License-Identifier: BSD-3-Clause */
/* What a report says, in its order: headings, sentences, tables, charts, code. It knows no format;
 * the writers of report/document/format.h know what each looks like. */
#pragma once

#include "chart/chart.h"
#include "document/grid.h"

/* Stand in a sentence before and after what it is about, the name of a variant mostly. No text of
 * the results has them: these are printable. */
#define CLOPT_STRONG "\001"
#define CLOPT_WEAK   "\002"

enum clopt_heading { CLOPT_HEADING_TITLE, CLOPT_HEADING_SECTION, CLOPT_HEADING_KERNEL };

enum clopt_sentence {
    CLOPT_SENTENCE_PLAIN,
    CLOPT_SENTENCE_ITEM,   /* of a list */
    CLOPT_SENTENCE_DETAIL, /* of the item before */
    CLOPT_SENTENCE_WARNING,
    CLOPT_SENTENCE_ANSWER, /* what a reader wants first */
};

/* In which writings a block is not. An answer is what a search ends with, brief is what fits a
 * screen, full is text with all there is and Markdown, terse are tables for a paper, a page is for
 * a browser. */
enum clopt_extent {
    CLOPT_EVERYWHERE = 0,
    CLOPT_NOT_BRIEF = 1,
    CLOPT_NOT_FULL = 2,
    CLOPT_NOT_TERSE = 4,
    CLOPT_NOT_PAGE = 8,
    CLOPT_NOT_ANSWER = 16,
    CLOPT_NOT_SCREEN = CLOPT_NOT_BRIEF | CLOPT_NOT_ANSWER,
    CLOPT_REMARK = CLOPT_NOT_SCREEN | CLOPT_NOT_TERSE,
    CLOPT_SCREEN_ONLY = CLOPT_NOT_FULL | CLOPT_NOT_TERSE | CLOPT_NOT_PAGE,
    CLOPT_BRIEF_ONLY = CLOPT_SCREEN_ONLY | CLOPT_NOT_ANSWER,
    CLOPT_ANSWER_ONLY = CLOPT_SCREEN_ONLY | CLOPT_NOT_BRIEF,
    CLOPT_PAGE_ONLY = CLOPT_NOT_FULL | CLOPT_NOT_TERSE | CLOPT_NOT_SCREEN,
};

enum clopt_block_kind {
    CLOPT_BLOCK_HEADING,
    CLOPT_BLOCK_SENTENCE,
    CLOPT_BLOCK_TABLE,
    CLOPT_BLOCK_NOTES, /* footnotes of the tables since the notes before */
    CLOPT_BLOCK_CHART,
    CLOPT_BLOCK_FOLD, /* begins what is shown when it is asked for */
    CLOPT_BLOCK_FOLD_END,
    CLOPT_BLOCK_COMMAND, /* a line for a shell, to copy */
    CLOPT_BLOCK_CODE,    /* lines of text as they are; with a title, for pages alone */
    CLOPT_BLOCK_PAIR,    /* two texts side by side, where they differ: source and winner */
    CLOPT_BLOCK_DATA,    /* for programs: `data` under the name `text` */
    CLOPT_BLOCK_ROWS,    /* for programs: rows of values, lists in `data`, in `columns` */
    CLOPT_BLOCK_KINDS
};

struct clopt_block {
    enum clopt_block_kind kind;
    enum clopt_extent extent;
    enum clopt_heading level;
    enum clopt_sentence sentence;
    bool open;   /* a fold, at once */
    char *text;  /* its words: a heading, a sentence, the title of notes, folds and code */
    char *code;  /* CODE, COMMAND: its lines; PAIR: the text before */
    char *other; /* PAIR: the text after */
    struct clopt_grid grid;
    struct clopt_notes notes;
    struct clopt_chart chart;
    json_t *data;
    char **columns;
    size_t column_count;
};

/* All zero is an empty document. */
struct clopt_document {
    const char *program;      /* what JSON calls its format: "clopt report" */
    bool for_programs;        /* its reader is a program, which wants data and no sentences; texts
                               * are as the store has them */
    enum clopt_extent extent; /* of the blocks to come */
    struct clopt_block *blocks;
    size_t count;
    char **groups; /* by their colors */
    size_t group_count;
};

void clopt_document_fini(struct clopt_document *document);

/* Adds blocks. What is empty adds none. Texts are copied; `text` is emptied; grids, notes and
 * charts are taken over. */
void clopt_document_heading(struct clopt_document *document, enum clopt_heading level,
                            const char *format, ...) CLOPT_PRINTF(3, 4);
void clopt_document_say(struct clopt_document *document, enum clopt_sentence kind,
                        struct clopt_text *text);
void clopt_document_printf(struct clopt_document *document, enum clopt_sentence kind,
                           const char *format, ...) CLOPT_PRINTF(3, 4);
void clopt_document_table(struct clopt_document *document, struct clopt_grid *grid);
void clopt_document_notes(struct clopt_document *document, struct clopt_notes *notes,
                          const char *title);
void clopt_document_chart(struct clopt_document *document, struct clopt_chart *chart);
void clopt_document_fold(struct clopt_document *document, bool open, const char *format, ...)
    CLOPT_PRINTF(3, 4);
void clopt_document_fold_end(struct clopt_document *document);
void clopt_document_command(struct clopt_document *document, const char *line);
void clopt_document_code(struct clopt_document *document, const char *title, const char *lines);
void clopt_document_pair(struct clopt_document *document, const char *title, const char *before,
                         const char *after);

/* Add what programs read: a value, which is given up, and may be NULL where it could not be made; a
 * table with columns of these names, which blanks separate; a row of it and, as clopt_json_varray()
 * has them, its values, or more of them, or nulls up to the column of a name. */
void clopt_document_data(struct clopt_document *document, const char *name, json_t *value);
void clopt_document_rows(struct clopt_document *document, const char *name, const char *format, ...)
    CLOPT_PRINTF(3, 4);
void clopt_document_row(struct clopt_document *document, const char *types, ...);
void clopt_document_values(struct clopt_document *document, const char *types, ...);
void clopt_document_skip_to(struct clopt_document *document, const char *column);

/* Returns the color of a group of what is shown, all over the document: counts up from 1 in the
 * order of asking; the last one is that of all others. */
size_t clopt_document_color(struct clopt_document *document, const char *group);

/* Names the group, or groups, of a color. */
const char *clopt_document_group(const struct clopt_document *document, size_t color);

/* Whether any block is of a kind. */
bool clopt_document_has(const struct clopt_document *document, enum clopt_block_kind kind);

/* Whether there is a chart that is no graph. */
bool clopt_document_needs_gnuplot(const struct clopt_document *document);
