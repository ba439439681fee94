/* SPDX-License-Identifier: BSD-3-Clause */
/* The formats of documents: each is a file that writes them, and a row of the table. */
#ifndef CLOPT_DOCUMENT_FORMAT_H
#define CLOPT_DOCUMENT_FORMAT_H

#include <stdio.h>

#include "document/document.h"

/* What is asked of a writer besides the document. */
struct clopt_writing {
    FILE *stream;
    bool color;                     /* of a terminal */
    bool brief;                     /* text: no more than what fits a screen */
    size_t width;                   /* columns of text; 0: CLOPT_LINE_WIDTH */
    unsigned refresh_s;             /* after which a page loads itself again; 0: never */
    char *gnuplot;                  /* draws charts; NULL: it is missing */
    const char *folder;             /* figures: where they go; NULL: there is one, for the stream */
    enum clopt_chart_format figure; /* their format */
};

struct clopt_format {
    const char *name;
    const char *option; /* of commands: "html"; NULL: none, it is the default */
    bool for_programs;
    bool draws; /* charts, by gnuplot */
    bool in_folder;
    enum clopt_status (*write)(const struct clopt_document *document,
                               const struct clopt_writing *writing, struct clopt_error *error);
};

/* All of them, the default first; ends with a name that is NULL. */
extern const struct clopt_format clopt_formats[];

/* Finds a format by its option; NULL: there is none. */
const struct clopt_format *clopt_format_find(const char *option);

/* Writes a document in a format. Without gnuplot a page says that its figures are missing. */
enum clopt_status clopt_document_write(const struct clopt_document *document,
                                       const struct clopt_format *format,
                                       const struct clopt_writing *writing,
                                       struct clopt_error *error);

/* ---- what writers share ---- */

enum clopt_status clopt_write_text(const struct clopt_document *document,
                                   const struct clopt_writing *writing, struct clopt_error *error);
enum clopt_status clopt_write_html(const struct clopt_document *document,
                                   const struct clopt_writing *writing, struct clopt_error *error);
enum clopt_status clopt_write_markdown(const struct clopt_document *document,
                                       const struct clopt_writing *writing,
                                       struct clopt_error *error);
enum clopt_status clopt_write_latex(const struct clopt_document *document,
                                    const struct clopt_writing *writing, struct clopt_error *error);
enum clopt_status clopt_write_csv(const struct clopt_document *document,
                                  const struct clopt_writing *writing, struct clopt_error *error);
enum clopt_status clopt_write_json(const struct clopt_document *document,
                                   const struct clopt_writing *writing, struct clopt_error *error);
enum clopt_status clopt_write_figures(const struct clopt_document *document,
                                      const struct clopt_writing *writing,
                                      struct clopt_error *error);

/* Writes what a writer has made to the stream, unless memory ran out, and frees it. */
enum clopt_status clopt_writing_finish(const struct clopt_writing *writing, struct clopt_text *page,
                                       struct clopt_error *error);

#endif
