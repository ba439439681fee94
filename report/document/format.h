/* SPDX-License-Identifier: BSD-3-Clause */
/* The formats of documents and results: extensions of kind FORMAT. */
#pragma once

#include "document/document.h"
#include "document/file_set.h"
#include "file/file.h"
#include "plugin/registry.h"

/* What is asked of a writer besides the document. */
struct clopt_writing {
    FILE *stream;
    bool color;                     /* of a terminal */
    bool brief;                     /* text: no more than what fits a screen, */
    bool answer;                    /* or than what a search ends with */
    size_t width;                   /* columns of text; 0: CLOPT_LINE_WIDTH */
    unsigned refresh_s;             /* after which a page loads itself again; 0: never */
    const char *doing;              /* what goes on while it does; NULL: not known */
    char *gnuplot;                  /* draws charts; NULL: it is missing */
    const char *folder;             /* figures: where they go; NULL: there is one, for the stream */
    enum clopt_chart_format figure; /* their format */
};

/* Writes a document; without gnuplot a page says that its figures are missing. */
typedef enum clopt_status clopt_document_writer(const struct clopt_document *document,
                                                const struct clopt_writing *writing,
                                                struct clopt_error *error);

struct clopt_exchange_format;

/* An extension of kind FORMAT: its name is an option of commands, such as --html. */
struct clopt_format {
    clopt_document_writer *write;
    /* Of results as other programs read them, with `clopt report` alone; nothing else is set. */
    const struct clopt_exchange_format *exchange;
    const char *value; /* what help calls the value of the option: "FOLDER"; NULL: there is none */
    bool standard;     /* documents are written so unless an option names another format */
    bool for_programs;
    bool draws; /* charts, by gnuplot */
    bool in_folder;
};

/* How each page of HTML begins, and what may be replaced by one. */
#define CLOPT_PAGE_BEGIN                                                                           \
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"                     \
    "<meta name=\"generator\" content=\"clopt\"/>\n"                                               \
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
extern const struct clopt_file_kind clopt_page_kind;

/* Returns the format of that name, or, without one, the standard one; NULL: there is none. */
const struct clopt_extension *clopt_format_find(const struct clopt_registry *registry,
                                                const char *name);

/* Writes a document in a format. */
enum clopt_status clopt_document_write(const struct clopt_document *document,
                                       const struct clopt_format *format,
                                       const struct clopt_writing *writing,
                                       struct clopt_error *error);

/* ---- what writers share ---- */

enum clopt_part { CLOPT_PART_NONE, CLOPT_PART_SENTENCES, CLOPT_PART_LIST, CLOPT_PART_OTHER };

/* A document that is being written. */
struct clopt_page {
    const struct clopt_document *document;
    const struct clopt_writing *writing;
    struct clopt_text text;                   /* goes to the stream in the end */
    struct clopt_text heading;                /* of the kernel that the next tables are about */
    enum clopt_part last;                     /* what was written before */
    size_t headings, views, problems, charts; /* so far; views have headings, problems notes */
    enum clopt_status status;
    struct clopt_error *error;
};

/* How a format writes each kind of block; a kind without a writer is left out. */
typedef void clopt_block_writer(struct clopt_page *page, const struct clopt_block *block);
struct clopt_markup {
    unsigned leaves_out; /* extents */
    void (*begin)(struct clopt_page *page);
    clopt_block_writer *blocks[CLOPT_BLOCK_KINDS];
    void (*end)(struct clopt_page *page);
};
enum clopt_status clopt_document_mark(const struct clopt_document *document,
                                      const struct clopt_markup *markup,
                                      const struct clopt_writing *writing,
                                      struct clopt_error *error);

/* Appends a sentence without what sets its parts apart. */
void clopt_sentence_append_plain(struct clopt_text *text, const char *sentence);

/* Writes what a writer has made to the stream, unless memory ran out, and frees it. */
enum clopt_status clopt_writing_finish(const struct clopt_writing *writing, struct clopt_text *page,
                                       struct clopt_error *error);

/* ---- files that a report writes into a folder, named after what they show ---- */

/* Adds a file "STEM.ENDING", and, where there is one of this name from the same report,
 * "STEM-2.ENDING". Empties the text. */
void clopt_report_folder_add(struct clopt_file_set *files, const char *stem, const char *ending,
                             struct clopt_text *data);

/* Writes all files to a folder that is there, and prints their paths, one a line. Files that no
 * report has written there are not replaced: CLOPT_INVALID names one, and nothing is written. */
enum clopt_status clopt_report_folder_write(struct clopt_file_set *files, const char *path,
                                            FILE *stream, struct clopt_error *error);
