/* SPDX-License-Identifier: BSD-3-Clause */
/* The forms in which a report is written: all of them say the same, each in its own way. */
#ifndef CLOPT_REPORT_WRITER_H
#define CLOPT_REPORT_WRITER_H

#include <stdbool.h>
#include <stdio.h>

#include "base/text.h"
#include "report/report.h"
#include "view/grid.h"

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
};

struct clopt_writer;

struct clopt_writer_operations {
    bool terse;  /* the summary and tables alone, without what is said of each kernel */
    bool joined; /* times and speed-ups of a single device are one table */

    /* NULL: nothing comes before or after the rest. */
    void (*begin)(struct clopt_writer *writer, const char *title);
    void (*end)(struct clopt_writer *writer);

    void (*heading)(struct clopt_writer *writer, enum clopt_heading level, const char *text);
    void (*sentence)(struct clopt_writer *writer, enum clopt_sentence kind, const char *text);
    enum clopt_status (*table)(struct clopt_writer *writer, struct clopt_grid *grid,
                               struct clopt_error *error);
    void (*notes)(struct clopt_writer *writer, const struct clopt_footnotes *notes,
                  const char *title);

    /* NULL: the form has none of these. A fold with a title begins what is shown when it is asked
     * for, at once if `open`; one without (NULL) ends it. */
    enum clopt_status (*figures)(struct clopt_writer *writer, const struct clopt_view *view,
                                 struct clopt_error *error);
    enum clopt_status (*timeline)(struct clopt_writer *writer, const struct clopt_results *results,
                                  struct clopt_error *error);
    void (*fold)(struct clopt_writer *writer, const char *title, bool open);
    void (*listing)(struct clopt_writer *writer, const char *text);
};

extern const struct clopt_writer_operations clopt_text_writer;
extern const struct clopt_writer_operations clopt_html_writer;
extern const struct clopt_writer_operations clopt_markdown_writer;
extern const struct clopt_writer_operations clopt_latex_writer;

/* A report that is being written. */
struct clopt_writer {
    const struct clopt_writer_operations *operations;
    FILE *stream;
    struct clopt_text text; /* what goes to the stream at the end; the text form prints at once */
    size_t top;             /* variants of a device in a table; 0: all */
    bool color;             /* text: on a terminal */
    const char *gnuplot;    /* HTML: NULL: there are no figures */
    size_t problems;        /* headings so far */
    size_t views;
    int last;                  /* what was written last, for the form to know */
    struct clopt_text heading; /* LaTeX: of the kernel that the next tables are about */
};

/* Returns the way to write a form. */
const struct clopt_writer_operations *clopt_writer_of(enum clopt_report_form form);

/* Writes what there is to the stream, unless it failed already, and frees it. */
enum clopt_status clopt_writer_finish(struct clopt_writer *writer, enum clopt_status status,
                                      struct clopt_error *error);

#endif
